// SPDX-License-Identifier: Apache-2.0

/// Instructions where a route goes straight on: steps or a ford begin, or the way changes its name.
struct StraightOn {
  private let junctions: [Junction]
  private let names: NameChanges
  private let config: TurnInstructionConfig
  /// The feature that the route left last, and where.
  private var left: (kind: WayFeature.Kind, distance: Double)?

  init(_ junctions: [Junction], totalDistance: Double, _ config: TurnInstructionConfig) {
    self.junctions = junctions
    self.config = config
    names = NameChanges(junctions, totalDistance: totalDistance)
  }

  /// The phrase at a junction without a turn. Call it for all junctions in order.
  ///
  /// - Parameter change: The change of direction in degrees.
  mutating func phrase(at index: Int, change: Double) -> InstructionPhrase? {
    let junction = junctions[index]
    let (before, after) = (junction.before.feature, junction.after.feature)
    if before?.kind != after?.kind {
      defer { if let before { left = (before.kind, junction.distance) } }
      if let after, after.isHurdle || junction.isChoice, !isSameAgain(after, junction.distance) {
        return InstructionPhrase.ahead(junction.after)
      }
    }
    let isStraight = abs(change) <= config.slightTurnThresholdDegrees
    guard config.announcesNameChanges, isStraight, junction.isChoice,
      names.isWorthSaying(at: index)
    else { return nil }
    return InstructionPhrase.continued(junction.after)
  }

  /// Whether it is the next flight of the same steps.
  private func isSameAgain(_ feature: WayFeature, _ distance: Double) -> Bool {
    guard let left, left.kind == feature.kind else { return false }
    return distance - left.distance < config.minimumInstructionSpacingMetres
  }
}
