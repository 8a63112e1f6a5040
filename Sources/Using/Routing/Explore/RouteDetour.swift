// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The best route that avoids a stretch of another route.
package struct RouteDetour: Sendable {
  /// The index of the stretch; several if the best route without each of them is the same.
  package private(set) var avoided: [Int]
  /// The best route without it; nil if there is none.
  package let route: ComputedRoute?
  /// The point where it leaves the original route, in metres along that route.
  package private(set) var leavesAtMetres = 0.0
  /// The point where it finally rejoins it, in metres along that route.
  package private(set) var returnsAtMetres = 0.0

  fileprivate init(avoiding stretch: Int, of route: ComputedRoute, by other: ComputedRoute?) {
    avoided = [stretch]
    self.route = other
    guard let other else { return }
    let (ids, others) = (route.edges.map(\.id), other.edges.map(\.id))
    let common = zip(ids, others).prefix { $0 == $1 }.count
    let rest = min(ids.count, others.count) - common
    let tail = zip(ids.reversed(), others.reversed()).prefix(rest).prefix { $0 == $1 }.count
    leavesAtMetres = route.edges.prefix(common).reduce(0) { $0 + $1.distance }
    returnsAtMetres = route.edges.dropLast(tail).reduce(0) { $0 + $1.distance }
  }

  /// Adds another stretch that it avoids.
  fileprivate mutating func avoid(_ stretch: Int) { avoided.append(stretch) }
}

extension RoutingEngine {
  /// The best routes that each avoid one stretch of a route, in the order of the stretches, without
  /// duplicates.
  ///
  /// - Parameters:
  ///   - route: A route of this engine.
  ///   - points: Its start, its via points and its end.
  ///   - profile: The profile of the route.
  ///   - stretches: The ids of the edges of each stretch.
  package func detours(
    of route: ComputedRoute, through points: [Coordinate], profile: String,
    avoiding stretches: [[Int64]]
  ) throws(RoutingError) -> [RouteDetour] {
    var detours: [RouteDetour] = []
    for (index, edges) in stretches.enumerated() {
      let other = try self.route(through: points, profile: profile, without: Set(edges))
      if let other, let known = detours.firstIndex(where: { $0.route == other }) {
        detours[known].avoid(index)
      } else {
        detours.append(RouteDetour(avoiding: index, of: route, by: other))
      }
    }
    return detours
  }

  /// The best route that avoids some edges; nil if there is none.
  private func route(
    through points: [Coordinate], profile: String, without edges: Set<Int64>
  ) throws(RoutingError) -> ComputedRoute? {
    guard let start = points.first, let end = points.last else { return nil }
    do throws(RoutingError) {
      return try findRoute(
        from: start, to: end, via: Array(points.dropFirst().dropLast()), profile: profile,
        avoidedEdges: edges)
    } catch {
      switch error {
      case .noRouteFound, .viaPointNotReachable: return nil
      default: throw error
      }
    }
  }
}
