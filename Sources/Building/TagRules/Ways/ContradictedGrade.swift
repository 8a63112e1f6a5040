// SPDX-License-Identifier: Apache-2.0

// A way for tractors needs no hands, and where a bicycle rides with ease nobody climbs. Yet some ways have
// the tags of such a way and a grade from T4 on: one of them is wrong, and no program knows which.

extension HazardRule.Condition {
  /// A way that is as wide as a car.
  static let track = Self("highway", .only(["track"]))
  /// Up to S2 of the single-trail scale: roots, stones and flat steps.
  static let easyRiding = Self(
    "mtb:scale", .only(["0", "1", "2"].flatMap { [$0, "\($0)+", "\($0)-"] }))
  /// A firm track.
  static let firmTrack = Self(
    "tracktype", .only(["grade1", "grade2", "grade3", "grade4"]))
}

extension SACScale {
  /// What the grade of a way counts as, given its other tags; nil if it has none.
  ///
  /// From T4 on, a grade counts as T3 where two other tags contradict it: a `highway=track` that is firm
  /// or easy to ride. A single one is no proof, and the harder tag holds. Either is said to those who walk
  /// there, see ``HazardKind/contradictoryGrade``.
  package init?(judging tags: TagList) {
    guard let grade = tags["sac_scale"].flatMap({ SACScale(hardestOf: $0) }) else { return nil }
    let isDisproved =
      grade >= .t4 && HazardRule.Condition.track.holds(tags)
      && (HazardRule.Condition.easyRiding.holds(tags)
        || HazardRule.Condition.firmTrack.holds(tags))
    self = isDisproved ? .t3 : grade
  }
}
