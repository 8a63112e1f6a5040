// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

extension RoutingEngine {
  /// The node nearest to a place of all that can be reached from a point, for when no route leads
  /// there. It may be the start itself.
  ///
  /// Dijkstra's algorithm searches everything reachable once, so it takes longer than a route.
  ///
  /// - Parameters:
  ///   - place: The place to approach.
  ///   - start: The start.
  ///   - profile: A profile in the database; nil for the mode's.
  ///   - mode: On foot or by bicycle: chooses the profile if none is named, and how ways are timed.
  ///
  /// Throws `RoutingError.noNearbyNode(_:radiusMetres:)` for a start far from every path, and
  /// `RoutingError.profileNotAvailable(_:available:)`.
  public func nearestReachable(
    to place: Coordinate, from start: Coordinate, profile: String? = nil,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> Coordinate {
    let task = NearestReachableTask(
      start: start, origin: originOfStart, place: place,
      radiusMetres: nearestNodeSearchRadiusMetres, mode: mode)
    return try perform(task, profile: profile, mode: mode)
  }
}

private struct NearestReachableTask: SearchTask {
  var start: Coordinate
  var origin: PointOrigin
  var place: Coordinate
  var radiusMetres: Double
  var mode: RoutingMode

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> Coordinate {
    let stop = try view.stop(at: start, origin, radiusMetres: radiusMetres)
    try view.begin()
    var search = ReachSearch(
      mode: mode, forbidsSteps: view.profile == nil && mode == .cycling,
      limitSeconds: .infinity)
    try search.run(view, from: stop)
    let target = SpherePoint(place)
    var nearest: (chord: Double, node: Int32)?
    for node in search.reachedNodes {
      let chord = view.position(node).squaredChord(to: target)
      // Of equally near ones, the first one reached.
      if chord < nearest?.chord ?? .infinity { nearest = (chord, node) }
    }
    guard let nearest else { return stop.coordinate }
    return try view.node(nearest.node).coordinate
  }
}
