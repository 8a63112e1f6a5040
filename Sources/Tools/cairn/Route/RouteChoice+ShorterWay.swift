// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import Presentation

extension RouteChoice {
  /// A much shorter way that the limits of the profile close; for a resolved choice. Where preferences or
  /// a departure have a part in the route, none is looked for.
  func shorterWay(
    beside route: ComputedRoute, _ engine: RoutingEngine, _ store: RoutingStore
  ) throws -> ShorterWay? {
    guard preferences == RoutingPreferences(), day?.departureMinute == nil,
      let profile = try chosen?.definition(in: store)
    else { return nil }
    return try ShorterWay(beside: route, engine, store, profile, on: date(in: store))
  }

  /// The day for which access is judged; nil if nothing says it.
  func date(in store: RoutingStore) throws(RoutingError) -> CalendarDate? {
    var date = try store.metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    if let day { date = day.date }
    date?.isSouthern = try store.isSouthern()
    return date
  }
}
