// SPDX-License-Identifier: Apache-2.0

/// A stretch of a route across an area such as a square, or along its outline, which gets a single
/// instruction however many corners it has.
struct AreaCrossing {
  /// The junction at which the route comes to the area.
  let entry: Junction
  /// The area.
  let area: WayLabel
  /// The junction at which it leaves it; nil if it ends there.
  let exit: Junction?
  /// The junctions on the area, from its entry to its exit, unless that is the entry of another
  /// area.
  let junctions: ClosedRange<Int>
  /// The direction from the way that leads to the area to the place where the route leaves it.
  let direction: TurnDirection
  /// The bearing from where the route comes to the area to where it leaves it.
  let bearing: Double

  /// The area that the route comes to at a junction; nil if there is none, if the route turns back
  /// on it, or if nothing needs saying there.
  init?(
    enteredAt index: Int, _ junctions: [Junction], _ lines: RouteLines, _ decisions: [TurnDecision],
    _ config: TurnInstructionConfig
  ) {
    let entry = junctions[index]
    guard entry.after.isArea, !entry.staysOnArea else { return nil }
    let exitIndex = junctions[(index + 1)...].firstIndex { !$0.staysOnArea }
    let last = exitIndex ?? junctions.count - 1
    guard !junctions[index...last].contains(where: \.isTurningBack),
      let start = lines.start(ofEdge: index + 1),
      let end = lines.end(ofEdge: exitIndex ?? junctions.count)
    else { return nil }
    self.entry = entry
    let labels = junctions[index...last].map(\.after).filter(\.isArea)
    area = labels.first { $0.name != nil } ?? entry.after
    exit = exitIndex.map { junctions[$0] }
    self.junctions = index...(exit?.after.isArea ?? false ? last - 1 : last)
    bearing =
      start == end
      ? decisions[index].leaving : BearingCalculator.bearing(from: start, to: end)
    direction = config.turn(ofChange: bearing - decisions[index].arriving)
    let isStraight = direction == .straight
    if isStraight, decisions[index...last].allSatisfy({ $0.direction == nil }) { return nil }
  }
}
