// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import Foundation
import TestSupport
import Testing

@Suite("Routes on a day")
struct DayRouteTests {
  /// The direct way over B is closed in winter.
  private static let seasons = AsciiMap(
    """
    A--B--C
    |     |
    D-----E
    """, cellMetres: 300,
    ways: [
      .init("ABC", tags: ["highway": "path", "access:conditional": "no @ (Nov-Apr)"]),
      .init("ADEC"),
    ])

  @Test(
    "a way that is closed in winter is taken in summer and avoided in winter, whatever the build's day",
    arguments: [nil, "2026-07-01", "2026-01-15"])
  func seasons(built: String?) throws {
    let map = try RoutedMap(Self.seasons, date: built)
    #expect(try map.route("A", "C", on: "2026-07-01").osmWays == [100])
    #expect(try map.route("A", "C", on: "2026-12-24").osmWays == [101])
    #expect(try map.route("A", "C", on: "2026-12-24T08:00").osmWays == [101])
    #expect(try map.route("A", "C").osmWays == (built == "2026-07-01" ? [100] : [101]))
    let route = try map.route("A", "C", on: "2026-07-01T09:30")
    #expect(route.day?.description == "2026-07-01T09:30")
    #expect(try map.route("A", "C").day == nil)
  }

  @Test(
    "where a rule opens what was closed, it costs and takes what it does in a build of that day")
  func prices() throws {
    let winter = try RoutedMap(Self.seasons, date: "2026-01-15")
    let summer = try RoutedMap(Self.seasons, date: "2026-07-15")
    for mode in RoutingMode.allCases {
      var route = try winter.route("A", "C", mode: mode, on: "2026-07-15")
      route.day = nil
      #expect(try route == summer.route("A", "C", mode: mode))
    }
  }

  /// A way of 3 km and a gate at B, which is open until 18:00; D is a long way round.
  private static func gated(_ nodeTags: [Character: [String: String]], _ tags: [String: String])
    -> AsciiMap
  {
    AsciiMap(
      """
      A---B---C
       \\     /
        D---E
      """, cellMetres: 500,
      ways: [
        .init("AB"), .init("BC", tags: ["highway": "path"].merging(tags) { $1 }), .init("ADEC"),
      ], nodeTags: nodeTags)
  }

  @Test(
    "a gate that closes at 18:00 is passed at 17:50, and at 18:10 it is not",
    arguments: [true, false])
  func gate(isNode: Bool) throws {
    let hours = ["opening_hours": "08:00-18:00"]
    let map = try RoutedMap(
      isNode
        ? Self.gated(["B": hours.merging(["barrier": "gate"]) { $1 }], [:])
        : Self.gated([:], hours), date: "2026-07-01")
    let minutes = Int((try map.route("A", "B").estimatedDuration / 60).rounded(.down))
    func ways(arrivingAt minute: Int) throws -> [Int64] {
      let day = TravelDay(
        try #require(CalendarDate("2026-07-01")), departureMinute: minute - minutes)
      return try map.route("A", "C", on: day.description).osmWays
    }
    #expect(try map.route("A", "C", on: "2026-07-01").osmWays == [100, 101])
    #expect(try ways(arrivingAt: 17 * 60 + 50) == [100, 101])
    #expect(try ways(arrivingAt: 18 * 60 + 10) == [102])
    #expect(try ways(arrivingAt: 7 * 60) == [102])
    #expect(try ways(arrivingAt: 8 * 60 + 5) == [100, 101])
  }

  @Test("a dearer way that is sooner is taken where the gate behind it is about to close")
  func hurry() throws {
    // The cheap way over D takes longer: its grade makes a way dear, and does not slow it down.
    let map = try RoutedMap(
      AsciiMap(
        """
        A----B--C
        |    |
        D----E
        """, cellMetres: 500,
        ways: [
          .init("AB", tags: ["highway": "path", "sac_scale": "alpine_hiking"]),
          .init("ADEB", tags: ["highway": "path"]),
          .init("BC", tags: ["highway": "path", "opening_hours": "08:00-18:00"]),
        ]), profiles: ["hiking"], date: "2026-07-01")
    let long = try map.route("A", "B", on: "2026-07-01")
    #expect(long.osmWays == [101])
    let departure = 18 * 60 - Int(long.estimatedDuration / 60) + 5
    let day = TravelDay(try #require(CalendarDate("2026-07-01")), departureMinute: departure)
    #expect(try map.route("A", "C", on: day.description).osmWays == [100, 102])
    #expect(try map.route("A", "C", on: "2026-07-01T09:00").osmWays == [101, 102])
  }

  @Test("the time of arrival goes on at via points, over midnight, and inside edges")
  func viaAndMidnight() throws {
    let map = try RoutedMap(
      AsciiMap(
        "A---B---C---D", cellMetres: 1000,
        ways: [
          .init("ABC"),
          .init(
            "CD", tags: ["highway": "path", "access:conditional": "no @ (Jul 02 00:00-24:00)"]),
        ]), date: "2026-06-01")
    let seconds = try map.route("A", "C").estimatedDuration
    let minutes = Int(seconds / 60)
    func isOpen(_ departure: Int, via: String) throws -> Bool {
      let day = TravelDay(try #require(CalendarDate("2026-07-01")), departureMinute: departure)
      do {
        _ = try map.route("A", "D", via: via, on: day.description)
        return true
      } catch let error as RoutingError {
        guard case .noRouteFound = error else { throw error }
        return false
      }
    }
    for via in ["", "B", "BC"] {
      #expect(try isOpen(24 * 60 - minutes - 10, via: via))
      #expect(try !isOpen(24 * 60 - minutes + 10, via: via))
    }
    // From inside the edge itself, and to a point inside it.
    let (inside, further) = (
      try map.point("C", east: 1000), try map.point("C", east: 2000)
    )
    func find(_ from: Coordinate, _ to: Coordinate, _ day: String) throws -> ComputedRoute {
      try map.engine.findRoute(from: from, to: to, on: TravelDay(day))
    }
    #expect(try find(inside, further, "2026-07-01T12:00").totalDistance > 900)
    #expect(throws: RoutingError.self) { try find(inside, further, "2026-07-02T12:00") }
    #expect(throws: RoutingError.self) {
      try find(map.map.coordinate("A"), inside, "2026-07-02T12:00")
    }
  }

  @Test("what nobody can read stays closed on every day, and what may be snowed up too")
  func unreadable() throws {
    let map = try RoutedMap(
      AsciiMap(
        """
        A--B--C
        |     |
        D-----E
        """,
        ways: [
          .init("AB", tags: ["highway": "path", "access:conditional": "no @ (as posted)"]),
          .init("BC", tags: ["highway": "path", "access:conditional": "no @ snow"]),
          .init("ADEC"),
        ]))
    for day in ["2026-07-01", "2026-12-24T12:00"] {
      #expect(try map.route("A", "C", on: day).osmWays == [102])
    }
  }

  @Test(
    "barriers open and close with the day, whichever it was built for",
    arguments: [
      "2026-07-01", "2026-01-15",
    ])
  func barriers(built: String) throws {
    let map = try RoutedMap(
      AsciiMap(
        """
        A--B--C
        |     |
        D-----E
        """, cellMetres: 300, ways: [.init("ABC"), .init("ADEC")],
        nodeTags: ["B": ["barrier": "gate", "access:conditional": "no @ (Nov-Apr)"]]),
      date: built)
    for _ in 0..<2 {
      #expect(try map.route("A", "C", on: "2026-07-10").osmWays == [100])
      #expect(try map.route("A", "C", on: "2026-01-10").osmWays == [101])
    }
  }

  @Test(
    "a gate that is open at times is said on every day",
    arguments: [
      ["access:conditional": "no @ (Nov-Apr)"], ["opening_hours": "08:00-18:00"],
      ["foot:conditional": "no @ (22:00-06:00)"], ["seasonal": "summer"],
    ])
  func gateWarning(tags: [String: String]) throws {
    let gate = ["barrier": "gate"].merging(tags) { $1 }
    let map = try RoutedMap(Self.gated(["B": gate], [:]), date: "2026-01-15")
    let node = try #require(AsciiMap.nodeID("B"))
    for day in ["2026-07-01", "2026-07-01T09:00"] {
      let route = try map.route("A", "C", on: day)
      #expect(route.osmWays == [100, 101])
      let warning = try #require(route.warnings.first)
      #expect(route.warnings.count == 1)
      #expect(warning.kind == (tags["seasonal"] == nil ? .conditional : .seasonal))
      #expect(warning.osm == "node/\(node)")
      #expect(tags.map { "\($0.key)=\($0.value)" } == [warning.tag])
      #expect(warning.fromMetres == route.edges[0].distance)
      #expect(warning.toMetres == warning.fromMetres)
    }
  }

  @Test("a gate, a way and a ferry that are closed then are named with their times")
  func namedTimes() throws {
    let hours = ["opening_hours": "Jun-Sep 08:00-18:00"]
    func text(_ way: [String: String], _ nodes: [Character: [String: String]], _ day: String)
      throws -> String
    {
      let map = try RoutedMap(
        AsciiMap(
          "A---B---C---D", cellMetres: 300,
          ways: [.init("AB"), .init("BC", tags: way), .init("CD")], nodeTags: nodes),
        date: "2026-07-01")
      let error = #expect(throws: RoutingError.self) { try map.route("A", "D", on: day) }
      return try #require(error).description
    }
    let gate = ["barrier": "gate"].merging(hours) { $1 }
    let path = ["highway": "path"]
    for day in ["2026-12-24", "2026-07-01T20:00"] {
      let node = try #require(AsciiMap.nodeID("B"))
      #expect(
        try text(path, ["B": gate], day).hasSuffix(
          "a gate, node \(node): open at its hours only (opening_hours=Jun-Sep 08:00-18:00)"))
      #expect(
        try text(path.merging(hours) { $1 }, [:], day).hasSuffix(
          "way 101 is closed to walkers: open at its hours only (opening_hours=Jun-Sep 08:00-18:00)"
        ))
      #expect(
        try text(["route": "ferry"].merging(hours) { $1 }, [:], day).hasSuffix(
          "way 101 is closed to walkers: ferry, at its hours only "
            + "(opening_hours=Jun-Sep 08:00-18:00)"))
    }
    #expect(
      try text(["route": "ferry", "foot": "no"], [:], "2026-12-24").hasSuffix(
        "way 101 is closed to walkers"))
  }

  @Test("islands are those of the day", arguments: ["2026-07-01", "2026-01-15"])
  func islands(built: String) throws {
    // In winter B-C is cut off from the network, and a point beside it starts on the network.
    let drawing = AsciiMap(
      """
      A---------B---C

      D-------------E-------------------------------------------F
      """, cellMetres: 20,
      ways: [
        .init("AB", tags: ["highway": "path", "seasonal": "summer"]), .init("BC"), .init("AD"),
        .init("DEF"),
      ])
    let map = try RoutedMap(drawing, date: built)
    let other = try RoutedMap(drawing, date: built == "2026-07-01" ? "2026-01-15" : "2026-07-01")
    for (from, to) in [("C", "F"), ("B", "E"), ("A", "C"), ("B", "C")] as [(Character, Character)] {
      for day in ["2026-01-15", "2026-07-01"] {
        let sameDay = day == built ? map : other
        var route = try map.route(from, to, on: day)
        route.day = nil
        #expect(try route == sameDay.route(from, to), "\(from) to \(to) on \(day)")
      }
    }
  }

  @Test("isochrones and alternatives are those of the day")
  func explore() throws {
    let winter = try RoutedMap(Self.seasons, date: "2026-01-15")
    let summer = try RoutedMap(Self.seasons, date: "2026-07-15")
    let day = try #require(TravelDay("2026-07-15"))
    let start = try winter.map.coordinate("A")
    let end = try winter.map.coordinate("C")
    for engine in [winter.engine.paged, winter.engine.memory] {
      let shown = try engine.on(day)
      #expect(
        try shown.isochrones(from: start, limitsSeconds: [300])
          == summer.engine.memory.isochrones(from: start, limitsSeconds: [300]))
      #expect(
        try shown.findAlternatives(from: start, to: end, count: 2).map(\.letters)
          == summer.engine.memory.findAlternatives(from: start, to: end, count: 2).map(\.letters))
    }
  }

  @Test("an isochrone ends at a gate that is closed when one comes to it")
  func timedIsochrone() throws {
    let map = try RoutedMap(
      Self.gated([:], ["opening_hours": "08:00-18:00"]), date: "2026-07-01")
    let start = try map.map.coordinate("A")
    func reaches(_ day: String) throws -> Double {
      let day = try #require(TravelDay(day))
      let found = try map.engine.paged.on(day).isochrones(from: start, limitsSeconds: [3000])
      #expect(
        try found == map.engine.memory.on(day).isochrones(from: start, limitsSeconds: [3000]))
      return found[0].totalDistance
    }
    #expect(try reaches("2026-07-01T17:55") < reaches("2026-07-01T12:00"))
    #expect(try reaches("2026-07-01T12:00") == reaches("2026-07-01"))
  }

  @Test("a route names the stretches that some day closes, with their tags")
  func rules() throws {
    let map = try RoutedMap(
      AsciiMap(
        "A---B---C---D---E", cellMetres: 500,
        ways: [
          .init("AB", tags: ["highway": "path", "seasonal": "summer"]),
          .init("BC", tags: ["highway": "path", "foot:conditional": "yes @ (Nov-Apr)"]),
          .init("CD"),
          .init("DE", tags: ["highway": "path", "opening_hours": "Mo-Su 08:00-18:00; PH off"]),
        ],
        nodeTags: ["C": ["barrier": "gate", "access:conditional": "no @ (22:00-06:00)"]]),
      profiles: ["hiking"], date: "2026-07-01")
    for engine in [map.engine.paged, map.engine.memory] {
      let route = try engine.findRoute(
        from: map.map.coordinate("A"), to: map.map.coordinate("E"), on: TravelDay("2026-07-01"))
      let rules = try engine.rules(on: route)
      #expect(
        rules.map(\.tags) == [
          ["seasonal=summer"], ["foot:conditional=yes @ (Nov-Apr)"],
          ["access:conditional=no @ (22:00-06:00)"], ["opening_hours=Mo-Su 08:00-18:00; PH off"],
        ])
      #expect(rules.map(\.mayClose) == [true, false, true, true])
      #expect(rules.map(\.isCertain) == [true, true, true, false])
      #expect(rules.map(\.osmWayID) == [100, 101, nil, 103])
      #expect(rules.map(\.barrierNode) == [nil, nil, 3, nil])
      #expect(rules.map(\.isReadable) == [true, true, true, true])
      #expect(rules[0].fromMetres == 0)
      #expect(abs(rules[3].toMetres - route.totalDistance) < 1)
      // On other days, too.
      let plain = try engine.findRoute(
        from: map.map.coordinate("A"), to: map.map.coordinate("E"))
      #expect(try engine.rules(on: plain).map(\.tags) == rules.map(\.tags))
    }
  }

  @Test("a database without rules refuses a day, and routes without one as ever")
  func withoutRules() throws {
    let map = try RoutedMap(Self.seasons, date: "2026-07-01")
    let folder = try TemporaryFolder()
    let path = folder.file("old.routing.db")
    try Data(contentsOf: URL(filePath: map.store.path)).write(to: URL(filePath: path))
    try changeDatabase(path, ["DROP TABLE routing_rules", "PRAGMA user_version = 3"])
    let store = RoutingStore(path: path)
    try store.open()
    let (start, end) = (try map.map.coordinate("A"), try map.map.coordinate("C"))
    for engine in [RoutingEngine(store: store), try .inMemory(store)] {
      #expect(throws: RoutingError.rulesNotAvailable("2026-12-24")) {
        try engine.findRoute(from: start, to: end, on: TravelDay("2026-12-24"))
      }
      let route = try engine.findRoute(from: start, to: end)
      #expect(route.osmWays == [100])
      #expect(try engine.rules(on: route).isEmpty)
    }
  }

  @Test("days are read as they are written, and nothing else is")
  func days() {
    for text in ["2026-12-24", "2026-12-24T08:00", "2024-02-29T23:59", "2026-01-01T00:00"] {
      #expect(TravelDay(text)?.description == text)
    }
    let wrong = [
      "", "T", "2026-12-24T", "T08:00", "2026-12-24T24:00", "2026-12-24T8:00", "2026-12-24T08:60",
      "2026-12-24 08:00", "2026-12-24T08:00Z", "2026-12-24T08:00:00", "2026-02-30",
      "2026-12-24T-8:00",
      "2026-12-24T08:00T", "2026-12-24T٠٨:٠٠",
    ]
    for text in wrong { #expect(TravelDay(text) == nil, "\(text)") }
  }
}

extension ComputedRoute {
  /// The ids of its ways, each once in a row.
  fileprivate var osmWays: [Int64] {
    edges.compactMap(\.osmWayID).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }
}
