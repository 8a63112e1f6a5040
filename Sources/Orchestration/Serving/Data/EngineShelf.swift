// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnLocks
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import ProfileTrials
import Requests

/// Engines kept from one request to the next.
///
/// Small databases are searched in memory. Larger ones are read as needed, so that memory is taken
/// only for regions in use.
final class EngineShelf: Sendable {
  private struct State {
    var network: RoadNetwork?
    /// By the name of the profile; for paged databases a single one.
    var built: [String?: RoutingEngine] = [:]
    var prices: [(date: CalendarDate?, prices: TrialPrices)] = []
    var trials: [(key: String, engine: RoutingEngine)] = []
  }

  /// Databases up to this size are searched in memory.
  static let mostInMemory = 96 << 20
  /// Above this size costs are not computed anew.
  private static let mostPriced = 512 << 20
  /// The number of changed profiles, and days for them, that are kept.
  private static let mostTrials = 4

  private let bytes: Int
  /// Whether routes are searched in memory.
  let isInMemory: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - bytes: The size of the databases.
  ///   - mostInMemory: The size up to which they are searched in memory.
  init(bytes: Int, mostInMemory: Int) {
    self.bytes = bytes
    isInMemory = bytes <= mostInMemory
  }

  /// The network in memory; nil if it would be too large.
  func network(_ store: RoutingStore) throws(RoutingError) -> RoadNetwork? {
    guard isInMemory else { return nil }
    return try state.withLock { state throws(RoutingError) in try Self.network(&state, store) }
  }

  private static func network(_ state: inout State, _ store: RoutingStore) throws(RoutingError)
    -> RoadNetwork
  {
    if let known = state.network { return known }
    let network = try RoadNetwork(reading: store)
    state.network = network
    return network
  }

  /// The engine of a resolved choice, for its day and its radius.
  func engine(_ choice: RouteChoice, _ store: RoutingStore) throws -> RoutingEngine {
    if let trial = choice.trial {
      return choice.configured(try engine(of: trial, on: choice.day?.date, store))
    }
    let engine = choice.configured(try built(choice.profile, store))
    return try choice.otherDay.map { try engine.on($0) } ?? engine
  }

  private func built(_ profile: String?, _ store: RoutingStore) throws(RoutingError)
    -> RoutingEngine
  {
    try state.withLock { state throws(RoutingError) in
      let key = isInMemory ? profile : nil
      if let known = state.built[key] { return known }
      let engine: RoutingEngine
      if !isInMemory {
        engine = RoutingEngine(store: store)
      } else {
        let network = try Self.network(&state, store)
        engine = RoutingEngine(graphs: [
          try ProfileGraph(network, profile: profile, reading: store)
        ])
      }
      state.built[key] = engine
      return engine
    }
  }

  private func engine(of trial: CostProfile, on date: CalendarDate?, _ store: RoutingStore) throws
    -> RoutingEngine
  {
    guard bytes <= Self.mostPriced else {
      throw CairnError(
        "too-large", .temporaryFailure, "the databases are too large to compute costs anew",
        hint: "serve fewer regions")
    }
    let key = "\(date.map { "\($0)" } ?? "") \(try trial.canonicalText())"
    return try state.withLock { state in
      if let known = state.trials.first(where: { $0.key == key }) { return known.engine }
      var prices = state.prices.first { $0.date == date }?.prices
      if prices == nil {
        let network = try Self.network(&state, store)
        guard let made = try TrialPrices(network, reading: store, on: date) else {
          throw CairnError(
            "no-tags", .dataError, "lacks the tags needed to compute costs",
            hint: "rebuild it with this version of Cairn")
        }
        state.prices = [(date, made)] + state.prices.prefix(Self.mostTrials - 1)
        prices = made
      }
      guard let prices else { throw RoutingError.cancelled }
      let engine = RoutingEngine(graphs: [try prices.graph(of: trial)])
      state.trials = [(key, engine)] + state.trials.prefix(Self.mostTrials - 1)
      return engine
    }
  }
}
