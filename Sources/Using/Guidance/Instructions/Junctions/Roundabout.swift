// SPDX-License-Identifier: Apache-2.0

/// A roundabout on a route, which gets a single instruction.
struct Roundabout {
  /// The junction at which the route enters it.
  let entry: Junction
  /// The junction at which the route leaves it.
  let exit: Junction
  /// The junctions that it replaces: those from its entry to its exit, and nearby ones at which its
  /// arms part and join around traffic islands.
  let junctions: ClosedRange<Int>
  /// The direction from before it to after it, regardless of the way round.
  let direction: TurnDirection
  /// The bearing of the route after it.
  let bearing: Double
  /// The exit for cars that the route takes, counted from 1; nil if it takes none of them or goes
  /// round against the traffic.
  let exitNumber: Int?

  /// Smaller changes of direction than this are “straight”: the arms of a roundabout are seldom
  /// exactly opposite each other.
  private static let straightDegrees = 45.0
  /// The factor on the distance for bearings, since arms bend close to the roundabout.
  private static let bearingFactor = 2.0
  /// The greatest bend of an arm where it parts around an island, in degrees; more is a turn.
  private static let armDegrees = 60.0
  /// The farthest point before a roundabout, in metres, at which its arms part.
  private static let islandMetres = 30.0

  /// The roundabout entered at a junction; nil if the route enters none there or does not leave it.
  init?(
    enteredAt index: Int, _ junctions: [Junction], _ lines: RouteLines,
    _ config: TurnInstructionConfig
  ) {
    let entry = junctions[index]
    guard entry.leavesOnRoundabout, !entry.arrivesOnRoundabout,
      let exitIndex = junctions[(index + 1)...].firstIndex(where: { !$0.leavesOnRoundabout })
    else { return nil }
    let passed = junctions[index + 1...exitIndex]
    // A via point on the roundabout may make the route turn back.
    guard !passed.contains(where: \.isTurningBack) else { return nil }
    var config = config
    config.bearingDistanceMetres *= Self.bearingFactor
    let replaced = Self.withArms(index...exitIndex, junctions, lines, config)
    self.junctions = replaced
    let arriving = lines.arriving(replaced.lowerBound, junctions, config)
    bearing = lines.leaving(replaced.upperBound + 1, junctions, config)
    let change = BearingCalculator.normalizedChange(bearing - arriving)
    config.straightThresholdDegrees = Self.straightDegrees
    (self.entry, self.exit) = (entry, junctions[exitIndex])
    let goesBack =
      entry.arriving.id == exit.leaving.id
      || entry.before.isRoad && entry.before.name != nil
        && entry.before.name == exit.after.name
    direction = goesBack ? config.direction(ofChange: change) : config.turn(ofChange: change)
    let isWithTraffic = passed.allSatisfy { !$0.arriving.isReversed }
    let exits = passed.dropLast().reduce(0) { $0 + ($1.others?.count { $0.isExit } ?? 0) }
    exitNumber = isWithTraffic && exit.after.isRoad ? exits + 1 : nil
  }

  private static func withArms(
    _ range: ClosedRange<Int>, _ junctions: [Junction], _ lines: RouteLines,
    _ config: TurnInstructionConfig
  ) -> ClosedRange<Int> {
    let (entry, exit) = (junctions[range.lowerBound], junctions[range.upperBound])
    func isOfArm(_ index: Int) -> Bool {
      let junction = junctions[index]
      let metres = max(entry.distance - junction.distance, junction.distance - exit.distance)
      guard metres <= islandMetres, !junction.isTurningBack, !junction.leavesOnRoundabout,
        junction.before.isSameWay(as: junction.after)
      else { return false }
      let change = BearingCalculator.normalizedChange(
        lines.leaving(index + 1, junctions, config) - lines.arriving(index, junctions, config))
      return abs(change) <= armDegrees
    }
    var (first, last) = (range.lowerBound, range.upperBound)
    while first > 0, isOfArm(first - 1) { first -= 1 }
    while last + 1 < junctions.count, isOfArm(last + 1) { last += 1 }
    return first...last
  }
}
