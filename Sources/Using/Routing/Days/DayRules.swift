// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// The rules on times of a database, read once and judged for any day.
package final class DayRules: Sendable {
  /// A tag set with a rule.
  struct Rule: Sendable {
    let stored: StoredRule
    let access: AccessRule
  }

  /// Which rules an edge is under, and its index among the edges of each.
  struct Entry: Sendable {
    var way: (rule: Int, edge: Int)?
    var barrier: (rule: Int, edge: Int)?

    var rules: [Int] { [way?.rule, barrier?.rule].compactMap { $0 } }
  }

  let rules: [Rule]
  let entries: [Int64: Entry]
  /// The moment that the database was built for.
  let built: Moment
  fileprivate let profiles: [(name: String, vehicle: Vehicle)]

  /// Reads the rules of an open database; nil if it has no table of them.
  ///
  /// - Parameter edges: For several databases, edges of those whose rules are needed; nil for all.
  package init?(reading store: RoutingStore, ofEdges edges: [Int64]? = nil)
    throws(RoutingError)
  {
    guard let stored = try store.storedRules(ofEdges: edges) else { return nil }
    let tags = try store.tags(ofSets: Set(stored.map(\.tagset)))
    var rules: [Rule] = []
    var entries: [Int64: Entry] = [:]
    for rule in stored {
      guard let access = AccessRule(tags[rule.tagset] ?? [:], isBarrier: rule.isBarrier) else {
        continue
      }
      for (index, edge) in rule.edges.enumerated() {
        if rule.isBarrier {
          entries[edge, default: Entry()].barrier = (rules.count, index)
        } else {
          entries[edge, default: Entry()].way = (rules.count, index)
        }
      }
      rules.append(Rule(stored: rule, access: access))
    }
    var date = try store.metadata()[RoutingMetadataKey.accessDate].flatMap { CalendarDate($0) }
    isSouthern = try store.isSouthern()
    date?.isSouthern = isSouthern
    built = .noon(of: date)
    profiles = try store.profiles().map { ($0.name, $0.mode == .cycling ? .bicycle : .foot) }
    (self.rules, self.entries) = (rules, entries)
  }

  private let isSouthern: Bool

  /// The index of a profile (nil: the core columns) among those of the database; nil for an unknown
  /// one.
  func index(ofProfile name: String?) -> Int? {
    name.map { name in profiles.firstIndex { $0.name == name } } ?? 0
  }

  /// The vehicle whose access a profile of the database follows.
  func vehicle(ofProfile index: Int) -> Vehicle { profiles[index].vehicle }

  /// The moment at which a walk begins, or noon of its day.
  func moment(_ day: TravelDay) -> Moment {
    var date = day.date
    date.isSouthern = isSouthern
    return Moment(date: date, minute: day.departureMinute ?? Moment.noonMinute)
  }

  /// Access by rule and moment, as far as judged.
  struct Judged {
    fileprivate struct Key: Hashable {
      var rule: Int
      var moment: Moment
    }

    fileprivate var known: [Key: Access] = [:]
  }

  /// The price of an edge under a rule at a moment, by a profile of the database.
  func price(ofEdge id: Int64, profile: Int, at moment: Moment, _ judged: inout Judged)
    -> StoredRule.Price?
  {
    guard let entry = entries[id] else { return nil }
    func access(_ rule: Int) -> Access {
      let key = Judged.Key(rule: rule, moment: moment)
      if let known = judged.known[key] { return known }
      let access = rules[rule].access.access(for: vehicle(ofProfile: profile), at: moment)
      judged.known[key] = access
      return access
    }
    func price(_ entry: (rule: Int, edge: Int), _ kind: AccessClass) -> StoredRule.Price? {
      rules[entry.rule].stored.profiles[profile].price(ofClass: kind.index, entry.edge)
    }
    var open: StoredRule.Price?
    if let barrier = entry.barrier {
      open = price(barrier, access(barrier.rule).forwardClass)
      if open == nil { return .impassable }
    }
    guard let way = entry.way else { return open }
    let access = access(way.rule)
    var whole = StoredRule.Price.impassable
    if let ahead = price(way, access.forwardClass) {
      (whole.cost, whole.duration) = (ahead.cost, ahead.duration)
    }
    if let back = price(way, access.backwardClass) {
      (whole.reverseCost, whole.reverseDuration) = (back.reverseCost, back.reverseDuration)
    }
    return whole
  }

  /// The most days of a walk; later openings do not count.
  private static let mostDays = 3

  /// The moments at which the price of an edge may change on a walk, including its beginning.
  private func changes(_ entry: Entry, vehicle: Vehicle, from start: Moment) -> [Moment] {
    let minutes = entry.rules.reduce(into: Set<Int>()) {
      $0.formUnion(rules[$1].access.changes(for: vehicle))
    }.sorted()
    var moments = [start]
    for day in 0..<Self.mostDays {
      let midnight = Moment(date: start.date, minute: 0)
        .adding(seconds: Double(day * Moment.minutesPerDay * 60))
      for minute in minutes where day > 0 || minute > start.minute ?? 0 {
        moments.append(Moment(date: midnight.date, minute: minute))
      }
    }
    return moments
  }

  /// The changes of a profile's prices on a day.
  struct Changes: Sendable {
    /// The price of each edge under a rule: the least in each direction on a walk that begins at a
    /// time.
    var prices: [Int64: StoredRule.Price] = [:]
    /// The edges whose price varies.
    var unsteady: Set<Int64> = []
    /// See ``DayCosts/Profile/changesPassage``.
    var changesPassage = false
  }

  /// The changes of a day for a profile of the database.
  func changes(on day: TravelDay, profile: Int) -> Changes {
    var changes = Changes()
    var judged = Judged()
    let start = moment(day)
    for (edge, entry) in entries {
      guard let before = price(ofEdge: edge, profile: profile, at: built, &judged),
        var best = price(ofEdge: edge, profile: profile, at: start, &judged)
      else { continue }
      if day.departureMinute != nil {
        let first = best
        for moment in self.changes(entry, vehicle: vehicle(ofProfile: profile), from: start) {
          guard let price = price(ofEdge: edge, profile: profile, at: moment, &judged) else {
            continue
          }
          if price != first { changes.unsteady.insert(edge) }
          best = best.cheapest(price)
        }
      }
      changes.prices[edge] = best
      if best.cost.isFinite != before.cost.isFinite
        || best.reverseCost.isFinite != before.reverseCost.isFinite
      {
        changes.changesPassage = true
      }
    }
    return changes
  }
}

extension StoredRule.Price {
  /// The lower cost in each direction, with the shorter time.
  fileprivate func cheapest(_ other: Self) -> Self {
    Self(
      cost: min(cost, other.cost), reverseCost: min(reverseCost, other.reverseCost),
      duration: min(duration, other.duration),
      reverseDuration: min(reverseDuration, other.reverseDuration))
  }
}

/// The prices of edges that vary during a walk.
final class TimedPrices: Sendable {
  private let rules: DayRules
  private let profile: Int
  private let start: Moment
  /// The least prices, used for searching the graph.
  private let least: [Int64: StoredRule.Price]

  /// Nil if no price of a profile changes during a walk that begins at a time.
  init?(_ rules: DayRules, profile: Int, on day: TravelDay, _ changes: DayRules.Changes) {
    if changes.unsteady.isEmpty { return nil }
    (self.rules, self.profile) = (rules, profile)
    start = rules.moment(day)
    least = changes.prices.filter { changes.unsteady.contains($0.key) }
  }

  /// The factor over the least cost and time of an edge reached some seconds after the departure:
  /// at least 1, infinite if it is closed then.
  func factors(ofEdge edge: Int64, isReversed: Bool, at seconds: Double) -> (
    cost: Double, time: Double
  ) {
    guard let least = least[edge] else { return (1, 1) }
    var judged = DayRules.Judged()
    let moment = start.adding(seconds: seconds)
    guard let now = rules.price(ofEdge: edge, profile: profile, at: moment, &judged) else {
      return (1, 1)
    }
    func factor(_ now: Double, _ least: Double) -> Double {
      now.isInfinite ? .infinity : least > 0 && least.isFinite ? max(now / least, 1) : 1
    }
    return isReversed
      ? (
        factor(now.reverseCost, least.reverseCost),
        factor(now.reverseDuration, least.reverseDuration)
      ) : (factor(now.cost, least.cost), factor(now.duration, least.duration))
  }

  /// The edges of a route with their costs and times on arrival.
  func prices(of edges: [RoutingEdge], _ mode: RoutingMode) -> [RoutingEdge] {
    var seconds = 0.0
    return edges.map { edge in
      var edge = edge
      let factors = factors(ofEdge: edge.id, isReversed: edge.isReversed, at: seconds)
      if factors.cost.isFinite { edge.cost *= factors.cost }
      if factors.time.isFinite { edge.duration = edge.duration.map { $0 * factors.time } }
      seconds += edge.duration ?? mode.seconds(edge)
      return edge
    }
  }
}

extension DayRules {
  /// Whether a rule is about any profile of the database.
  package func concern(_ rule: AccessRule) -> Bool {
    profiles.contains { rule.concerns($0.vehicle) }
  }

  /// The edges under a rule, ascending.
  package var edges: [Int64] { entries.keys.sorted() }

  /// Whether an edge is under a rule of its way, or of its barrier.
  package func covers(_ edge: Int64, isBarrier: Bool) -> Bool {
    isBarrier ? entries[edge]?.barrier != nil : entries[edge]?.way != nil
  }

  /// The price of an edge by a profile, counted from 0, on the day of the build; nil without a rule.
  package func builtPrice(ofEdge edge: Int64, profile: Int) -> StoredRule.Price? {
    var judged = Judged()
    return price(ofEdge: edge, profile: profile, at: built, &judged)
  }
}
