// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import TestSupport
import Testing

@Suite("What a route warns of, in its instructions")
struct HazardInstructionTests {
  @Test("a hazard is told where it begins, and a notice is not")
  func told() throws {
    let map = try GuidedMap(
      "A---B---F---C---D",
      [
        .init("AB"), .init("BFC", tags: ["highway": "path", "smoothness": "impassable"]),
        .init("CD", tags: ["highway": "path", "hazard": "rock_slide"]),
      ],
      nodeTags: ["F": ["ford": "yes"]])
    let instructions = try map.instructions("A", "D").dropFirst().dropLast()
    #expect(instructions.map(\.description) == ["Caution, ford", "Caution, danger of the terrain"])
    #expect(instructions.map { $0.cumulativeDistance.rounded() } == [800, 1200])
    for (instruction, letter) in zip(instructions, ["F", "C"] as [Character]) {
      #expect(haversineDistance(instruction.coordinate, try map.map.coordinate(letter)) < 0.5)
      #expect(instruction.direction == .straight && abs(instruction.bearing - 90) < 0.2)
    }
  }

  @Test("what closely follows a turn is part of it, and a ford that is a way is crossed")
  func joined() throws {
    let map = try GuidedMap(
      """
      A---B---C
          D
          E
      """,
      [
        .init("ABC"),
        .init("BD", tags: ["highway": "path", "hazard": "rock_slide", "ford": "yes"]),
        .init("DE"),
      ])
    #expect(
      try map.texts("A", "E") == [
        "Turn right and cross the ford, then caution, danger of the terrain"
      ])
  }
}
