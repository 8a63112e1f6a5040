// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import TrailData

/// The prices of edges with time-dependent access: for each profile in every class of access that
/// their tags can lead to, regardless of the day of the build.
struct RulePrices: Sendable {
  /// The contribution of a class of access to the costs of a tag set's edges.
  struct Terms: Equatable, Sendable {
    /// The product of all factors.
    var multiplier: Double
    var slowdown: Double
  }

  /// The terms of a profile.
  struct Classes: Sendable {
    /// By the class of access: 0 if it is impassable, or which of the terms hold, counted from 1.
    var indices = [UInt8](repeating: 0, count: StoredRule.classCount)
    /// For barriers one without meaning.
    var terms: [Terms] = []
    /// Whether the tags may let one pass in some direction.
    var everPass = false
    /// Whether they always let one pass.
    var alwaysPass = true
  }

  /// A tag set that depends on times.
  struct Rule: Sendable {
    /// Its index in the graph.
    var set: Int
    /// Whether it belongs to barriers.
    var isBarrier: Bool
    /// For each profile.
    var profiles: [Classes]
  }

  /// The rules of ways, then those of barriers, each in the order of tag sets.
  let rules: [Rule]
  /// The index in ``rules`` of each tag set of ways; −1 for others.
  private let ofWays: [Int32]
  /// The same for barriers.
  private let ofBarriers: [Int32]

  init(_ graph: GraphFile, _ profiles: [CostProfile]) {
    var rules: [Rule] = []
    func find(isBarrier: Bool, in sets: some Sequence<Int>) -> [Int32] {
      var indices = [Int32](repeating: -1, count: graph.tagSets.count)
      for set in sets where indices[set] < 0 {
        let tags =
          isBarrier
          ? TagList(graph.tagSets.texts(of: set, in: graph.strings))
          : graph.tagList(ofTagSet: set)
        guard let rule = AccessRule(tags, isBarrier: isBarrier),
          profiles.contains(where: { rule.concerns($0.vehicle) })
        else { continue }
        indices[set] = Int32(rules.count)
        rules.append(
          Rule(
            set: set, isBarrier: isBarrier,
            profiles: profiles.map { Classes(rule, tags, $0, isBarrier: isBarrier) }))
      }
      return indices
    }
    ofWays = find(isBarrier: false, in: 0..<graph.tagSets.count)
    ofBarriers = find(
      isBarrier: true, in: Set(graph.barrierTagSets.map { Int($0) }).sorted())
    self.rules = rules
  }

  /// The rule of a tag set, nil if it has none.
  func rule(ofSet set: Int, isBarrier: Bool) -> Rule? {
    let index = isBarrier ? ofBarriers[set] : ofWays[set]
    return index >= 0 ? rules[Int(index)] : nil
  }
}

extension RulePrices.Classes {
  fileprivate init(_ rule: AccessRule, _ tags: TagList, _ profile: CostProfile, isBarrier: Bool) {
    let possible = rule.possibleAccess(for: profile.vehicle)
    for kind in AccessClass.allCases
    where possible.forward.contains(kind) || possible.backward.contains(kind) {
      var terms: RulePrices.Terms?
      if isBarrier {
        if profile.passes(kind) { terms = .init(multiplier: 1, slowdown: 1) }
      } else {
        let factors = TagFactors(tags, profile, Access(everywhere: kind, for: profile.vehicle))
        if factors.forward.isFinite {
          terms = .init(multiplier: factors.forward, slowdown: factors.forwardSlowdown)
        }
      }
      guard let terms else {
        alwaysPass = false
        continue
      }
      everPass = true
      let known = self.terms.firstIndex(of: terms) ?? self.terms.count
      if known == self.terms.count { self.terms.append(terms) }
      indices[kind.index] = UInt8(known + 1)
    }
  }
}

/// The rows of `routing_rules`.
struct RuleRows {
  private let graph: GraphFile
  private let profiles: [CostProfile]
  private let formulas: [EdgeFormula]
  private let ferries: [Int: FerryTimes.Crossing]
  /// The tag sets of barriers by their edges.
  private let barriers: [Int: Int]
  private let date: CalendarDate?

  /// - Parameter date: The day of the build, for barriers on ways without a rule.
  init(_ graph: GraphFile, _ profiles: [CostProfile], on date: CalendarDate?) {
    self.graph = graph
    self.profiles = profiles
    self.date = date
    formulas = profiles.map { EdgeFormula($0) }
    ferries = Dictionary(
      FerryTimes(graph).crossings.map { ($0.edge, $0) }, uniquingKeysWith: { one, _ in one })
    barriers = Dictionary(
      zip(graph.barrierEdges.map { Int($0) }, graph.barrierTagSets.map { Int($0) }),
      uniquingKeysWith: { one, _ in one })
  }

  /// The rules with an edge, in the order of their ids.
  ///
  /// - Parameter edges: The edges of the graph that the database has, in the order of their rows.
  func rows(_ prices: RulePrices, _ edges: [UInt32]) -> [StoredRule] {
    if prices.rules.isEmpty { return [] }
    var ofRules: [Int: [(id: Int, edge: Int)]] = [:]
    for (row, edge) in edges.enumerated() {
      let edge = Int(edge)
      let set = Int(graph.wayTagSets[Int(graph.ways[edge])])
      if prices.rule(ofSet: set, isBarrier: false) != nil {
        ofRules[set << 1, default: []].append((row + 1, edge))
      }
      guard let stands = barriers[edge] else { continue }
      if prices.rule(ofSet: stands, isBarrier: true) != nil {
        ofRules[stands << 1 | 1, default: []].append((row + 1, edge))
      }
    }
    return ofRules.sorted { $0.key < $1.key }.compactMap { key, edges in
      let rule = prices.rule(ofSet: key >> 1, isBarrier: key & 1 == 1)
      return rule.map { stored($0, edges, prices) }
    }
  }

  private func stored(
    _ rule: RulePrices.Rule, _ edges: [(id: Int, edge: Int)], _ prices: RulePrices
  ) -> StoredRule {
    StoredRule(
      tagset: Int64(rule.set + 1), isBarrier: rule.isBarrier, edges: edges.map { Int64($0.id) },
      profiles: rule.profiles.indices.map { profile in
        let classes = rule.profiles[profile]
        let ofEdges = classes.terms.map { terms in
          edges.map { _, edge in
            if rule.isBarrier { return open(edge, profile, prices) }
            return isBlocked(edge, profile, prices)
              ? .impassable : price(edge, profile, terms, terms)
          }
        }
        return StoredRule.Profile(classes: classes.indices, prices: ofEdges)
      })
  }

  /// Whether an edge is a barrier that a profile never passes, whatever its way's rule says.
  private func isBlocked(_ edge: Int, _ profile: Int, _ prices: RulePrices) -> Bool {
    guard let set = barriers[edge], prices.rule(ofSet: set, isBarrier: true) == nil else {
      return false
    }
    return !profiles[profile].passes(
      TagList(graph.tagSets.texts(of: set, in: graph.strings)), on: date)
  }

  /// The price of a barrier's edge while the barrier is open: that of a piece of its way. If the
  /// way has a rule, its price is used instead.
  private func open(_ edge: Int, _ profile: Int, _ prices: RulePrices) -> StoredRule.Price {
    let set = Int(graph.wayTagSets[Int(graph.ways[edge])])
    guard prices.rule(ofSet: set, isBarrier: false) == nil else { return .impassable }
    let factors = TagFactors(graph.tagList(ofTagSet: set), profiles[profile], on: date)
    return price(
      edge, profile, .init(multiplier: factors.forward, slowdown: factors.forwardSlowdown),
      .init(multiplier: factors.backward, slowdown: factors.backwardSlowdown))
  }

  /// The price of an edge as ``EdgeCosts`` has it.
  private func price(
    _ edge: Int, _ profile: Int, _ ahead: RulePrices.Terms, _ back: RulePrices.Terms
  ) -> StoredRule.Price {
    let (formula, distance) = (formulas[profile], graph.distances[edge])
    func price(_ terms: RulePrices.Terms, up: Double, down: Double) -> (Double, Double) {
      if let ferry = ferries[edge] {
        let cost = formula.ferryCost(
          terms.multiplier, distance: ferry.distance, seconds: ferry.seconds)
        return (cost, cost < .infinity ? ferry.seconds : .infinity)
      }
      return formula.price(
        terms.multiplier, slowdown: terms.slowdown, distance: distance, up: up, down: down)
    }
    let (gain, loss) = (graph.gains[edge], graph.losses[edge])
    let (cost, duration) = price(ahead, up: gain, down: loss)
    let (reverseCost, reverseDuration) = price(back, up: loss, down: gain)
    return .init(
      cost: cost, reverseCost: reverseCost, duration: duration, reverseDuration: reverseDuration)
  }
}
