// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules
import TestSupport
import Testing

@testable import CairnRouting

/// A database that was built on any day answers for any day as one that was built on that day: on a
/// made map whose ways and gates have 40 rules, for 60 days.
@Suite("Every day from one database")
struct EveryDayTests {
  /// Tags with rules, for ways or gates.
  private static let rules: [[String: String]] = [
    ["access:conditional": "no @ (Nov-Apr)"], ["foot:conditional": "no @ (Dec 24-Jan 06)"],
    ["seasonal": "summer"], ["seasonal": "winter"], ["seasonal": "yes"], ["seasonal": "May-Oct"],
    ["opening_hours": "Jun Su[-1]-Sep Su[1]"], ["opening_hours": "Apr Sa[1]-Oct Su[-1]"],
    ["opening_hours": "Mo-Fr 08:00-18:00"], ["opening_hours": "Sa,Su 10:00-16:00"],
    ["opening_hours": "Mar-Oct: 10:00-18:00; Nov-Feb: 14:00-16:00"],
    ["opening_hours": "sunrise-sunset"], ["opening_hours": "24/7; Dec 25 off"],
    ["opening_hours": "week 20-40/2"], ["opening_hours": "easter -2 days-Oct"],
    ["opening_hours": "PH off; Mo-Su 09:00-17:00"], ["opening_hours": "SH off; Jul-Aug"],
    ["access:conditional": "no @ (Sep 01-Jan 31 Su,Th)"],
    ["access:conditional": "private @ (Oct-Mar); destination @ (Apr-Jun)"],
    ["foot:conditional": "use_sidepath @ (Nov-Apr)"], ["bicycle:conditional": "no @ (May-Sep)"],
    ["bicycle:conditional": "dismount @ (Sa,Su)"],
    ["vehicle:conditional": "no @ (2026 Mar-2026 May)"],
    ["oneway": "yes", "oneway:conditional": "no @ (Nov-Apr)"],
    ["oneway:bicycle:conditional": "yes @ (Jun-Aug)"], ["oneway:foot:conditional": "yes @ (Jul)"],
    ["access:forward:conditional": "no @ (Nov-Feb)"],
    ["foot:backward:conditional": "no @ (Jul-Aug)"],
    ["access:conditional": "no @ snow"], ["access:conditional": "no @ (Dec-Mar AND snow)"],
    ["access:conditional": "no @ (when it is wet)"],
    ["access": "no", "foot:conditional": "yes @ (May-Oct)"],
    ["access:conditional": "no @ (22:00-06:00)"], ["access:conditional": "no @ (10:00-14:00)"],
    ["foot": "yes", "access:conditional": "no @ (Nov-Apr)"],
    ["access:conditional": "yes @ (Jan-Jun); no @ (Mar); permissive @ (Mo)"],
    ["winter_road": "yes"], ["ice_road": "yes"],
    ["access": "private", "access:conditional": "yes @ (Sa[1],Su[-1])"],
    ["access:conditional": "no @ (Nov-Feb 28)"],
  ]

  /// The days: about every sixth of a year that has no 29th of February, and some of one that has.
  private static func days() -> [String] {
    var days: [String] = []
    for month in 1...12 {
      for day in [2, 8, 15, 22] { days.append(text(2026, month, day)) }
    }
    return days + [
      "2026-12-24", "2026-12-31", "2028-02-28", "2028-02-29", "2028-03-01", "2026-06-28",
      "2026-09-06",
      "2026-10-25", "2026-04-03", "2026-04-05", "2026-07-04", "2026-01-06",
    ]
  }

  private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    CalendarDate(year: year, month: month, day: day)?.description ?? ""
  }

  private static let rows = 7
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw")

  /// A grid of seven by seven nodes; each of the ways between two neighbours has a rule in turn, or
  /// none, and so has each third node as a gate. There are steep ways, a ferry, and kinds of all sorts.
  private static func map() -> AsciiMap {
    var drawing = ""
    var ways: [AsciiMap.Way] = []
    var gates: [Character: [String: String]] = [:]
    var elevations: [Character: Float] = [:]
    for row in 0..<rows {
      for column in 0..<rows {
        let index = row * rows + column
        let letter = letters[index]
        drawing += "\(letter)-"
        elevations[letter] = Float(index * 37 % 90)
        if index % 3 == 1 {
          gates[letter] = ["barrier": index % 2 == 0 ? "gate" : "kissing_gate"]
            .merging(index % 6 == 1 ? [:] : rules[index * 7 % rules.count]) { $1 }
        }
        for other in [column + 1 < rows ? index + 1 : nil, row + 1 < rows ? index + rows : nil] {
          guard let other else { continue }
          let kind = ways.count
          var tags = ["highway": ["path", "track", "footway", "residential"][kind % 4]]
          if kind % 5 == 0 { tags["surface"] = "gravel" }
          if kind % 17 == 3 { tags = ["route": "ferry", "duration": "00:05"] }
          // Every second way or so has a rule.
          if kind % 9 < 5 { tags.merge(rules[kind * 5 / 9 % rules.count]) { $1 } }
          ways.append(.init("\(letter)\(letters[other])", tags: tags))
        }
      }
      drawing += "\n"
    }
    return AsciiMap(drawing, cellMetres: 150, ways: ways, nodeTags: gates, elevations: elevations)
  }

  private static let profiles = ["hiking", "cycling", "trail-hiking"]

  /// A database for a day, of one graph.
  private static func store(_ folder: TemporaryFolder, _ date: String) throws -> RoutingStore {
    let store = RoutingStore(
      path: try map().routingDatabase(
        in: folder, name: "\(date).routing.db", profiles: profiles, date: date))
    try store.open()
    return store
  }

  @Test("costs, times, islands and routes are those of a build of the day")
  func everyDay() throws {
    #expect(Self.rules.count == 40 && Set(Self.days()).count == 60)
    let folder = try TemporaryFolder()
    let bases = try ["2026-01-10", "2026-07-10"].map { try Self.store(folder, $0) }
    let rules = try bases.map { try #require(try DayRules(reading: $0)) }
    let engines = try bases.map { [RoutingEngine(store: $0), try .inMemory($0)] }
    var (differing, other) = (0, 0)
    for date in Self.days() {
      let built = try Self.store(folder, date)
      defer { built.close() }
      let day = try #require(TravelDay(date))
      for (base, rules) in zip(bases, rules) {
        let (shown, _) = try base.onDay(day, rules)
        defer { shown.close() }
        differing += try compare(shown, built, date)
        other += try compare(base, built, nil)
      }
      let expected = try RoutingEngine.inMemory(built)
      for engine in engines.joined() { try compareRoutes(engine, expected, day) }
    }
    #expect(differing == 0)
    // The days do make a difference.
    #expect(other > 1000)
  }

  /// How many edges and nodes differ between two databases; with a date, each is an issue.
  private func compare(_ one: RoutingStore, _ other: RoutingStore, _ date: String?) throws -> Int {
    var differing = 0
    let metadata = (try one.metadata(), try other.metadata())
    #expect(metadata.0["edge_count"] == metadata.1["edge_count"])
    #expect(metadata.0["node_count"] == metadata.1["node_count"])
    let count = try #require(metadata.0["edge_count"].flatMap { Int64($0) })
    for profile in Self.profiles.map({ Optional($0) }) + [nil] {
      for id in 1...count {
        let edges = (try one.getEdge(id, profile: profile), try other.getEdge(id, profile: profile))
        if edges.0 == edges.1 { continue }
        differing += 1
        if let date { #expect(edges.0 == edges.1, "\(date), \(profile ?? "core")") }
      }
      let islands = try [one, other].map { store in
        try store.islandNodes(profile: profile).map { "\($0.node) \($0.island.id)" }
      }
      if let date { #expect(islands[0] == islands[1], "\(date), \(profile ?? "core")") }
    }
    return differing
  }

  private func compareRoutes(_ engine: RoutingEngine, _ expected: RoutingEngine, _ day: TravelDay)
    throws
  {
    var random = SeededGenerator(seed: UInt64(day.date.month * 31 + day.date.day))
    let map = Self.map()
    for profile in Self.profiles {
      for _ in 0..<4 {
        let ends = try (0..<2).map { _ in
          try map.coordinate(Self.letters.randomElement(using: &random) ?? "A")
        }
        func find(_ engine: RoutingEngine, _ day: TravelDay?) -> String {
          do throws(RoutingError) {
            var shown = engine
            if let day { shown = try engine.on(day) }
            var route = try shown.findRoute(from: ends[0], to: ends[1], profile: profile)
            route.day = nil
            return "\(route)"
          } catch { return "\(error)" }
        }
        #expect(find(engine, day) == find(expected, nil), "\(day), \(profile), \(ends)")
      }
    }
  }

  @Test("no route of a departure enters what is closed when it comes there")
  func arrivals() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder, "2026-07-10")
    let engines = [RoutingEngine(store: store), try .inMemory(store)]
    var random = SeededGenerator(seed: 7)
    let map = Self.map()
    var (found, timed) = (0, 0)
    for _ in 0..<80 {
      let month = Int.random(in: 1...12, using: &random)
      let date = try #require(
        CalendarDate(year: 2026, month: month, day: Int.random(in: 1...28, using: &random)))
      let minute = Int.random(in: 0..<1440, using: &random)
      let ends = try (0..<2).map { _ in
        try map.coordinate(Self.letters.randomElement(using: &random) ?? "A")
      }
      let day = TravelDay(date, departureMinute: minute)
      let mode = RoutingMode.allCases[Int.random(in: 0...1, using: &random)]
      let routes = engines.map { engine -> ComputedRoute? in
        do throws(RoutingError) {
          return try engine.findRoute(from: ends[0], to: ends[1], mode: mode, on: day)
        } catch { return nil }
      }
      #expect(routes[0] == routes[1], "\(day), \(mode), \(ends)")
      guard let route = routes[0] else { continue }
      found += 1
      var seconds = 0.0
      for edge in route.edges {
        let moment = Moment(date: date, minute: minute).adding(seconds: seconds)
        let tags = try #require(try store.tags(ofEdge: edge.id))
        if try !isOpen(edge, tags, mode, at: moment) {
          Issue.record("\(day): \(edge) at \(moment)")
        }
        if AccessRule(tags.way, isBarrier: false) != nil { timed += 1 }
        seconds += edge.duration ?? 0
      }
    }
    #expect(found > 30 && timed > 30, "\(found) routes, \(timed) edges")
  }

  /// Whether an edge is open in the direction of travel at a moment, by its tags.
  private func isOpen(
    _ edge: RoutingEdge, _ tags: EdgeTags, _ mode: RoutingMode, at moment: Moment
  ) throws -> Bool {
    let vehicle: Vehicle = mode == .cycling ? .bicycle : .foot
    // The profiles of this test open what bicycles are pushed on.
    func isPassable(_ kind: AccessClass) -> Bool {
      kind.isPassable(for: vehicle) || kind == .dismount
    }
    if let barrier = tags.barrier, let rule = AccessRule(barrier, isBarrier: true),
      !isPassable(rule.access(for: vehicle, at: moment).forwardClass)
    {
      return false
    }
    guard let rule = AccessRule(tags.way, isBarrier: false) else { return true }
    let access = rule.access(for: vehicle, at: moment)
    return isPassable(edge.isReversed ? access.backwardClass : access.forwardClass)
  }
}
