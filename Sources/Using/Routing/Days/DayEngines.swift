// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnRoutingDatabase

/// A day for searches, with its changes for each profile of a database.
final class Departure: Sendable {
  let day: TravelDay
  /// The database as it is on the day of the build.
  let database: RoutingStore
  private let rules: DayRules
  private let timed: [TimedPrices?]

  init(
    _ day: TravelDay, _ rules: DayRules, _ changes: [DayRules.Changes], of database: RoutingStore
  ) {
    (self.day, self.rules, self.database) = (day, rules, database)
    timed = changes.enumerated().map { TimedPrices(rules, profile: $0, on: day, $1) }
  }

  /// The part of a profile's costs that depends on the time of arrival.
  func timed(profile: String?) -> TimedPrices? {
    rules.index(ofProfile: profile).flatMap { timed[$0] }
  }
}

/// The engines on the days that were asked for last.
final class DayEngines: Sendable {
  private struct State {
    /// The opening of the store to which they belong.
    var opening = -1
    var rules: DayRules?
    var engines: [(day: TravelDay, engine: RoutingEngine)] = []
  }

  private let state = Mutex(State())
  /// The number of days kept.
  private static let mostKept = 4

  /// The rules of an open store; nil if it has none.
  func rules(_ store: RoutingStore) throws(RoutingError) -> DayRules? {
    let opening = try store.openings()
    return try state.withLock { state throws(RoutingError) in
      if state.opening != opening {
        state = State(opening: opening, rules: try DayRules(reading: store))
      }
      return state.rules
    }
  }

  /// The engine on a day; `make` makes it if it is not cached.
  func engine(on day: TravelDay, _ make: () throws(RoutingError) -> RoutingEngine)
    throws(RoutingError) -> RoutingEngine
  {
    if let known = state.withLock({ state in state.engines.first { $0.day == day } }) {
      return known.engine
    }
    let engine = try make()
    state.withLock { state in
      state.engines.insert((day, engine), at: 0)
      if state.engines.count > Self.mostKept { state.engines.removeLast() }
    }
    return engine
  }
}

extension RoutingStore {
  /// The same database on a day, and the prices that depend on the time of arrival.
  func onDay(_ day: TravelDay, _ rules: DayRules) throws(RoutingError) -> (RoutingStore, Departure)
  {
    let changes = try profileNames().indices.map { rules.changes(on: day, profile: $0) }
    let costs = DayCosts(
      profiles: changes.map { .init(prices: $0.prices, changesPassage: $0.changesPassage) })
    return (try onDay(costs), Departure(day, rules, changes, of: self))
  }
}
