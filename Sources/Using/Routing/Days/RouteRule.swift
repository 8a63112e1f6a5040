// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// A stretch of a route whose access depends on times or circumstances, by the same tags all along.
public struct RouteRule: Hashable, Sendable {
  /// The indices of its edges in `ComputedRoute.edges`.
  public var edges: Range<Int>
  /// Metres along the route at which it begins.
  public var fromMetres: Double
  /// Metres along the route at which it ends.
  public var toMetres: Double
  /// The OpenStreetMap id of its first way; nil where it is a barrier, or unknown.
  public var osmWayID: Int64?
  /// The OpenStreetMap id of the barrier's node; nil where it is a way.
  public var barrierNode: Int64?
  /// The tags that say so, as `KEY=VALUE`, sorted.
  public var tags: [String]
  /// Whether they can close it to the profile, in the direction of travel, at some time.
  public var mayClose: Bool
  /// Whether all of them can be read. What cannot counts as closed.
  public var isReadable: Bool
  /// Whether it is certain what they say when one comes to it. It is not where they depend on the weather
  /// or on school holidays, cannot be read, or take the day not to be a public holiday.
  public var isCertain: Bool
}

extension RoutingEngine {
  /// The stretches of a route under rules on times or circumstances: conditional access, seasons and
  /// opening hours, whatever they say on the day of the route. In the order of travel; a barrier on a
  /// way with a rule comes after it. Empty where there are none, and in databases that do not have
  /// rules.
  ///
  /// - Parameters:
  ///   - route: A route of this engine.
  ///   - profile: The profile that it was found for; nil for the one that serves the mode.
  ///   - mode: The mode that it was found for.
  public func rules(
    on route: ComputedRoute, profile: String? = nil, mode: RoutingMode = .hiking
  ) throws(RoutingError) -> [RouteRule] {
    try knownRules(on: route, profile: profile, mode: mode) ?? []
  }

  /// The same; nil where the databases of the route have no rules on times at all, so that it is not
  /// known whether it is under any.
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
