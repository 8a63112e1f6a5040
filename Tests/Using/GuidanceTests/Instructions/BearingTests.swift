// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import Testing

@Suite("Directions")
struct BearingTests {
  @Test(
    "a bearing leads from one point to another",
    arguments: [
      (0.0, 0.0, 1.0, 0.0, 0.0), (0, 0, 0, 1, 90), (0, 0, -1, 0, 180), (0, 0, 0, -1, 270),
      // Across the antimeridian, and the well-known one from Baghdad to Osaka.
      (0, 179.5, 0, -179.5, 90), (35, 45, 35, 135, 60.16),
    ])
  func bearing(_ from: (Double, Double, Double, Double, Double)) {
    let bearing = BearingCalculator.bearing(
      from: Coordinate(latitude: from.0, longitude: from.1),
      to: Coordinate(latitude: from.2, longitude: from.3))
    #expect(abs(bearing - from.4) < 0.01)
  }

  @Test("a bearing along a line is taken over some metres, also across the antimeridian")
  func along() {
    let line = [(0.0, 179.9999), (0, -179.9999), (1, -179.9999)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    #expect(BearingCalculator.bearing(along: line, metres: 20) == 90)
    #expect(BearingCalculator.bearing(along: line.prefix(1), metres: 20) == nil)
    #expect(BearingCalculator.bearing(along: [line[0], line[0]], metres: 20) == nil)
  }

  @Test("changes are between −180 and 180, directions from 0 to below 360")
  func normalized() {
    #expect(BearingCalculator.normalized(-90) == 270)
    #expect(BearingCalculator.normalized(720) == 0)
    #expect(BearingCalculator.normalized(-1e-20) == 0)
    #expect(BearingCalculator.normalizedChange(270) == -90)
    #expect(BearingCalculator.normalizedChange(-190) == 170)
    #expect(BearingCalculator.normalizedChange(180) == 180)
  }

  @Test(
    "bearings have the points of the compass",
    arguments: [
      (0.0, "north"), (22.4, "north"), (22.6, "northeast"), (90, "east"), (200, "south"),
      (337.4, "northwest"), (337.6, "north"), (-90, "west"), (.nan, "north"),
    ])
  func cardinal(_ degrees: Double, _ name: String) {
    #expect(BearingCalculator.cardinalDirection(degrees) == name)
  }

  @Test(
    "changes of direction have their names",
    arguments: [
      (0.0, TurnDirection.straight), (14.9, .straight), (-14.9, .straight),
      // Each threshold is the most of its class.
      (15, .straight), (15.1, .slightRight), (45, .slightRight), (-45, .slightLeft), (45.1, .right),
      (135, .right), (-135, .left), (135.1, .sharpRight), (170, .sharpRight), (-170, .sharpLeft),
      (170.1, .uTurn), (180, .uTurn), (-175, .uTurn), (359, .straight),
    ])
  func direction(_ change: Double, _ direction: TurnDirection) {
    #expect(TurnInstructionConfig().direction(ofChange: change) == direction)
    #expect(BearingCalculator.turnDirection(fromBearingDelta: change) == direction)
  }

  @Test("each direction has a symbol and a verb of its own")
  func symbols() {
    let all = TurnDirection.allCases
    #expect(Set(all.map(\.sfSymbolName)).count == all.count)
    #expect(Set(all.map(\.verb)).count == all.count)
    #expect(TurnDirection.sharpLeft.verb == "Turn sharp left")
    #expect(TurnDirection.left.sfSymbolName == "arrow.turn.up.left")
  }
}
