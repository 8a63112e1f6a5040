// SPDX-License-Identifier: Apache-2.0

/// A roundabout that a route passes: one instruction, whatever happens on it.
struct Roundabout {
  /// Where the route enters it.
  let entry: Junction
  /// Where the route leaves it.
  let exit: Junction
  /// The junctions that it replaces: from its entry to its exit, and those close by at which its arms
  /// part and join, as they do around traffic islands.
  let junctions: ClosedRange<Int>
  /// The direction from before it to after it, whichever way round the route leads.
  let direction: TurnDirection
  /// The bearing of the route after it.
  let bearing: Double
  /// Which of the exits for cars the route takes, counted from 1; nil where it takes none of them or
  /// leads round against the traffic.
  let exitNumber: Int?

  /// Smaller changes of direction than this are “straight”: the arms of a roundabout are seldom
  /// exactly opposite each other.
  private static let straightDegrees = 45.0
  /// Arms bend close to the roundabout, so directions are taken over a longer distance.
  private static let bearingFactor = 2.0
  /// The arms of a roundabout part at most this many metres before it.
  private static let islandMetres = 30.0

  /// The roundabout that a route enters at a junction; nil where it enters none there, or does not
  /// leave it again.
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
    let replaced = Self.withArms(index...exitIndex, junctions)
    self.junctions = replaced
    let arriving = lines.arriving(replaced.lowerBound, junctions, config)
    bearing = lines.leaving(replaced.upperBound + 1, junctions, config)
    let change = BearingCalculator.normalizedChange(bearing - arriving)
    config.straightThresholdDegrees = Self.straightDegrees
    direction = config.direction(ofChange: change)
    (self.entry, self.exit) = (entry, junctions[exitIndex])
    let isWithTraffic = passed.allSatisfy { !$0.arriving.isReversed }
    let exits = passed.dropLast().reduce(0) { $0 + ($1.others?.count { $0.isExit } ?? 0) }
    exitNumber = isWithTraffic && exit.after.isRoad ? exits + 1 : nil
  }

  private static func withArms(_ range: ClosedRange<Int>, _ junctions: [Junction])
    -> ClosedRange<Int>
  {
    let (entry, exit) = (junctions[range.lowerBound], junctions[range.upperBound])
    func isOfArm(_ index: Int) -> Bool {
      let junction = junctions[index]
      let metres = max(entry.distance - junction.distance, junction.distance - exit.distance)
      return metres <= islandMetres && !junction.isTurningBack && !junction.leavesOnRoundabout
        && junction.before.isSameWay(as: junction.after)
    }
    var (first, last) = (range.lowerBound, range.upperBound)
    while first > 0, isOfArm(first - 1) { first -= 1 }
    while last + 1 < junctions.count, isOfArm(last + 1) { last += 1 }
    return first...last
  }
}
