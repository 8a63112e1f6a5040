// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

extension TurnInstructionGenerator {
  /// Makes instructions for a line without a graph, such as a GPX track. Since its junctions are
  /// unknown, each turn gets an instruction.
  ///
  /// A turn is a point at which the directions over ``TurnInstructionConfig/bearingDistanceMetres``
  /// before and after it differ by more than ``TurnInstructionConfig/slightTurnThresholdDegrees``,
  /// and by more than at the points around it. With ``TurnInstructionConfig/announcesEveryTurn``,
  /// ``TurnInstructionConfig/straightThresholdDegrees`` applies instead.
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
        turn.isBack ? .uTurn : config.turn(ofChange: turn.change), at: line[turn.index],
        distance: changes.distances[turn.index], bearing: turn.bearing)
    }
    list.end(
      at: end, distance: changes.distances.last ?? 0,
      bearing: changes.bearing(to: line.count - 1) ?? 0)
    return list.instructions
  }
}

/// The changes of direction of a line.
private struct LineChanges {
  struct Turn {
    var index: Int
    /// Degrees, positive to the right.
    var change: Double
    /// The direction afterwards.
    var bearing: Double
    /// Whether the line goes back over its own points.
    var isBack: Bool
  }

  /// The least distance between two points, which limits how many lie within reach of each other.
  private static let spacingMetres = 0.5
  /// A line that is nowhere farther from where it came goes back over its own points.
  private static let backMetres = 1.0

  private let reach: Double
  /// The line without points that nearly equal the previous one.
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

  /// The bearing after a point.
  func bearing(from index: Int) -> Double? {
    BearingCalculator.bearing(along: line[index...], metres: reach)
  }

  /// The bearing before a point.
  func bearing(to index: Int) -> Double? {
    BearingCalculator.bearing(along: line[...index].reversed(), metres: reach)
      .map { BearingCalculator.normalized($0 + 180) }
  }

  /// Whether the line goes back from a point over those before it.
  private func isBack(at index: Int) -> Bool {
    let last = line[index...].indices.first { distances[$0] - distances[index] >= reach }
    let ahead = (index + 1)...(last ?? line.count - 1)
    let span = distances[ahead.upperBound] - distances[index]
    var first = index
    while first > 0, distances[index] - distances[first] < span { first -= 1 }
    let before = Array(line[first...index])
    return ahead.allSatisfy {
      LineProjection(line[$0]).nearest(on: before).map { $0.distanceMetres <= Self.backMetres }
        ?? false
    }
  }

  /// The turns in order; of several to the same side within reach, the sharpest.
  func turns(_ config: TurnInstructionConfig) -> [Turn] {
    let least =
      config.announcesEveryTurn
      ? config.straightThresholdDegrees : config.slightTurnThresholdDegrees
    var turns: [Turn] = []
    for index in line.indices.dropFirst().dropLast() {
      guard let before = bearing(to: index), let after = bearing(from: index) else { continue }
      let change = BearingCalculator.normalizedChange(after - before)
      guard abs(change) > least else { continue }
      let isBack = abs(change) > config.uTurnThresholdDegrees && isBack(at: index)
      let turn = Turn(index: index, change: change, bearing: after, isBack: isBack)
      // Of going back, the sign is chance.
      if let last = turns.last, distances[index] - distances[last.index] <= reach,
        (last.change < 0) == (turn.change < 0) || last.isBack || isBack
      {
        let isSharper = abs(change) > abs(last.change)
        if isBack && !last.isBack || isSharper && isBack == last.isBack {
          turns[turns.count - 1] = turn
        }
      } else {
        turns.append(turn)
      }
    }
    return turns
  }
}
