// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

extension RoutingStore {
  /// The day for which the ways of a route were judged: its own one, or that of the build; nil where the
  /// database does not say that.
  package func judgedDay(of route: ComputedRoute) throws(RoutingError) -> TravelDay? {
    if let day = route.day { return day }
    return try builtDay()
  }

  /// The day for which an open database was built; nil where it does not say that.
  package func builtDay() throws(RoutingError) -> TravelDay? {
    guard let text = try metadata()[RoutingMetadataKey.accessDate], let date = CalendarDate(text)
    else { return nil }
    return TravelDay(date)
  }
}

/// The ways beside a route, as they are on its day when one comes to them.
package struct WaysOfDay {
  private let store: RoutingStore
  private let timed: TimedPrices?
  private let profile: String?
  private let mode: RoutingMode

  /// The ways of an open database on the day of a route; those of the build where the route is for it,
  /// and in databases without rules on times.
  ///
  /// - Parameter profile: The profile of the database that the route was found for; nil for the core
  ///   columns.
  package init(_ store: RoutingStore, of route: ComputedRoute, profile: String?)
    throws(RoutingError)
  {
    self.profile = profile
    mode =
      try profile.flatMap { name throws(RoutingError) in try store.mode(ofProfile: name) }
      ?? .hiking
    guard let day = route.day, let rules = try DayRules(reading: store) else {
      (self.store, timed) = (store, nil)
      return
    }
    let (shown, departure) = try store.onDay(day, rules)
    (self.store, timed) = (shown, departure.timed(profile: profile))
  }

  /// The edges that leave a node, closed ones, too, which have infinite costs.
  ///
  /// - Parameter seconds: How long after the departure one comes there.
  package func edges(at node: Int64, seconds: Double) throws(RoutingError) -> [RoutingEdge] {
    let edges = try store.allEdges(at: node, profile: profile)
    guard let timed else { return edges }
    return edges.map { edge in
      var edge = edge
      let factor = timed.factors(ofEdge: edge.id, isReversed: edge.isReversed, at: seconds).cost
      edge.cost = factor.isFinite ? edge.cost * factor : .infinity
      return edge
    }
  }

  /// How long an edge of the route takes.
  package func seconds(_ edge: RoutingEdge) -> Double { edge.duration ?? mode.seconds(edge) }
}
