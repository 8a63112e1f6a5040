// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnGuidance

@Suite("Names that change straight on")
struct NameChangeTests {
  /// A to E is straight, 400 m from letter to letter; at each inner one a way leads south.
  private func texts(_ names: [String?], _ config: TurnInstructionConfig = .init()) throws
    -> [String]
  {
    let legs = zip(["AB", "BC", "CD", "DE"], names).map { nodes, name in
      var tags = ["highway": "residential"]
      tags["name"] = name
      return AsciiMap.Way(nodes, tags: tags)
    }
    let map = try GuidedMap(
      """
      A---B---C---D---E
          |   |   |
          b   c   d
      """, legs + [.init("Bb"), .init("Cc"), .init("Dd")])
    return try map.texts("A", "E", config)
  }

  @Test("a new name is said where something else leads away")
  func said() throws {
    #expect(try texts(["One", "One", "Two", "Two"]) == ["Continue onto Two"])
    var config = TurnInstructionConfig()
    config.announcesNameChanges = false
    #expect(try texts(["One", "One", "Two", "Two"], config) == [])
  }

  @Test("what it says is an instruction to go straight on, with the name")
  func instruction() throws {
    let map = try GuidedMap(
      "A---B---C\n    |\n    D", [.named("AB", "One"), .named("BC", "Two"), .init("BD")])
    let list = try map.instructions("A", "C")
    #expect(list.map(\.direction) == [.start, .straight, .arrive])
    #expect(list[1].trailName == "Two" && list[1].bearing == 90)
    #expect(list[1].coordinate == (try map.map.coordinate("B")))
  }

  @Test("where nothing else leads away, the walker cannot go wrong")
  func noJunction() throws {
    let map = try GuidedMap("A---B---C", [.named("AB", "One"), .named("BC", "Two")])
    #expect(try map.texts("A", "C") == [])
  }

  @Test(
    "a name that begins or ends, and one that is part of a joint name, is not a new way",
    arguments: [
      ["One", nil, nil, "One"], [nil, "One", "One", nil], ["GR 7; One", "one", "One; Two", "Two"],
      ["Camí Vell", "Camí Vell (túnel)", "Camí Vell", "Camí Vell"],
    ] as [[String?]])
  func sameWay(_ names: [String?]) throws {
    #expect(try texts(names) == [])
  }

  @Test("a name is not part of another one because it begins with the same letters")
  func words() throws {
    #expect(try texts(["CG-1", "CG-1", "CG-10", "CG-10"]) == ["Continue onto CG-10"])
    #expect(try texts(["Höhenweg", "Höhenweg", "Weg", "Weg"]) == ["Continue onto Weg"])
  }

  @Test("a name that is soon another one is not worth a word")
  func short() throws {
    // 400 m of One, 80 m of Two, then Three.
    let map = try GuidedMap(
      """
      A---B----C
          |
          b
      """, [.named("AB", "One"), .named("BC", "Two"), .init("Bb")])
    #expect(try map.texts("A", "C") == ["Continue onto Two"])
    let drawn = AsciiMap(
      """
      A---B--C----D
          |  |
          b  c
      """, cellMetres: 50,
      ways: [
        .named("AB", "One"), .named("BC", "Two"), .named("CD", "Three"), .init("Bb"), .init("Cc"),
      ])
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try drawn.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    let route = try RoutingEngine(store: store).findRoute(
      from: drawn.coordinate("A"), to: drawn.coordinate("D"))
    let list = try TurnInstructionGenerator.generate(from: route, in: store, profile: "hiking")
    #expect(list.dropFirst().dropLast().map(\.description) == ["Continue onto Three"])
  }
}
