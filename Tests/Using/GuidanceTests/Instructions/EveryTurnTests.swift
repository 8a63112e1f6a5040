// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnGuidance
import CairnRouting
import TestSupport
import Testing

@Suite("The rule that announces every turn by its angle")
struct EveryTurnTests {
  private var everyTurn: TurnInstructionConfig {
    var config = TurnInstructionConfig()
    config.announcesEveryTurn = true
    return config
  }

  @Test("a slight turn is slight, whether or not another way leads on")
  func slight() throws {
    // About 27° to the left at B, where a side way leads off.
    let map = try GuidedMap(
      """
                   C


      A-----B
            D
      """, [.init("AB"), .init("BC"), .init("BD")])
    #expect(try map.texts("A", "C") == [])
    let list = try map.instructions("A", "C", everyTurn)
    #expect(list.map(\.direction) == [.start, .slightLeft, .arrive])
  }

  @Test("a bend between two ways is announced, too")
  func bend() throws {
    let map = try GuidedMap("A---B\n    |\n    C", [.named("AB", "One"), .named("BC", "Two")])
    #expect(try map.texts("A", "C") == [])
    #expect(try map.texts("A", "C", everyTurn) == ["Turn right onto Two"])
  }

  @Test("a fork that goes straight on is not announced")
  func fork() throws {
    let map = try GuidedMap(
      """
                        C
      A-----B
                        D
      """, [.init("AB"), .init("BC"), .init("BD")])
    #expect(try map.texts("A", "C") == ["Keep left"])
    #expect(try map.texts("A", "C", everyTurn) == [])
  }

  @Test("neither a roundabout nor steps nor a ferry is more than its angles")
  func nothingElse() throws {
    let map = try GuidedMap(
      """
            C
      A---B   D---E
            F
      """,
      [
        .init("AB", tags: ["highway": "residential", "name": "One"]),
        .init("BFDCB", tags: ["highway": "residential", "junction": "roundabout"]),
        .init("DE", tags: ["highway": "steps", "name": "Two"]),
      ], cellMetres: 20)
    #expect(try map.texts("A", "E").first?.hasPrefix("At the roundabout") == true)
    // Into it, in whichever direction, and out of it by the steps.
    let turns = try map.actions("A", "E", everyTurn).map(\.direction)
    #expect([[.slightLeft, .slightLeft], [.slightRight, .slightRight]].contains(turns))
  }

  @Test(
    "every change of direction of random ways is told by the segments that meet, and nothing else")
  func letterOfTheRule() throws {
    var random = SplitMix64(seed: 11)
    var (told, straight) = (0, 0)
    for _ in 0..<40 {
      let map = try randomMap(&random)
      let letters = map.map.letters
      for _ in 0..<4 {
        let from = letters[Int(random.next() % UInt64(letters.count))]
        let to = letters[Int(random.next() % UInt64(letters.count))]
        guard from != to, let route = try? map.route(from, to) else { continue }
        let expected = Self.turns(of: route)
        let actions = try map.actions(from, to, everyTurn)
        #expect(actions.map(\.direction) == expected.map(\.direction), "\(from) to \(to)")
        #expect(
          zip(actions, expected).allSatisfy { abs($0.metres - $1.metres) < 0.001 },
          "\(from) to \(to)"
        )
        told += expected.count
        straight += route.edges.count - 1 - expected.count
      }
    }
    // The maps have both.
    #expect(told > 200 && straight > 5, "\(told), \(straight)")
  }

  /// The rule as it is written down: for each node between two edges the last segment of the one and the
  /// first of the other, straight up to 15°, slight up to 45°, a turn up to 135°, sharp up to 170°.
  private static func turns(of route: ComputedRoute) -> [(direction: TurnDirection, metres: Double)]
  {
    var turns: [(direction: TurnDirection, metres: Double)] = []
    var metres = 0.0
    for index in 1..<max(1, route.edges.count) {
      metres += route.edges[index - 1].distance
      let here = route.nodes[index].coordinate
      let before = route.edges[index - 1].geometry.last ?? route.nodes[index - 1].coordinate
      let after = route.edges[index].geometry.first ?? route.nodes[index + 1].coordinate
      var delta =
        BearingCalculator.bearing(from: here, to: after)
        - BearingCalculator.bearing(from: before, to: here)
      if delta > 180 { delta -= 360 }
      if delta <= -180 { delta += 360 }
      let isRight = delta > 0
      switch abs(delta) {
      case ...15: continue
      case ...45: turns.append((isRight ? .slightRight : .slightLeft, metres))
      case ...135: turns.append((isRight ? .right : .left, metres))
      case ...170: turns.append((isRight ? .sharpRight : .sharpLeft, metres))
      default: turns.append((.uTurn, metres))
      }
    }
    return turns
  }

  /// Letters in random places, some metres apart, joined by bent ways of all kinds.
  private func randomMap(_ random: inout SplitMix64) throws -> GuidedMap {
    let letters = Array("ABCDEFGHIJKLMNOPQRST")
    var rows = Array(repeating: Array(repeating: Character(" "), count: 24), count: 24)
    for letter in letters {
      while true {
        let (row, column) = (Int(random.next() % 24), Int(random.next() % 24))
        guard rows[row][column] == " " else { continue }
        rows[row][column] = letter
        break
      }
    }
    let kinds: [[String: String]] = [
      ["highway": "path"], ["highway": "residential", "name": "One"],
      ["highway": "residential", "name": "Two"], ["highway": "steps"],
      ["highway": "residential", "junction": "roundabout"], ["route": "ferry"],
    ]
    var ways: [AsciiMap.Way] = []
    for first in stride(from: 0, to: letters.count - 3, by: 3) {
      let kind = kinds[Int(random.next() % UInt64(kinds.count))]
      ways.append(.init(String(letters[first...first + 3]), tags: kind))
    }
    for _ in 0..<6 {
      let one = letters[Int(random.next() % 20)]
      let other = letters[Int(random.next() % 20)]
      if one != other { ways.append(.init(String([one, other]))) }
    }
    return try GuidedMap(
      rows.map { String($0) }.joined(separator: "\n"), ways, cellMetres: 6)
  }
}
