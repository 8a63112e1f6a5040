// SPDX-License-Identifier: Apache-2.0
import Guidance
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
}
