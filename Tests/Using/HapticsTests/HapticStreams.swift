// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGuidance
import CairnHaptics
import Foundation

/// A route with instructions of every direction, 100 m apart.
let everyTurn: PlannedRoute = {
  let line = (0...TurnDirection.allCases.count).map {
    Coordinate(latitude: 47 + Double($0) * 0.0009, longitude: 10)
  }
  let instructions = TurnDirection.allCases.enumerated().map { index, direction in
    TurnInstruction(
      coordinate: line[index], direction: direction, bearing: 0,
      distanceFromPrevious: index == 0 ? 0 : 100, cumulativeDistance: Double(index) * 100,
      description: "Do \(direction.rawValue)")
  }
  return PlannedRoute(
    name: "Every turn", mode: .hiking, startCoordinate: line[0],
    endCoordinate: line[line.count - 1], coordinates: line, turnInstructions: instructions,
    totalDistance: Double(line.count - 1) * 100, estimatedDuration: 1000, elevationGain: 0,
    elevationLoss: 0, createdAt: start)
}()

/// When all streams begin.
let start = Date(timeIntervalSince1970: 1_780_000_000)

/// An event some seconds after ``start``.
func event(
  _ kind: GuidanceEvent.Kind, at seconds: Double, along: Double = 0, away: Double = 0
) -> GuidanceEvent {
  GuidanceEvent(
    kind: kind, time: start + seconds, coordinate: Coordinate(latitude: 47, longitude: 10),
    distanceAlongRoute: along, distanceFromRoute: away)
}

/// The index of the instruction of a direction.
func index(of direction: TurnDirection) -> Int {
  TurnDirection.allCases.firstIndex(of: direction) ?? -1
}

/// The index of one that turns left, and of one that turns right.
let (leftTurn, rightTurn) = (index(of: .left), index(of: .right))

/// Events at random times, many of them at once, with instructions that do not exist and times that
/// go back.
func randomEvents(_ count: Int, _ random: inout SeededGenerator) -> [GuidanceEvent] {
  var time = 0.0
  return (0..<count).map { _ in
    if Bool.random(using: &random) { time += Double.random(in: 0...6, using: &random) }
    let index = Int.random(in: -1...TurnDirection.allCases.count, using: &random)
    let kinds: [GuidanceEvent.Kind] = [
      .approaching(instruction: index), .atTurn(instruction: index), .atTurn(instruction: index),
      .offRoute, .backOnRoute, .reversed, .forward, .arrived,
    ]
    let back = Int.random(in: 0..<20, using: &random) == 0 ? 10.0 : 0
    return event(
      kinds[Int.random(in: 0..<kinds.count, using: &random)], at: time - back,
      along: Double.random(in: -100...2000, using: &random))
  }
}
