// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import Presentation

extension RouteChoice {
  /// A way that takes much less time; for a resolved choice. Where preferences or a departure have a
  /// part in the route, none is looked for.
  package func quickerRoute(beside route: ComputedRoute, _ engine: RoutingEngine) throws
    -> QuickerRoute?
  {
    guard preferences == RoutingPreferences(), day?.departureMinute == nil else { return nil }
    return try QuickerRoute(beside: route, engine, profile: profile, mode)
  }

  /// A much shorter way that is closed; for a resolved choice. Where preferences or a departure have a
  /// part in the route, none is looked for.
  package func shorterWay(
    beside route: ComputedRoute, _ engine: RoutingEngine, _ store: RoutingStore
  ) throws -> ShorterWay? {
    // Most routes are too straight for one; then the profile need not be read.
    guard preferences == RoutingPreferences(), day?.departureMinute == nil,
      route.mayHaveClosedShortcut(), let profile = try chosen?.definition(in: store)
    else { return nil }
    return try ShorterWay(beside: route, engine, store, profile, on: store.judgedDate(day))
  }
}
