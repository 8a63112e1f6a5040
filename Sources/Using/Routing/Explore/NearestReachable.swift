// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

extension RoutingEngine {
  /// Of all nodes that can be reached from a point, the one nearest to another place: where to go if
  /// no route leads there. It may be the start itself.
  ///
  /// All that can be reached is searched once, by Dijkstra's algorithm; so it takes longer than a
  /// route.
  ///
  /// - Parameters:
  ///   - place: Where to get as near as possible to.
  ///   - start: Where to begin.
  ///   - profile: A profile that the database has; nil for the one that serves the mode.
  ///   - mode: On foot or by bicycle: which profile serves where none is named, and how ways are timed.
  ///
  /// Throws `RoutingError.noNearbyNode(_:radiusMetres:)` for a start far from every path, and
  /// `RoutingError.profileNotAvailable(_:available:)`.
  public func nearestReachable(
    to place: Coordinate, from start: Coordinate, profile: String? = nil,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> Coordinate {
    let task = NearestReachableTask(
      start: start, place: place, radiusMetres: nearestNodeSearchRadiusMetres, mode: mode)
    return try perform(task, profile: profile, mode: mode)
  }
}

private struct NearestReachableTask: SearchTask {
  var start: Coordinate
  var place: Coordinate
  var radiusMetres: Double
  var mode: RoutingMode

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> Coordinate {
    let stop = try view.stop(at: start, radiusMetres: radiusMetres)
    try view.begin()
    var search = ReachSearch(
      mode: mode, forbidsSteps: view.profile == nil && mode == .cycling,
      limitSeconds: .infinity)
    try search.run(view, from: stop)
    let target = SpherePoint(place)
    var nearest: (chord: Double, node: Int32)?
    for node in search.reachedNodes {
      let chord = view.position(node).squaredChord(to: target)
      // Of equally near ones the one that is reached first.
      if chord < nearest?.chord ?? .infinity { nearest = (chord, node) }
    }
    guard let nearest else { return stop.coordinate }
    return try view.node(nearest.node).coordinate
  }
}
