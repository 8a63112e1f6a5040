// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

extension RoutingStore {
  /// The day for which the ways of a route were judged: its own, or that of the build; nil if the
  /// database does not state it.
  package func judgedDay(of route: ComputedRoute) throws(RoutingError) -> TravelDay? {
    if let day = route.day { return day }
    return try builtDay()
  }

  /// The day for which an open database was built; nil if not stated.
  package func builtDay() throws(RoutingError) -> TravelDay? {
    guard let text = try metadata()[RoutingMetadataKey.accessDate], let date = CalendarDate(text)
    else { return nil }
    return TravelDay(date)
  }
}

/// The ways next to a route, on its day and at the time of arrival.
package struct WaysOfDay {
  private let store: RoutingStore
  private let timed: TimedPrices?
  private let profile: String?
  private let mode: RoutingMode

  /// The ways of an open database on the day of a route; those of the build if the route is for it,
  /// and in databases without rules on times.
  ///
  /// - Parameter profile: The profile of the route in the database; nil for the core columns.
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

  /// The edges that leave a node, including closed ones, which have infinite costs.
  ///
  /// - Parameter seconds: The time from the departure to the arrival there.
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
