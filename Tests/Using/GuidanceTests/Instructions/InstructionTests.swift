// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("What is said on the way")
struct InstructionTests {
  @Test("a turn at a crossing is announced with the name of the next way")
  func crossing() throws {
    let map = try GuidedMap(
      """
          C
          |
      A---B---D
          |
          E
      """, [.named("ABD", "Dorfstraße"), .named("CBE", "Kirchgasse")])
    #expect(try map.texts("A", "C") == ["Turn left onto Kirchgasse"])
    #expect(try map.texts("A", "E") == ["Turn right onto Kirchgasse"])
    #expect(try map.texts("A", "D") == [])
    #expect(try map.texts("C", "D") == ["Turn left onto Dorfstraße"])
  }

  @Test("the first instruction is the start and the last one the arrival")
  func ends() throws {
    let map = try GuidedMap("A---B", [.named("AB", "Dorfstraße")])
    let list = try map.instructions("A", "B")
    #expect(list.map(\.direction) == [.start, .arrive])
    #expect(
      list.map(\.description) == ["Head east on Dorfstraße", "Arrive at the destination"])
    #expect(list.map(\.bearing) == [90, 90])
    #expect(list.first?.trailName == "Dorfstraße")
    #expect(abs((list.last?.cumulativeDistance ?? 0) - 400) < 0.5)
    #expect(list.last?.coordinate == (try map.map.coordinate("B")))
  }

  @Test("a bend without a junction is not announced, however sharp")
  func bend() throws {
    let map = try GuidedMap(
      """
      A---B
          |
      D---C
      """, [.init("AB"), .init("BCD")])
    #expect(try map.texts("A", "D") == [])
  }

  @Test(
    "where the way to the destination is cut off, the arrival and a planned route say how far it is"
  )
  func cutOff() throws {
    let map = try GuidedMap(
      "A---W---B", [.init("AW"), .init("WB")], nodeTags: ["W": ["barrier": "wall"]])
    var place = try map.map.coordinate("W")
    place.longitude +=
      60 / (earthRadiusMetres * .pi / 180)
      / longitudeShrinking(atLatitude: place.latitude)
    let route = try RoutingEngine(store: map.store).findRoute(
      from: map.map.coordinate("A"), to: place)
    let list = try TurnInstructionGenerator.generate(from: route, in: map.store, profile: "hiking")
    let text = "Arrive 60 m from the destination; the way nearest to it is cut off"
    #expect(list.last?.description == text)
    let planned = PlannedRoute.from(
      computedRoute: route, name: "Tour", mode: .hiking, instructions: list)
    #expect(planned.turnInstructions.last?.description == text)
    #expect(abs(planned.totalDistance - 400) < 1)
  }

  @Test(
    "a side way is closed on the day of the route, and at its hour, whatever the build's day",
    arguments: ["2026-07-01", "2026-01-15"])
  func sideWayOfDay(built: String) throws {
    // A bend is told where another way could be taken.
    let map = try GuidedMap(
      """
        E
         \\
      A---B
          |
          C
      """,
      [
        .init("ABC"),
        .init(
          "BE",
          tags: [
            "highway": "path", "access:conditional": "no @ (Nov-Apr)",
            "opening_hours": "08:00-18:00",
          ]),
      ], date: built)
    let told = ["Turn right"]
    #expect(try map.texts("A", "C", on: nil) == (built == "2026-07-01" ? told : []))
    #expect(try map.texts("A", "C", on: "2026-07-15") == told)
    #expect(try map.texts("A", "C", on: "2026-12-24") == [])
    #expect(try map.texts("A", "C", on: "2026-07-15T12:00") == told)
    #expect(try map.texts("A", "C", on: "2026-12-24T12:00") == [])
    // One comes to it after five minutes.
    #expect(try map.texts("A", "C", on: "2026-07-15T17:50") == told)
    #expect(try map.texts("A", "C", on: "2026-07-15T17:58") == [])
    #expect(try map.texts("A", "C", on: "2026-07-15T07:58") == told)
  }

  @Test("a bend becomes an instruction where a way leads straight on")
  func bendWithChoice() throws {
    let map = try GuidedMap(
      """
      A---B---E
          |
      D---C
      """, [.named("ABCD", "Alm"), .init("BE", tags: ["highway": "track"])])
    #expect(try map.texts("A", "D") == ["Turn right to stay on Alm"])
    #expect(try map.texts("A", "E") == ["Continue straight onto the track"])
  }

  @Test("a bend becomes an instruction where a closed way leads straight on, as the eye sees it")
  func closed() throws {
    let map = try GuidedMap(
      """
      A---B---E
          |
          C
      """,
      [
        .init("AB"), .init("BC"),
        .init("BE", tags: ["highway": "path", "foot": "no"]),
      ])
    #expect(try map.texts("A", "C") == ["Turn right"])
  }

  @Test("a closed way that leads back, is hardly visible or is a ferry is not announced")
  func closedElsewhere() throws {
    for (drawing, tags) in [
      ("A---B\nE   |\n    C", ["highway": "path", "foot": "no"]),
      ("A---B---E\n    |\n    C", ["highway": "path", "foot": "no", "trail_visibility": "no"]),
      ("A---B---E\n    |\n    C", ["route": "ferry", "foot": "no"]),
    ] {
      let map = try GuidedMap(drawing, [.init("AB"), .init("BC"), .init("BE", tags: tags)])
      #expect(try map.texts("A", "C") == [], "\(tags)")
    }
  }

  @Test("a closed way beside the route does not disturb who goes straight on, a fork with one does")
  func closedFork() throws {
    let closed = ["highway": "service", "access": "private"]
    let side = try GuidedMap(
      """
      A-----B-----C
            E
      """, [.init("ABC"), .init("BE", tags: closed)])
    #expect(try side.texts("A", "C") == [])
    let fork = try GuidedMap(
      """
                  C
      A-----B
                  E
      """, [.init("AB"), .init("BC"), .init("BE", tags: closed)])
    #expect(try fork.texts("A", "C") == ["Keep left"])
  }

  @Test("a fork between two ways is announced however wide it opens")
  func wideFork() throws {
    // C lies 39° to the left, D 51° to the right.
    let map = try GuidedMap(
      """
                 C



      A-----B




                D
      """, [.init("AB"), .init("BC"), .init("BD")])
    #expect(try map.texts("A", "C") == ["Keep left"])
    #expect(try map.texts("A", "D") == ["Turn right"])
  }

  @Test(
    "a way that turns off by 20° more than the route is as plausible, one by more than that is not",
    // 19.89°, 20.03°, which is 20° in tenths, and 20.17°.
    arguments: [(34, 94, ["Keep left"]), (35, 96, ["Keep left"]), (36, 98, [])])
  func twentyDegrees(_ south: Int, _ east: Int, _ texts: [String]) throws {
    let before = "A" + String(repeating: "-", count: 40) + "B"
    let way = String(repeating: "-", count: east - 1)
    let gap = String(repeating: " ", count: before.count + east - 1)
    let map = try GuidedMap(
      before + way + "C" + String(repeating: "\n", count: south) + gap + "D",
      [.init("AB"), .init("BC"), .init("BD")], cellMetres: 2)
    #expect(try map.texts("A", "C") == texts)
  }

  @Test("a fork of unnamed ways says which side")
  func fork() throws {
    let map = try GuidedMap(
      """
             C
            .
      A-----B
            .
             D
      """,
      [.init("AB"), .init("BC"), .init("BD")])
    #expect(try map.instructions("A", "C").map(\.direction) == [.start, .left, .arrive])
    let flat = try GuidedMap(
      """
                   C
      A-----B
                   D
      """,
      [.init("AB"), .init("BC"), .init("BD")])
    #expect(try flat.texts("A", "C") == ["Keep left"])
    #expect(try flat.texts("A", "D") == ["Keep right"])
  }

  @Test("a side way does not disturb who goes nearly straight on")
  func sideWay() throws {
    let map = try GuidedMap(
      """
                   C
      A-----B
            D
      """,
      [.init("AB"), .init("BC"), .init("BD")])
    #expect(try map.texts("A", "C") == [])
    #expect(try map.texts("A", "D") == ["Turn right"])
  }

  @Test("what follows within 50 m becomes part of the instruction before")
  func merged() throws {
    let map = AsciiMap(
      """
      A---B---F
          |
      G---C---D
      """, cellMetres: 20,
      ways: [
        .named("AB", "One"), .named("BF", "Two"), .named("BC", "Three"), .named("CD", "Four"),
        .named("GC", "Five"),
      ])
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: map.coordinate("A"), to: map.coordinate("D"))
    let list = try TurnInstructionGenerator.generate(from: route, in: store)
    #expect(
      list.map(\.description) == [
        "Head east on One", "Turn right onto Three, then turn left onto Four",
        "Arrive at the destination",
      ])
    #expect(list.map { $0.distanceFromPrevious.rounded() } == [0, 80, 120])
    // Each part keeps its own name, place and direction.
    #expect(list[1].trailName == "Three" && list[1].direction == .right)
    #expect(list[1].coordinate == (try map.coordinate("B")))
    let following = try #require(list[1].then.first)
    #expect(list.map(\.then.count) == [0, 1, 0])
    #expect(following.trailName == "Four" && following.direction == .left)
    #expect(following.coordinate == (try map.coordinate("C")) && following.bearing == 90)
    #expect(following.cumulativeDistance.rounded() == 120)
    #expect(following.description == "Turn left onto Four")
    var config = TurnInstructionConfig()
    config.minimumInstructionSpacingMetres = 30
    #expect(
      try TurnInstructionGenerator.generate(from: route, in: store, config: config).count == 4)
  }

  @Test("turning round at a dead end that was requested is announced")
  func deadEnd() throws {
    let map = try GuidedMap(
      """
      A---B---C
          |
          D
      """, [.init("ABC"), .init("BD")])
    let list = try map.instructions("A", "C", via: "D")
    #expect(
      list.map(\.direction) == [.start, .right, .uTurn, .right, .arrive])
    #expect(list[2].description == "Turn around")
  }

  @Test("a gate does not matter to the instructions")
  func gate() throws {
    let map = try GuidedMap(
      """
          E
          |
      A---B---C
          |
          D
      """, [.init("ABC"), .named("EBD", "Weg")],
      nodeTags: ["B": ["barrier": "gate"]])
    #expect(try map.texts("A", "D") == ["Turn right onto Weg"])
    #expect(try map.texts("A", "C") == [])
  }

  @Test("platforms, lifts and piers are called by their names")
  func platforms() throws {
    let map = try GuidedMap(
      """
      A--B--X
         |
      Y--C--D--Z
            |
            E
      """,
      [
        .named("BX", "Nordweg", "path"), .named("CY", "Westweg", "path"),
        .named("DZ", "Ostweg", "path"), .init("AB", tags: ["highway": "elevator"]),
        .init("BC", tags: ["highway": "platform", "ref": "1;2"]),
        .init("CD", tags: ["highway": "platform"]), .init("DE", tags: ["highway": "pier"]),
      ])
    let there = try map.texts("A", "E")
    #expect(
      there == [
        "Turn right onto platform 1;2", "Turn left onto the platform", "Turn right onto the pier",
      ])
    let back = try map.texts("E", "A")
    #expect(back.last == "Turn left onto the lift")
  }

  @Test("boarding and leaving a ferry are announced")
  func ferry() throws {
    let map = try GuidedMap(
      "A---B---C---D",
      [
        .named("AB", "Seeweg", "path"),
        .init("BC", tags: ["route": "ferry", "name": "Fähre", "foot": "yes"]),
        .named("CD", "Uferweg", "path"),
      ])
    #expect(
      try map.texts("A", "D") == ["Take the ferry Fähre", "Continue straight onto Uferweg"])
  }

  @Test("directions are taken over 20 m, not over one short segment")
  func shortSegments() throws {
    // A hook of 2 m at the junction does not make a right turn a left one.
    let map = AsciiMap(
      """
      A.........BC.........D
      ..........E...........
      ......................
      ..........F...........
      """, cellMetres: 2, ways: [.init("AB"), .init("BC"), .init("CD"), .init("BEF")])
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: map.coordinate("A"), to: map.coordinate("D"))
    let list = try TurnInstructionGenerator.generate(from: route, in: store)
    #expect(list.map(\.direction) == [.start, .arrive])
  }

  /// A roundabout with four arms, travelled counterclockwise.
  private let roundabout = """
          N

          d

    W---a   c---E

          b

          S
    """

  private func arms(_ kind: String = "residential") -> [AsciiMap.Way] {
    [
      .init("abcda", tags: ["highway": "residential", "junction": "roundabout"]),
      .named("Wa", "West", kind), .named("bS", "South", kind), .named("cE", "East", kind),
      .named("dN", "North", kind),
    ]
  }

  @Test("a roundabout is one instruction, with the exit that the route takes")
  func roundabouts() throws {
    let map = try GuidedMap(roundabout, arms())
    #expect(try map.texts("W", "S") == ["At the roundabout, turn right onto South (1st exit)"])
    #expect(
      try map.texts("W", "E")
        == ["At the roundabout, continue straight onto East (2nd exit)"])
    let list = try map.instructions("W", "E")
    #expect(list.map(\.direction) == [.start, .straight, .arrive])
    #expect(list[1].coordinate == (try map.map.coordinate("a")))
    #expect(list[1].trailName == "East")
    // A walker may go round the short way, where the signs for cars do not help.
    #expect(try map.texts("W", "N") == ["At the roundabout, turn left onto North"])
  }

  @Test("traffic islands around a roundabout are not forks")
  func islands() throws {
    let oneway = { (nodes: String, name: String) in
      AsciiMap.Way(nodes, tags: ["highway": "residential", "name": name, "oneway": "yes"])
    }
    let map = AsciiMap(
      """
              N

              d

            p   q
      W----x     y----E
            a   c
              b
              S
      """, cellMetres: 10,
      ways: [
        .init("abcqdpa", tags: ["highway": "residential", "junction": "roundabout"]),
        .named("Wx", "West"), oneway("xa", "West"), oneway("px", "West"),
        .named("yE", "East"), oneway("cy", "East"), oneway("yq", "East"),
        .named("bS", "South"), .named("dN", "North"),
      ])
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: map.coordinate("W"), to: map.coordinate("E"))
    let list = try TurnInstructionGenerator.generate(from: route, in: store, profile: "hiking")
    #expect(
      list.dropFirst().dropLast().map(\.description)
        == ["At the roundabout, continue straight onto East (2nd exit)"])
  }

  @Test("on footpaths the exits of a roundabout are not counted")
  func roundaboutOfPaths() throws {
    let map = try GuidedMap(roundabout, arms("footway"))
    #expect(try map.texts("W", "S") == ["At the roundabout, turn right onto South"])
  }

  @Test("a route that begins or ends on a roundabout is led like on any other way")
  func onRoundabout() throws {
    let map = try GuidedMap(roundabout, arms())
    #expect(try map.texts("a", "S").allSatisfy { !$0.contains("roundabout") })
    #expect(try map.texts("W", "b").allSatisfy { !$0.contains("roundabout") })
    #expect(try map.texts("W", "b").count == 1)
  }

  @Test("without a database every node counts as a place to choose")
  func withoutStore() throws {
    let map = try GuidedMap(
      """
      A---B
          |
          C
      """, [.named("AB", "One"), .named("BC", "Two")])
    let list = try TurnInstructionGenerator.generate(from: map.route("A", "C"))
    #expect(list.map(\.direction) == [.start, .right, .arrive])
  }

  @Test("where start and end are one, one has arrived")
  func nowhere() throws {
    let map = try GuidedMap("A---B", [.init("AB")])
    #expect(try map.instructions("A", "A").map(\.direction) == [.arrive])
  }
}
