// SPDX-License-Identifier: Apache-2.0
import Geodesy

extension TurnInstructionGenerator {
  /// Makes instructions for a line of which no graph is known, such as that of a GPX file: they
  /// tell of turns, as nobody knows where one could choose.
  ///
  /// A turn is a place where the directions over ``TurnInstructionConfig/bearingDistanceMetres``
  /// before and after it differ by ``TurnInstructionConfig/slightTurnThresholdDegrees`` or more,
  /// and by more than at the places around it.
  public static func generate(
    along line: [Coordinate], config: TurnInstructionConfig = .init()
  ) -> [TurnInstruction] {
    guard let start = line.first, let end = line.last else { return [] }
    let changes = LineChanges(line, reach: config.bearingDistanceMetres)
    let line = changes.line
    var list = InstructionList(config)
    list.begin(at: start, bearing: changes.bearing(from: 0) ?? 0, nil)
    for turn in changes.turns(config) {
      list.add(
        config.direction(ofChange: turn.change), at: line[turn.place],
        distance: changes.distances[turn.place], bearing: turn.bearing, nil, isSameWay: true)
    }
    list.end(
      at: end, distance: changes.distances.last ?? 0,
      bearing: changes.bearing(to: line.count - 1) ?? 0)
    return list.instructions
  }
}

/// Where a line changes its direction.
private struct LineChanges {
  struct Turn {
    var place: Int
    /// Degrees, to the right where positive.
    var change: Double
    /// The direction afterwards.
    var bearing: Double
  }

  /// Metres that two points are apart at least, so that few lie within reach of one another.
  private static let spacingMetres = 0.5

  private let reach: Double
  /// The line without points that lie all but at the one before.
  private(set) var line: [Coordinate] = []
  /// Metres from the start to each point.
  private(set) var distances: [Double] = []

  init(_ points: [Coordinate], reach: Double) {
    self.reach = reach
    line.reserveCapacity(points.count)
    distances.reserveCapacity(points.count)
    for point in points {
      guard let last = line.last, let travelled = distances.last else {
        line.append(point)
        distances.append(0)
        continue
      }
      let step = haversineDistance(last, point)
      guard step >= Self.spacingMetres else { continue }
      line.append(point)
      distances.append(travelled + step)
    }
  }

  /// The direction from a point on.
  func bearing(from place: Int) -> Double? {
    BearingCalculator.bearing(along: line[place...], metres: reach)
  }

  /// The direction in which a point is reached.
  func bearing(to place: Int) -> Double? {
    BearingCalculator.bearing(along: line[...place].reversed(), metres: reach)
      .map { BearingCalculator.normalized($0 + 180) }
  }

  /// The turns in their order, the sharpest of those that lie within one another's reach.
  func turns(_ config: TurnInstructionConfig) -> [Turn] {
    var turns: [Turn] = []
    for place in line.indices.dropFirst().dropLast() {
      guard let before = bearing(to: place), let after = bearing(from: place) else { continue }
      let turn = Turn(
        place: place, change: BearingCalculator.normalizedChange(after - before), bearing: after)
      guard abs(turn.change) >= config.slightTurnThresholdDegrees else { continue }
      if let last = turns.last, distances[place] - distances[last.place] <= reach,
        (last.change < 0) == (turn.change < 0)
      {
        if abs(turn.change) > abs(last.change) { turns[turns.count - 1] = turn }
      } else {
        turns.append(turn)
      }
    }
    return turns
  }
}
