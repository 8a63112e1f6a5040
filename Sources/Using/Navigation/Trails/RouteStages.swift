// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnSearch

/// A day of a long walk, from one overnight stop to the next.
public struct RouteStage: Hashable, Sendable {
  /// Metres from the start of the route to its beginning.
  public var fromMetres: Double
  /// Metres from the start of the route to its end.
  public var toMetres: Double
  /// Seconds that it takes.
  public var seconds: Double
  /// The overnight stop at its end; nil at the end of the route.
  public var night: RouteSupplies.Place?

  /// Divides a route at huts and lodging: first with as little beyond the longest day as possible,
  /// then into as few stages as possible, then as evenly as possible.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - supplies: The places along it.
  ///   - seconds: The longest day, more than 0.
  public static func stages(
    of route: ComputedRoute, _ supplies: RouteSupplies, longest seconds: Double
  )
    -> [RouteStage]
  {
    let times = RouteTimes(route)
    let scale = supplies.lengthMetres > 0 ? times.metres / supplies.lengthMetres : 1
    var stops: [(metres: Double, night: RouteSupplies.Place?)] = [(0, nil)]
    for place in supplies.places where place.need.isForNights {
      let metres = place.position * scale
      guard metres > nearMetres, metres < times.metres - nearMetres else { continue }
      if let last = stops.last, last.night != nil, metres - last.metres < nearMetres {
        // Several at one place are named by a hut, or by the nearest one.
        if rank(place) < last.night.map(rank) ?? (4, 0) { stops[stops.count - 1].night = place }
      } else if stops.count < mostStops {
        stops.append((metres, place))
      }
    }
    stops.append((times.metres, nil))
    let clock = stops.map { times.seconds(at: $0.metres) }
    var best = [(cost: Cost, from: Int)](repeating: (Cost(), 0), count: stops.count)
    for end in stops.indices.dropFirst() {
      var found: (cost: Cost, from: Int)?
      for start in (0..<end).reversed() {
        let cost = best[start].cost.adding(clock[end] - clock[start], longest: seconds)
        if found.map({ cost < $0.cost }) ?? true { found = (cost, start) }
      }
      best[end] = found ?? (Cost(), 0)
    }
    var stages: [RouteStage] = []
    var end = stops.count - 1
    while end > 0 {
      let start = best[end].from
      stages.append(
        RouteStage(
          fromMetres: stops[start].metres, toMetres: stops[end].metres,
          seconds: clock[end] - clock[start], night: stops[end].night))
      end = start
    }
    return stages.reversed()
  }

  /// Places this close to each other are one stop, and this close to an end of the route none, in
  /// metres.
  private static let nearMetres = 150.0
  /// The most stops that are tried.
  private static let mostStops = 2000

  /// Huts first, then named places, then the nearest.
  private static func rank(_ place: RouteSupplies.Place) -> (Int, Double) {
    ((place.need == .hut ? 0 : 2) + (place.place.isNamed ? 0 : 1), place.place.detour ?? 0)
  }

  /// The cost of the stages up to a place.
  private struct Cost: Comparable {
    /// The time beyond the longest day, in half hours: a stage is not split for less.
    var beyond = 0.0
    var count = 0
    var squares = 0.0

    func adding(_ seconds: Double, longest: Double) -> Cost {
      let over = max(0, seconds - longest)
      return Cost(
        beyond: beyond + (over / 1800).rounded(.up), count: count + 1,
        squares: squares + seconds * seconds)
    }

    static func < (left: Cost, right: Cost) -> Bool {
      (left.beyond, left.count, left.squares) < (right.beyond, right.count, right.squares)
    }
  }
}

/// The times at which the points of a route are passed.
private struct RouteTimes {
  private var ends: [(metres: Double, seconds: Double)] = [(0, 0)]
  private let known: Double

  init(_ route: ComputedRoute) {
    var place = (metres: 0.0, seconds: 0.0)
    let metres = route.edges.reduce(0) { $0 + ($1.duration == nil ? $1.distance : 0) }
    let rest =
      route.estimatedDuration - route.edges.reduce(0) { $0 + ($1.duration ?? 0) }
    // An edge without a time in the database gets a share of the remaining time.
    known = metres > 0 ? max(0, rest) / metres : 0
    for edge in route.edges {
      place.metres += edge.distance
      place.seconds += edge.duration ?? edge.distance * known
      ends.append(place)
    }
  }

  var metres: Double { ends[ends.count - 1].metres }

  func seconds(at metres: Double) -> Double {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle].metres < metres { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let (start, end) = (ends[low - 1], ends[low])
    let length = end.metres - start.metres
    let share = length > 0 ? min(1, (metres - start.metres) / length) : 1
    return start.seconds + share * (end.seconds - start.seconds)
  }
}
