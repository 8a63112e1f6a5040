// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRouting

/// The turns of a route in order, with the announcements already made.
package struct TurnSchedule: Sendable {
  /// A position with an action.
  package struct Turn: Sendable {
    /// The index of its instruction.
    package var instruction: Int
    /// The index in the `then` of that instruction; nil for the instruction itself.
    package var part: Int?
    /// Metres along the route.
    package var metres: Double
    /// Whether it is the arrival, which is announced but has no haptic tap.
    package var isArrival: Bool

    /// The event at the turn.
    package var event: GuidanceEvent.Kind {
      part.map { .atFollowingTurn(instruction: instruction, then: $0) }
        ?? .atTurn(instruction: instruction)
    }
  }

  /// A turn is passed this far beyond it; after that, the next turn is due within this distance.
  private static let passedMetres = 10.0

  /// In ascending order.
  package let turns: [Turn]
  /// The index of the instruction to start with, if any.
  private let start: Int?
  /// Of each turn, whether it was announced and whether it was tapped.
  private var announced: [Bool]
  private var tapped: [Bool]
  private(set) var next = 0

  /// Finds the turns of a route on its line.
  package init(_ route: PlannedRoute, _ line: RouteLine) {
    var turns: [Turn] = []
    var start: Int?
    for (index, instruction) in route.turnInstructions.enumerated() {
      if instruction.direction == .start {
        start = start ?? index
        continue
      }
      let position = (instruction.coordinate, instruction.cumulativeDistance)
      guard let metres = Self.metres(of: position, line) else { continue }
      let isArrival = instruction.direction == .arrive
      turns.append(Turn(instruction: index, metres: metres, isArrival: isArrival))
      for (part, following) in instruction.then.enumerated() where !isArrival {
        guard ![.start, .arrive].contains(following.direction),
          let metres = Self.metres(of: (following.coordinate, following.cumulativeDistance), line)
        else { continue }
        turns.append(Turn(instruction: index, part: part, metres: metres, isArrival: false))
      }
    }
    // Instructions from elsewhere may be in any order; equal ones keep theirs.
    self.turns = turns.sorted {
      ($0.metres, $0.instruction, $0.part ?? -1) < ($1.metres, $1.instruction, $1.part ?? -1)
    }
    self.start = start
    announced = Array(repeating: false, count: turns.count)
    tapped = announced
  }

  /// A coordinate on the line and within this distance of the stated distance is trusted.
  private static let nearbyMetres = 60.0
  private static let onLineMetres = 5.0

  /// The distance of a turn along the line: that of its coordinate if it is on the line there,
  /// otherwise its stated distance. Nil if neither is plausible.
  private static func metres(
    of turn: (coordinate: Coordinate, cumulativeDistance: Double), _ line: RouteLine
  ) -> Double? {
    guard turn.cumulativeDistance.isFinite else { return nil }
    let stated = min(max(turn.cumulativeDistance, 0), line.length)
    guard turn.coordinate.isValid else { return stated }
    let projection = LineProjection(turn.coordinate)
    var best: RouteLine.Position?
    var segment = line.position(at: max(stated - nearbyMetres, 0)).segment
    while segment < line.segmentCount, line.metres[segment] <= stated + nearbyMetres {
      let position = line.nearest(segment, to: projection)
      if position.distance < best?.distance ?? onLineMetres { best = position }
      segment += 1
    }
    return best?.metres ?? stated
  }

  /// The events at a position reached by following the route.
  mutating func advance(
    to metres: Double, _ config: RouteGuidanceConfig, accuracy: Double
  ) -> [GuidanceEvent.Kind] {
    var kinds: [GuidanceEvent.Kind] = []
    // The walker may have been matched before a turn already passed.
    let latest = max(min(config.atTurn + 2 * accuracy, 2 * config.atTurn), Self.passedMetres)
    while next < turns.count {
      let turn = turns[next]
      let ahead = turn.metres - metres
      let isMissed = ahead < -latest
      if tapped[next] || (isMissed && !turn.isArrival) {
        next += 1
        continue
      }
      // One turn after the other.
      if next > 0, turns[next - 1].metres - metres > Self.passedMetres { break }
      if turn.isArrival {
        if ahead > config.arrived(0), ahead <= config.approaching { announce(&kinds) }
        break
      }
      if ahead <= config.atTurn {
        kinds.append(turn.event)
        tapped[next] = true
        next += 1
        continue
      }
      if ahead <= config.approaching { announce(&kinds) }
      break
    }
    return kinds
  }

  private mutating func announce(_ kinds: inout [GuidanceEvent.Kind]) {
    guard !announced[next], turns[next].part == nil else { return }
    announced[next] = true
    kinds.append(.approaching(instruction: turns[next].instruction))
  }

  /// Moves to a position that was not reached by following the route. Turns before it are not
  /// announced unless the walker comes to them again.
  mutating func leap(to metres: Double) {
    next = turns.partitioningIndex { $0.metres > metres - Self.passedMetres }
    while next < turns.count, tapped[next] { next += 1 }
  }

  /// Announces turns again after the walker turned back to a position before them, if they are at
  /// least `ahead` metres further.
  mutating func repeatTurns(from metres: Double, ahead: Double) {
    for index in turns.indices where turns[index].metres > metres + ahead {
      announced[index] = false
      tapped[index] = false
    }
    leap(to: metres)
  }

  /// The turns remaining when the end is reached.
  mutating func finish() -> [GuidanceEvent.Kind] {
    let rest = (next..<turns.count).filter { !tapped[$0] && !turns[$0].isArrival }
    next = turns.count
    return rest.map { turns[$0].event }
  }

  /// Whether everything except the arrival has been announced.
  var isThrough: Bool { turns[next...].allSatisfy(\.isArrival) }

  private static let startMetres = 15.0

  /// The index of the instruction that holds at a position.
  func instruction(at metres: Double?) -> Int? {
    if let start, next == 0, metres ?? 0 < Self.startMetres { return start }
    return next < turns.count ? turns[next].instruction : nil
  }
}
