// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRouting
import TuningSuites

extension TuningSuite.Expectation {
  /// The checks that a route breaks, in words; empty if it keeps all.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - steepness: Its steepness.
  func broken(by route: ComputedRoute, _ steepness: RouteSteepness, _ data: DatasetGraphs)
    -> [String]
  {
    let trace = RouteTrace(route, data.network)
    return checks.compactMap {
      Self.broken($0, route, trace, data) ?? Self.broken($0, steepness)
    }
  }

  /// The checks broken by a missing route.
  ///
  /// - Parameter failure: The reason why there is none.
  func broken(byNoRoute failure: String) -> [String] { checks == [.noRoute] ? [] : [failure] }

  private static func broken(
    _ check: Check, _ route: ComputedRoute, _ trace: RouteTrace, _ data: DatasetGraphs
  ) -> String? {
    func metres(of kind: WayClass) -> Double {
      trace.parts.reduce(0) { $0 + (data.classes.has(Int($1.edge), kind) ? $1.metres : 0) }
    }
    func share(of kind: WayClass) -> Double {
      trace.metres > 0 ? min(1, metres(of: kind) / trace.metres) : 0
    }
    switch check {
    case .usesWay(let way):
      return route.edges.contains { $0.osmWayID == way } ? nil : "does not use way \(way)"
    case .avoidsWay(let way):
      return route.edges.contains { $0.osmWayID == way } ? "uses way \(way)" : nil
    case .avoids(let kind):
      let length = metres(of: kind)
      return length > 0 ? "leads over \(Self.length(length)) of \(kind.word)" : nil
    case .atMost(let kind, let most):
      let share = share(of: kind)
      return share > most
        ? "is \(kind.word) for \(percent(share, comparedWith: most)), at most "
          + "\(percent(most)) was expected" : nil
    case .atLeast(let kind, let least):
      let share = share(of: kind)
      return share < least
        ? "is \(kind.word) for \(percent(share, comparedWith: least)), at least "
          + "\(percent(least)) was expected" : nil
    case .time(let range):
      let seconds = route.estimatedDuration
      return range.contains(seconds)
        ? nil
        : "takes \(duration(seconds)), not \(duration(range.lowerBound)) to "
          + duration(range.upperBound)
    case .distance(let range):
      return range.contains(route.totalDistance)
        ? nil
        : "is \(kilometres(route.totalDistance)) long, not \(kilometres(range.lowerBound)) to "
          + kilometres(range.upperBound)
    case .gain(let range):
      guard route.isClimbKnown else { return "has an unknown ascent" }
      return range.contains(route.elevationGain)
        ? nil
        : "climbs \(CairnFormatting.metres(route.elevationGain)), not "
          + "\(CairnFormatting.metres(range.lowerBound)) to \(CairnFormatting.metres(range.upperBound))"
    case .loss(let range):
      guard route.isClimbKnown else { return "has an unknown descent" }
      return range.contains(route.elevationLoss)
        ? nil
        : "descends \(CairnFormatting.metres(route.elevationLoss)), not "
          + "\(CairnFormatting.metres(range.lowerBound)) to \(CairnFormatting.metres(range.upperBound))"
    case .steeper, .steepest: return nil
    case .noRoute:
      return "has a route of \(kilometres(route.totalDistance))"
    }
  }

  /// The broken checks of slopes; an unknown slope may be too steep.
  private static func broken(_ check: Check, _ steepness: RouteSteepness) -> String? {
    switch check {
    case .steeper(let direction, let slope, let most):
      let metres = steepness.metres(direction, steeperThan: slope)
      if metres > most {
        return "is steeper than \(percent(slope / 100)) \(direction.rawValue) for "
          + "\(length(metres)), at most \(length(most)) was expected"
      }
      return metres + steepness.unknownMetres > most
        ? "has unknown slopes for \(length(steepness.unknownMetres))" : nil
    case .steepest(let direction, let most):
      let known =
        direction == .uphill ? steepness.steepestAscentPercent : steepness.steepestDescentPercent
      if let known, known > most {
        return "is \(percent(known / 100, comparedWith: most / 100)) steep \(direction.rawValue) "
          + "over 100 m, at most \(percent(most / 100)) was expected"
      }
      return steepness.unknownMetres > 0
        ? "has unknown slopes for \(length(steepness.unknownMetres))" : nil
    default: return nil
    }
  }

  private static func length(_ length: Double) -> String {
    length < 1000 ? CairnFormatting.metres(length) : kilometres(length)
  }
}

extension Location {
  /// `sample.yaml:12`, without folders: the name of an unnamed entry.
  var shortName: String {
    let name = String(file.split(separator: "/").last ?? "")
    guard let line else { return name }
    return "\(name):\(line)"
  }
}
