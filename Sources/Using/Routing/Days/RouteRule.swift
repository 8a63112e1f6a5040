// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// A stretch of a route whose access depends on times or circumstances, with the same tags
/// throughout.
public struct RouteRule: Hashable, Sendable {
  /// The indices of its edges in `ComputedRoute.edges`.
  public var edges: Range<Int>
  /// Metres along the route at which it begins.
  public var fromMetres: Double
  /// Metres along the route at which it ends.
  public var toMetres: Double
  /// The OpenStreetMap id of its first way; nil for a barrier, or if unknown.
  public var osmWayID: Int64?
  /// The OpenStreetMap id of the barrier's node; nil for a way.
  public var barrierNode: Int64?
  /// The tags of the rules, as `KEY=VALUE`, sorted.
  public var tags: [String]
  /// Whether they can close it to the profile, in the direction of travel, at some time.
  public var mayClose: Bool
  /// Whether all of them can be read. Unreadable rules count as closed.
  public var isReadable: Bool
  /// Whether their meaning on arrival is certain. It is not if they depend on the weather or on
  /// school holidays, cannot be read, or assume that the day is not a public holiday.
  public var isCertain: Bool
}

extension RoutingEngine {
  /// The stretches of a route under rules on times or circumstances: conditional access, seasons
  /// and opening hours, whatever their effect on the day of the route. In the order of travel; a
  /// barrier on a way with a rule comes after it. Empty if there are none, and for databases
  /// without rules.
  ///
  /// - Parameters:
  ///   - route: A route of this engine.
  ///   - profile: The profile of the route; nil for the mode's.
  ///   - mode: The mode of the route.
  public func rules(
    on route: ComputedRoute, profile: String? = nil, mode: RoutingMode = .hiking
  ) throws(RoutingError) -> [RouteRule] {
    try knownRules(on: route, profile: profile, mode: mode) ?? []
  }

  /// The same; nil if the databases of the route have no rules on times at all, so that the answer
  /// is unknown.
  package func knownRules(
    on route: ComputedRoute, profile: String?, mode: RoutingMode
  ) throws(RoutingError) -> [RouteRule]? {
    guard let rules = try dayRules(on: route) else { return nil }
    let name = profile == nil ? try self.profile(for: mode) : profile
    guard let index = rules.index(ofProfile: name) else { return [] }
    return rules.stretches(of: route, profile: index, mode)
  }
}

extension DayRules {
  fileprivate func stretches(of route: ComputedRoute, profile: Int, _ mode: RoutingMode)
    -> [RouteRule]
  {
    var stretches: [RouteRule] = []
    /// Which rule each stretch is about.
    var ofRules: [Int] = []
    var (metres, seconds) = (0.0, 0.0)
    let start = route.day.map(moment) ?? built
    for (number, edge) in route.edges.enumerated() {
      let moment = route.day?.departureMinute == nil ? start : start.adding(seconds: seconds)
      for rule in entries[edge.id]?.rules ?? [] {
        let end = metres + edge.distance
        let judged = stretch(number, edge, rule, profile, at: moment)
        let last = ofRules.indices.last {
          ofRules[$0] == rule && stretches[$0].edges.upperBound == number
        }
        if let last, stretches[last].mayClose == judged.mayClose,
          stretches[last].isCertain == judged.isCertain, judged.barrierNode == nil
        {
          stretches[last].edges = stretches[last].edges.lowerBound..<number + 1
          stretches[last].toMetres = end
        } else {
          var judged = judged
          (judged.fromMetres, judged.toMetres) = (metres, end)
          stretches.append(judged)
          ofRules.append(rule)
        }
      }
      metres += edge.distance
      seconds += edge.duration ?? mode.seconds(edge)
    }
    return stretches
  }

  private func stretch(
    _ number: Int, _ edge: RoutingEdge, _ index: Int, _ profile: Int, at moment: Moment
  ) -> RouteRule {
    let rule = rules[index]
    let vehicle = vehicle(ofProfile: profile)
    let possible = rule.access.possibleAccess(for: vehicle)
    let classes = edge.isReversed ? possible.backward : possible.forward
    let isBarrier = rule.stored.isBarrier
    return RouteRule(
      edges: number..<number + 1, fromMetres: 0, toMetres: 0,
      osmWayID: isBarrier ? nil : edge.osmWayID,
      barrierNode: isBarrier ? RoutingNode.openStreetMapID(edge.fromNode) : nil,
      tags: rule.access.texts(for: vehicle),
      mayClose: classes.contains { rule.stored.profiles[profile].classes[$0.index] == 0 },
      isReadable: rule.access.isReadable(for: vehicle),
      isCertain: rule.access.isCertain(for: vehicle, at: moment))
  }
}
