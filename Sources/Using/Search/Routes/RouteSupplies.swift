// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase

/// What a hiker lives on along a line: water, huts, lodging, food and stops, in the order in which one
/// passes them.
public struct RouteSupplies: Hashable, Sendable {
  /// What a place is good for.
  public enum Need: String, Sendable, CaseIterable {
    /// A spring or drinking water; what is known not to be for drinking does not count.
    case water
    /// A hut.
    case hut
    /// A hotel, a hostel or a guest house.
    case lodging
    /// A restaurant, a café or a shop that sells food.
    case food
    /// A stop or station of public transport.
    case stop

    /// The kind of its places.
    public var kind: PlaceKind {
      switch self {
      case .water: .water
      case .hut: .hut
      case .lodging: .lodging
      case .food: .food
      case .stop: .transport
      }
    }

    /// Whether one can stay there for a night.
    public var isForNights: Bool { self == .hut || self == .lodging }
  }

  /// A place beside the line.
  public struct Place: Hashable, Sendable {
    /// What it is good for.
    public var need: Need
    /// The place, with where one leaves the line and how long the detour is.
    public var place: SearchResult
    /// Metres from the beginning of the line to where one leaves it.
    public var position: Double

    /// Makes a place.
    public init(need: Need, place: SearchResult, position: Double) {
      (self.need, self.place, self.position) = (need, place, position)
    }
  }

  /// A stretch without something.
  public struct Gap: Hashable, Sendable {
    /// Metres from the beginning of the line to where it begins.
    public var fromMetres: Double
    /// Metres from the beginning of the line to where it ends.
    public var toMetres: Double
    /// Its length in metres.
    public var metres: Double { toMetres - fromMetres }
  }

  /// How far from the line a place may be, in metres, where nothing else is asked for.
  public static let defaultMetres = 300.0

  /// Metres of the line.
  public var lengthMetres: Double
  /// The places by their position.
  public private(set) var places: [Place]

  /// Makes a list of places in any order.
  public init(lengthMetres: Double, places: [Place]) {
    self.lengthMetres = lengthMetres
    self.places = places.sorted {
      ($0.position, $0.need.rawValue, $0.place.id) < ($1.position, $1.need.rawValue, $1.place.id)
    }
  }

  /// The longest stretch without something, from the beginning or a place to the next one or the end.
  public func longestGap(_ need: Need) -> Gap {
    var longest = Gap(fromMetres: 0, toMetres: 0)
    var last = 0.0
    for position in places.filter({ $0.need == need }).map(\.position) + [lengthMetres] {
      let gap = Gap(fromMetres: last, toMetres: max(position, last))
      if gap.metres > longest.metres { longest = gap }
      last = max(position, last)
    }
    return longest
  }
}

extension SearchSet {
  /// What there is along a line; see ``RouteSupplies``.
  ///
  /// - Parameters:
  ///   - line: The line, of more than ``SearchService/maximumLinePoints`` points every second, third and so
  ///     on.
  ///   - metres: How far from it a place may be, at most 5 km.
  ///
  /// Throws as ``nearby(kind:detail:along:within:limit:)`` does.
  public func supplies(
    along line: [Coordinate], within metres: Double = RouteSupplies.defaultMetres
  ) throws(SearchError) -> RouteSupplies {
    let length = zip(line, line.dropFirst()).reduce(0) { $0 + haversineDistance($1.0, $1.1) }
    var places: [RouteSupplies.Place] = []
    for need in RouteSupplies.Need.allCases {
      for result in try all(need.kind, along: line, within: metres) {
        guard !result.flags.contains(.closed),
          need != .water || !result.flags.contains(.notDrinkable), let position = result.position
        else { continue }
        places.append(.init(need: need, place: result, position: min(position, length)))
      }
    }
    return RouteSupplies(lengthMetres: length, places: places)
  }
}
