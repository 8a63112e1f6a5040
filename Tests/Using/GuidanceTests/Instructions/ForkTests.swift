// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnRouting
import TestSupport
import Testing

@Suite("Where a walker may go wrong straight on")
struct ForkTests {
  @Test(
    "a hairpin onto another way is a sharp turn, and only going back on one way is turning around",
    arguments: [("C", "left"), ("D", "right")])
  func hairpin(end: Character, side: String) throws {
    let map = try GuidedMap(
      """
      C
      A----------------B---E
      D
      """,
      [
        .init("ABE"), .named("BC", "Upper Path", "path"), .named("BD", "Lower Path", "path"),
      ], cellMetres: 30)
    let name = end == "C" ? "Upper Path" : "Lower Path"
    #expect(map.said("A", end) == ["Turn sharp \(side) onto \(name)"])
    #expect(try map.texts("A", "C", via: "E").first == "Turn around")
  }

  @Test("who leaves a road that bends away straight on is told, and who stays on it is not")
  func bendingRoad() throws {
    let road = "Talstrasse"
    for (way, onto) in [
      ("path", "the path"), ("track", "the track"), ("service", "the service road"),
    ] {
      let map = try GuidedMap(
        """
        A-----B-----C
              .
                .
                  D
        """, [.named("ABD", road), .init("BC", tags: ["highway": way])])
      #expect(map.said("A", "C") == ["Continue straight onto \(onto)"])
      #expect(map.said("A", "D") == ["Keep right to stay on \(road)"])
    }
    // Without names, the kind of way tells which one goes on.
    let map = try GuidedMap(
      """
      A-----B-----C

              D
      """, [.init("ABD", tags: ["highway": "track"]), .init("BC", tags: ["highway": "path"])])
    #expect(map.said("A", "C") == ["Continue straight onto the path"])
  }

  @Test("a path beside a road that goes straight on needs no word")
  func sidePath() throws {
    let map = try GuidedMap(
      """
      A-----B-----C

              D
      """, [.init("ABC", tags: ["highway": "track"]), .init("BD", tags: ["highway": "path"])])
    #expect(map.said("A", "C") == [])
  }

  @Test("where neither of two ways ahead goes on as the way walked, one of them is named")
  func neither() throws {
    let map = try GuidedMap(
      """
      A-----B-----C
            .
              .
                D
      """,
      [
        .init("AB", tags: ["highway": "track"]), .named("BC", "Höhenweg", "path"),
        .init("BD", tags: ["highway": "footway"]),
      ])
    #expect(map.said("A", "C") == ["Continue straight onto Höhenweg"])
  }

  @Test("of two bends of one kind, the straighter one is named, too")
  func twoBends() throws {
    // 25° and 50° to the right.
    let map = try GuidedMap(
      """
      A-----B


                   C


                  D
      """, [.init("AB"), .init("BC"), .init("BD")])
    #expect(map.said("A", "C") == ["Keep left"])
  }

  @Test("between two ways that are as plausible, straight on is said")
  func between() throws {
    let map = try GuidedMap(
      """
                  C
      A-----B-----D
                  E
      """, [.init("AB"), .init("BC"), .init("BD"), .init("BE")])
    #expect(map.said("A", "D") == ["Continue straight"])
  }

  @Test("a pavement that jogs at side streets says nothing, however it is drawn")
  func jogs() throws {
    // Jogs of 8 m at most, whose corners are junctions; pieces of the pavement are ways of their own.
    let drawing = """
      e         f
      A---------B           G----------------Z
                C---D---E---F
                    |       
                    S
      """
    let pavement = ["highway": "footway", "footway": "sidewalk"]
    let crossing = ["highway": "footway", "footway": "crossing"]
    for pieces in [["ABCDEFGZ"], ["ABC", "CDEF", "FGZ"], ["AB", "BCD", "DEFGZ"]] {
      let ways = pieces.map { AsciiMap.Way($0, tags: pavement) }
      let map = try GuidedMap(
        drawing,
        ways + [
          .init("Bf", tags: crossing), .named("DS", "Side Street"), .named("Ae", "Main Street"),
        ], cellMetres: 4)
      #expect(map.said("A", "Z") == [], "\(pieces)")
      #expect(map.said("Z", "A") == [], "\(pieces)")
    }
  }

  @Test("a stagger between two ways is two turns")
  func stagger() throws {
    let map = try GuidedMap(
      """
                    N
                    |
                    C--------Z
                    |
      A-------------B
                    |
                    S
      """,
      [
        .init("AB", tags: ["highway": "path"]), .named("NCBS", "Dorfstraße"),
        .init("CZ", tags: ["highway": "path"]),
      ], cellMetres: 6)
    #expect(
      map.said("A", "Z") == [
        "Turn left onto Dorfstraße, then turn right onto the path"
      ])
  }

  @Test("a turn shortly before a roundabout is said")
  func beforeRoundabout() throws {
    let map = try GuidedMap(
      """
             C
           B   D---E
        W--A F
           |
           S
      """,
      [
        .init("SAW", tags: ["highway": "residential"]),
        .init("AB", tags: ["highway": "residential"]),
        .init("BFDCB", tags: ["highway": "residential", "junction": "roundabout"]),
        .init("DE", tags: ["highway": "residential"]),
      ], cellMetres: 20)
    let texts = try map.texts("W", "E")
    #expect(texts.first?.hasPrefix("Turn left, then at the roundabout, ") == true, "\(texts)")
  }

  @Test("no instruction has more than two actions")
  func two() throws {
    let map = try GuidedMap(
      """
      A--B   f
         |   |
         C---D  h
         |   |  |
         c   E--F--G
                |
                H
      """,
      [
        .named("AB", "One"), .named("BCc", "Two"), .named("CD", "Three"), .named("fDE", "Four"),
        .named("EFG", "Five"), .named("hFH", "Six"),
      ], cellMetres: 5)
    let texts = try map.instructions("A", "H").dropLast().map(\.description)
    #expect(
      texts == [
        "Head east on One, then keep left onto Three",
        "Turn right onto Four, then turn right onto Six",
      ])
  }

  @Test("a line there and back over the same points has one turn, around")
  func thereAndBack() throws {
    for step in [0.00002, 0.00005, 0.0001, 0.002] {
      let there = (0...100).map { Coordinate(latitude: 46, longitude: 7 + Double($0) * step) }
      let line = there + there.reversed().dropFirst()
      let list = TurnInstructionGenerator.generate(along: line)
      #expect(list.map(\.direction) == [.start, .uTurn, .arrive], "\(step)")
    }
    // A hairpin of a zigzag is none.
    let zigzag = [(46.0, 7.0), (46.0, 7.005), (46.0004, 7.0)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    #expect(
      TurnInstructionGenerator.generate(along: zigzag).map(\.direction)
        == [.start, .sharpLeft, .arrive])
  }
}
