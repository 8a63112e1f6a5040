// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnGuidance

@Suite("Steps, ladders and fords on the way")
struct WayFeatureTests {
  /// A to D is straight; at B a way leads south, at C nothing does.
  private func straight(_ first: [String: String], _ elevations: [Character: Float] = [:]) throws
    -> GuidedMap
  {
    try GuidedMap(
      """
      A---B---C---D
          |
          E
      """,
      [.init("AB"), .init("BC", tags: first), .init("CD"), .init("BE")], elevations: elevations,
      climbs: true)
  }

  @Test(
    "what begins straight ahead is said by its name",
    arguments: [
      (["highway": "steps", "incline": "up"], "Climb the steps", "Go down the steps"),
      (["highway": "steps", "incline": "-20%"], "Go down the steps", "Climb the steps"),
      (["highway": "steps"], "Take the steps", "Take the steps"),
      (
        ["highway": "ladder", "incline": "up"], "Climb up the ladder", "Climb down the ladder"
      ),
      (["highway": "path", "ladder": "yes"], "Take the ladder", "Take the ladder"),
      (["highway": "path", "rungs": "12"], "Take the rungs", "Take the rungs"),
      (["highway": "path", "ford": "yes"], "Cross the ford", "Cross the ford"),
      (
        ["highway": "path", "ford": "stepping_stones"], "Cross the stepping stones",
        "Cross the stepping stones"
      ),
      (
        ["highway": "via_ferrata", "name": "Direttissima"],
        "Continue on the via ferrata Direttissima", "Continue on the via ferrata Direttissima"
      ),
    ])
  func ahead(_ tags: [String: String], _ there: String, _ back: String) throws {
    let map = try straight(tags)
    let list = try map.instructions("A", "D")
    #expect(list.dropFirst().dropLast().map(\.description) == [there])
    #expect(list[1].direction == .straight)
    // On the way back nothing but the feature begins at C, so steps are not worth a word.
    #expect(try map.texts("D", "A") == (tags["highway"] == "steps" ? [] : [back]))
  }

  @Test("nothing is said of a way without a ford")
  func none() throws {
    #expect(try straight(["highway": "path", "ford": "no", "ladder": "no"]).texts("A", "D") == [])
  }

  @Test("elevations say whether steps lead up, unless the climb is too small to be certain")
  func climb() throws {
    let steps = ["highway": "steps"]
    let heights: [Character: Float] = ["A": 500, "B": 500, "C": 530, "D": 530, "E": 500]
    #expect(try straight(steps, heights).texts("A", "D") == ["Climb the steps"])
    let flat = heights.mapValues { $0 == 530 ? 501 : $0 }
    #expect(try straight(steps, flat).texts("A", "D") == ["Take the steps"])
  }

  @Test("a turn says what it leads to")
  func turns() throws {
    func text(_ tags: [String: String], _ from: Character = "A", _ to: Character = "C") throws
      -> [String]
    {
      let map = try GuidedMap(
        """
        A---B---D
            |
            C
        """, [.named("AB", "Dorfstraße"), .init("BC", tags: tags), .init("BD")], climbs: true)
      return try map.texts(from, to)
    }
    #expect(try text(["highway": "steps"]) == ["Turn right onto the steps"])
    let down = ["highway": "steps", "incline": "down"]
    #expect(try text(down) == ["Turn right down the steps"])
    #expect(
      try text(down.merging(["name": "Himmelsleiter"]) { $1 })
        == ["Turn right down the steps of Himmelsleiter"])
    #expect(
      try text(down.merging(["name": "Dorfstraße"]) { $1 }) == ["Turn right down the steps"])
    #expect(
      try text(["highway": "ladder", "incline": "up"]) == ["Turn right up the ladder"])
    #expect(try text(["highway": "ladder"]) == ["Turn right onto the ladder"])
    #expect(
      try text(["highway": "path", "ladder": "yes"]) == ["Turn right onto the ladder"])
    #expect(
      try text(["highway": "steps", "name": "Himmelsleiter"])
        == ["Turn right onto the steps of Himmelsleiter"])
    #expect(try text(["highway": "via_ferrata"]) == ["Turn right onto the via ferrata"])
    let ford = ["highway": "track", "ford": "yes"]
    #expect(try text(ford) == ["Turn right and cross the ford"])
    #expect(
      try text(ford.merging(["name": "Bachweg"]) { $1 })
        == ["Turn right onto Bachweg and cross the ford"])
    // Leaving it is a turn like any other.
    #expect(try text(down, "C", "A") == ["Turn left onto Dorfstraße"])
  }

  @Test("a route that begins on steps says so")
  func start() throws {
    let map = try GuidedMap("A---B", [.init("AB", tags: ["highway": "steps", "incline": "up"])])
    #expect(try map.instructions("A", "B").map(\.description).first == "Head east up the steps")
    #expect(try map.instructions("B", "A").map(\.description).first == "Head west down the steps")
  }

  @Test("the next flight of the same steps is not said again")
  func flights() throws {
    let steps = ["highway": "steps", "incline": "up"]
    let drawn = AsciiMap(
      """
      A-----B--C-D--E-----------F--G
            |    |              |
            b    d              f
      """, cellMetres: 15,
      ways: [
        .init("AB"), .init("BC", tags: steps), .init("CD"), .init("DE", tags: steps), .init("EF"),
        .init("FG", tags: steps), .init("Bb"), .init("Dd"), .init("Ff"),
      ])
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try drawn.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: drawn.coordinate("A"), to: drawn.coordinate("G"))
    let list = try TurnInstructionGenerator.generate(from: route, in: store, profile: "hiking")
    let letters = try "BF".map { try drawn.coordinate($0) }
    #expect(list.dropFirst().dropLast().map(\.coordinate) == letters)
    #expect(list.dropFirst().dropLast().allSatisfy { $0.description == "Climb the steps" })
  }

  @Test("a feature that is split at junctions is said once")
  func split() throws {
    let ford = ["highway": "path", "ford": "yes"]
    let map = try GuidedMap(
      """
      A---B---C---D
              |
              E
      """, [.init("AB"), .init("BC", tags: ford), .init("CD", tags: ford), .init("CE")])
    #expect(try map.texts("A", "D") == ["Cross the ford"])
  }
}
