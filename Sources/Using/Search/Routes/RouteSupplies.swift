// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase

/// Supplies along a line: water, huts, lodging, food and stops, in the order along it.
public struct RouteSupplies: Hashable, Sendable {
  /// A need that a place serves.
  public enum Need: String, Sendable, CaseIterable {
    /// A spring or drinking water, unless known not to be for drinking.
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

    /// Whether it offers overnight stays.
    public var isForNights: Bool { self == .hut || self == .lodging }
  }

  /// A place near the line.
  public struct Place: Hashable, Sendable {
    /// The need that it serves.
    public var need: Need
    /// The place, with its position along the line and the length of the detour.
    public var place: SearchResult
    /// Metres from the beginning of the line to the detour.
    public var position: Double

    /// Makes a place.
    public init(need: Need, place: SearchResult, position: Double) {
      (self.need, self.place, self.position) = (need, place, position)
    }
  }

  /// A stretch without something.
  public struct Gap: Hashable, Sendable {
    /// Metres from the beginning of the line to the start of the gap.
    public var fromMetres: Double
    /// Metres from the beginning of the line to the end of the gap.
    public var toMetres: Double
    /// Its length in metres.
    public var metres: Double { toMetres - fromMetres }
  }

  /// The default distance of places from the line, in metres.
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

  /// The longest stretch without a need, between places or the ends of the line.
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
  /// The supplies along a line; see ``RouteSupplies``.
  ///
  /// - Parameters:
  ///   - line: The line. With more than ``SearchService/maximumLinePoints`` points, only every
  ///     second, third and so on is used.
  ///   - metres: The greatest distance from it, at most 5 km.
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
