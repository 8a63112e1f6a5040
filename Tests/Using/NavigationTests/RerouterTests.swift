// SPDX-License-Identifier: Apache-2.0
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("A new route where one was left")
struct RerouterTests {
  /// Two parallel ways from A to C, of which the one by E is longer.
  private static let drawing = AsciiMap(
    """
    A-------B-------C
            |       |
            |       |
            D-------E
            |
            |
            F
    """,
    ways: [
      .init("ABC", tags: ["highway": "path", "name": "Höhenweg"]),
      .init("BD", tags: ["highway": "path", "name": "Stichweg"]),
      .init("DE", tags: ["highway": "path", "name": "Talweg"]),
      .init("EC", tags: ["highway": "path", "name": "Querweg"]), .init("DF"),
    ])

  private func walked(
    _ map: NavigatedMap, _ route: PlannedRoute, _ letters: String,
    _ configure: (inout NavigationConfig) -> Void = { _ in }
  ) async throws -> (engine: NavigationEngine, log: NavigationLog) {
    var config = NavigationConfig()
    configure(&config)
    let engine = NavigationEngine(planner: map.planner, config: config)
    try engine.startNavigation(route: route)
    return (engine, await engine.follow(try map.walk(letters)))
  }

  @Test("whoever goes on along another way is led on from there, under the same name")
  func onAnotherWay() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
                D-------E
        """, ways: [.init("ABC"), .init("BD"), .init("DE"), .init("EC")]))
    let route = try map.route("A", "C")
    #expect(try map.letters(of: route) == "ABC")
    // Beyond D the way by E is the shorter one.
    let (engine, log) = try await walked(map, route, "ABDEC") {
      $0.rerouting.offRouteSeconds = 90
    }
    #expect(log.kinds.contains(.offRoute))
    guard case .found(let other) = log.reroutes.first else {
      Issue.record("\(log.reroutes)")
      return
    }
    #expect(log.reroutes.count == 1)
    #expect(other.name == route.name)
    #expect(other.mode == route.mode)
    #expect(other.profile == route.profile)
    #expect(other.id != route.id)
    #expect(try map.letters(of: other) == "EC")
    #expect(other.turnInstructions.map(\.direction) == [.start, .arrive])
    #expect(try haversineDistance(other.endCoordinate, map.point("C")) < 1)
    // The alarm came within a minute of B, 640 s after the start.
    let time = try #require(log.rerouteTimes.first)
    #expect(time > 640 + 90 && time < 640 + 150, "\(time)")
    #expect(engine.navigationState == .arrived)
    #expect(engine.currentRoute == other)
  }

  @Test("whoever comes back in time is not given another route")
  func backInTime() async throws {
    let map = try NavigatedMap(Self.drawing)
    var config = NavigationConfig()
    config.rerouting.offRouteSeconds = 70
    let engine = NavigationEngine(planner: map.planner, config: config)
    try engine.startNavigation(route: map.route("A", "C"))
    var line = [try map.point("A"), try map.point("B"), try map.point("B", north: -60)]
    line += [try map.point("B"), try map.point("C")]
    let log = await engine.follow(fixes(along: line))
    #expect(log.kinds.contains(.offRoute) && log.kinds.contains(.backOnRoute))
    #expect(log.reroutes.isEmpty)
    #expect(engine.navigationState == .arrived)
  }

  @Test("a walker who comes back while the search runs keeps the route")
  func backMeanwhile() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    let engine = NavigationEngine(planner: map.planner)
    try engine.startNavigation(route: route)
    var isDue = false
    let fixesAway = fixes(
      along: [try map.point("A"), try map.point("B"), try map.point("D")])
    var last = 0.0
    for fix in fixesAway where !isDue {
      isDue = engine.updateProgress(location: fix).isRerouteDue
      last = fix.timestamp.timeIntervalSince(start)
    }
    #expect(isDue)
    // The request is there, but nobody asked for the result before the walker was back.
    let back = fixes(
      along: [try map.point("B", north: -120), try map.point("B"), try map.point("B", east: 200)],
      from: last + 2)
    for fix in back { engine.updateProgress(location: fix) }
    #expect(!engine.guidance.isOffRoute)
    #expect(await engine.reroute() == nil)
    #expect(engine.currentRoute == route)
  }

  @Test("a new route that leads straight back says so")
  func turningBack() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    // A dead end: from F all ways lead back.
    let (_, log) = try await walked(map, route, "ABDF") { $0.rerouting.offRouteSeconds = 320 }
    let other = try #require(log.reroutes.first?.route)
    #expect(
      other.turnInstructions.first?.description.hasPrefix("Turn back and head north") == true,
      "\(other.turnInstructions)")
  }

  @Test("via points that were passed are left out, and the others are kept")
  func viaPoints() async throws {
    let map = try NavigatedMap(Self.drawing)
    // By F and E: at B down to F, back to D, and on.
    let route = try map.route("A", "C", via: "FE")
    #expect(try map.letters(of: route) == "ABDFDEC")
    // Straight on at B, without having been in F.
    let (_, log) = try await walked(map, route, "ABC")
    let other = try #require(log.reroutes.first?.route)
    #expect(other.viaPoints == route.viaPoints)
    // By F, and then back to B and on to C without E.
    let (_, later) = try await walked(map, route, "ABDFDBC")
    let last = try #require(later.reroutes.first?.route)
    #expect(last.viaPoints == [route.viaPoints[1]])
    var old = route
    old.viaDistances = nil
    let (_, same) = try await walked(map, old, "ABDFDBC")
    #expect(same.reroutes.first?.route?.viaPoints == [route.viaPoints[1]])
  }

  @Test("a route through absurdly many via points is led to its end")
  func tooManyViaPoints() async throws {
    let map = try NavigatedMap(Self.drawing)
    var route = try map.route("A", "C", via: "E")
    route.viaPoints = Array(repeating: route.viaPoints[0], count: Rerouter.mostViaPoints + 1)
    route.viaDistances = nil
    let (_, log) = try await walked(map, route, "ABDF")
    #expect(log.reroutes.first?.route?.viaPoints == [])
  }

  @Test("far from all ways a larger radius is tried")
  func largerRadius() throws {
    let map = try NavigatedMap(Self.drawing)
    let request = RerouteRequest(
      original: try map.route("A", "C"), destination: try map.point("C"), via: [],
      start: try map.point("C", east: 800), course: nil, time: start)
    guard case .foundWithRadius(let route, let radius) = request.result(map.planner) else {
      Issue.record("\(request.result(map.planner))")
      return
    }
    #expect(radius == 1000)
    #expect(try haversineDistance(route.endCoordinate, map.point("C")) < 1)
  }

  @Test("where no route leads to the destination, one leads to the nearest place, and says how far")
  func nearestReachable() throws {
    let map = try NavigatedMap(
      AsciiMap("A---B-----------C---D", ways: [.init("AB"), .init("CD")]))
    let request = RerouteRequest(
      original: try map.route("C", "D"), destination: try map.point("D"),
      via: [try map.point("C")], start: try map.point("A"), course: nil, time: start)
    var config = ReroutingConfig()
    config.radiiMetres = [500]
    guard
      case .toNearestReachable(let route, let place, let metres) = request.result(
        map.planner, config: config)
    else {
      Issue.record("\(request.result(map.planner, config: config))")
      return
    }
    #expect(try haversineDistance(place, map.point("B")) < 1)
    #expect(abs(metres - 1600) < 2)
    #expect(route.endCoordinate == place)
    #expect(route.viaPoints.isEmpty)
  }

  @Test("where there is nothing, the reason is given")
  func nothing() throws {
    let map = try NavigatedMap(Self.drawing)
    let request = RerouteRequest(
      original: try map.route("A", "C"), destination: try map.point("C"), via: [],
      start: try map.point("A", north: 40_000), course: nil, time: start)
    guard case .none(let reason) = request.result(map.planner) else {
      Issue.record("found something")
      return
    }
    #expect(reason.hasPrefix("No open path or road lies within 500 m"))
    map.store.close()
    #expect(request.result(map.planner) == .none(reason: "The routing database is not open."))
    var config = ReroutingConfig()
    config.radiiMetres = []
    #expect(request.result(map.planner, config: config).route == nil)
  }

  @Test("another route follows only after the least time between two")
  func flapping() async throws {
    let map = try NavigatedMap(Self.drawing)
    let engine = NavigationEngine(planner: ToldPlanner.failing(.databaseNotOpen))
    try engine.startNavigation(route: map.route("A", "C"))
    let log = await engine.follow(try map.walk("ABDF"))
    #expect(log.reroutes.count > 1)
    let pauses = zip(log.rerouteTimes, log.rerouteTimes.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 >= ReroutingConfig().minimumIntervalSeconds }, "\(pauses)")
    #expect(log.reroutes.allSatisfy { $0.route == nil })
  }

  @Test("an inaccurate fix is no start for a route")
  func inaccurate() async throws {
    let map = try NavigatedMap(Self.drawing)
    let engine = NavigationEngine(planner: map.planner)
    try engine.startNavigation(route: map.route("A", "C"))
    let walk = try map.walk("ABDF").map { fix in
      var fix = fix
      fix.horizontalAccuracy = 70
      return fix
    }
    let log = await engine.follow(walk)
    #expect(log.reroutes.isEmpty)
  }

  @Test("after several routes the destination is still the first one's")
  func destination() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    let (engine, log) = try await walked(map, route, "ABDFDBA")
    #expect(log.reroutes.count >= 1)
    for other in log.reroutes.compactMap(\.route) {
      #expect(other.endCoordinate == route.endCoordinate)
    }
    #expect(engine.currentRoute?.name == route.name)
  }

  /// A route from A to C, and a long way that leads off it at B and, with a loop, to C.
  private static let longWay = AsciiMap(
    """
    A-------B-------C
            |       |
            |       |
            |       |
            |       |
            |       |
            D-------E
            |
            |
            |
            F
    """, ways: [.init("ABC"), .init("BD"), .init("DE"), .init("EC"), .init("DF")])

  @Test("who goes on is told once to turn back, then is led on along the way that they follow")
  func keepsTheWay() async throws {
    let map = try NavigatedMap(Self.longWay)
    let (engine, log) = try await walked(map, try map.route("A", "C"), "ABDEC")
    let first = try #require(log.reroutes.first?.route)
    #expect(first.turnInstructions.first?.description.hasPrefix("Turn back") == true)
    let second = try #require(log.reroutes.dropFirst().first?.route)
    #expect(second.turnInstructions.first?.description.hasPrefix("Turn back") == false)
    #expect(try map.letters(of: second) == "DEC")
    #expect(second.viaPoints.isEmpty && second.viaDistances == nil)
    // That one is followed to its end.
    #expect(log.reroutes.count == 2)
    #expect(engine.navigationState == .arrived)
  }

  @Test("where going on takes as long as turning back, nobody is told to turn back")
  func asGood() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
                |       |
                D-------E
        """, cellMetres: 50, ways: [.init("ABC"), .init("BD"), .init("DE"), .init("EC")]))
    let (_, log) = try await walked(map, try map.route("A", "C"), "ABDEC") {
      $0.rerouting.aheadPreferred.share = 0.3
    }
    let route = try #require(log.reroutes.first?.route)
    #expect(route.turnInstructions.first?.description.hasPrefix("Turn back") == false)
    #expect(log.reroutes.count == 1)
  }

  @Test("on a dead end the way back is offered once, and ever more rarely looked for")
  func ignored() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        "A-------B-------C\n" + String(repeating: "        |\n", count: 40) + "        D",
        ways: [.init("ABC"), .init("BD")]))
    // Four kilometres into a side valley, for almost an hour.
    let (engine, log) = try await walked(map, try map.route("A", "C"), "ABD")
    let offers = log.reroutes.compactMap(\.route)
    #expect(offers.count == 1)
    #expect(offers.first?.turnInstructions.first?.description.hasPrefix("Turn back") == true)
    #expect(
      log.reroutes.dropFirst().allSatisfy { if case .leadsBack = $0 { true } else { false } })
    let pauses = zip(log.rerouteTimes, log.rerouteTimes.dropFirst()).map { $1 - $0 }
    let least = [60.0, 120, 240, 480, 960]
    #expect(pauses.count >= 4 && pauses.count <= least.count)
    #expect(zip(pauses, least).allSatisfy { $0 >= $1 && $0 < $1 + 60 }, "\(pauses)")
    // Who turns round in the end is led on.
    let back = await engine.follow(
      try map.walk("DBC", from: (log.rerouteTimes.last ?? 0) + 3600))
    #expect(engine.navigationState == .arrived)
    #expect(back.kinds.contains { if case .atTurn = $0 { true } else { false } })
  }

  @Test(
    "after a route was followed, the next one is looked for as soon as the first, and may lead back"
  )
  func followedAgain() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C-------H
                |       |
                |       |
                |       |
                |       |
                G       K
        """, ways: [.init("ABCH"), .init("BG"), .init("CK")]))
    let engine = NavigationEngine(planner: map.planner)
    try engine.startNavigation(route: map.route("A", "H"))
    // 400 m into each side valley, and back.
    let (one, other) = (try map.point("B", north: -400), try map.point("C", north: -400))
    let junctions = [try map.point("B"), try map.point("C")]
    let log = await engine.follow(
      fixes(
        along: [
          try map.point("A"), junctions[0], one, junctions[0], junctions[1], other, junctions[1],
          try map.point("H"),
        ]))
    #expect(engine.navigationState == .arrived)
    // At 1.25 m/s.
    let left: [Double] = [640, 3 * 640]
    for start in left {
      let index = try #require(log.rerouteTimes.firstIndex { $0 > start })
      #expect(log.rerouteTimes[index] - start < 80)
      #expect(log.reroutes[index].route != nil)
    }
    #expect(log.reroutes.contains { if case .leadsBack = $0 { true } else { false } })
  }

  @Test(
    "who leaves a round trip is led back to the rest of it, not to its end",
    arguments: [true, false])
  func roundTrip(_ isWithVia: Bool) async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
        |       |       |
        |       G       |
        |               |
        F-------E-------D
        """, ways: [.init("ABCDEFA"), .init("BG")]))
    var route = try map.route("A", "A", via: "BCDEF")
    if !isWithVia { (route.viaPoints, route.viaDistances) = ([], nil) }
    #expect(try map.letters(of: route) == "ABCDEFA")
    // Down to G instead of on to C, then back as told.
    let (engine, log) = try await walked(map, route, "ABGBCDEFA")
    let other = try #require(log.reroutes.first?.route)
    #expect(try map.letters(of: other).hasSuffix("BCDEFA"))
    // What is left: from G to B, and all but the first side.
    let rest = route.totalDistance - 800
    #expect(other.totalDistance > rest && other.totalDistance < rest + 250)
    #expect(other.endCoordinate == route.endCoordinate)
    #expect(engine.navigationState == .arrived)
    // Back at the junction the rest begins with a turn that neither part has.
    #expect(log.kinds.contains { if case .atTurn = $0 { true } else { false } })
  }

  @Test("who cuts a corner of a round trip is led on to the rest of it")
  func shortcut() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
        |       |       |
        |       |       |
        |       |       |
        F-------E-------D
        """, ways: [.init("ABCDEFA"), .init("BE")]))
    var route = try map.route("A", "A", via: "BCDEF")
    (route.viaPoints, route.viaDistances) = ([], nil)
    let (engine, log) = try await walked(map, route, "ABEFA")
    #expect(engine.navigationState == .arrived)
    let last = try #require(log.reroutes.last?.route)
    #expect(last.endCoordinate == route.endCoordinate)
    #expect(log.reroutes.count <= 2)
  }

  @Test("out and back, the way out is not left out")
  func outAndBack() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C-------D
                |
                G
        """, ways: [.init("ABCD"), .init("BG")]))
    var route = try map.route("A", "A", via: "D")
    (route.viaPoints, route.viaDistances) = ([], nil)
    #expect(try map.letters(of: route) == "ABCDCBA")
    let (engine, log) = try await walked(map, route, "ABGBCDCBA")
    let other = try #require(log.reroutes.first?.route)
    #expect(try map.letters(of: other).hasSuffix("BCDCBA"))
    #expect(engine.navigationState == .arrived)
  }

  @Test("shortly before the end of an out-and-back, its way back is not taken for the rest")
  func beforeTheTip() async throws {
    // Back from D, the route comes nearer to the way to G than it is at C.
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B---CD


                  G
        """, ways: [.init("ABCD"), .init("CG")]))
    var route = try map.route("A", "A", via: "D")
    (route.viaPoints, route.viaDistances) = ([], nil)
    let (engine, log) = try await walked(map, route, "ABCGCDCBA")
    guard case .toRest(let other, _, let from) = log.reroutes.first else {
      Issue.record("\(log.reroutes)")
      return
    }
    #expect(try map.letters(of: other).hasSuffix("CDCBA"))
    #expect(from < 1250)
    #expect(engine.navigationState == .arrived)
  }
}
