// SPDX-License-Identifier: Apache-2.0

/// Equipment that must be climbed on a way, whatever its `highway`: a via ferrata, a ladder or an
/// assisted trail.
///
/// A `safety_rope` alone is not equipment: paths of grade T3 have ropes where they are exposed, and
/// their `sac_scale` says so.
package enum Equipment: String, Sendable, CaseIterable {
  /// `highway=via_ferrata`, or a `via_ferrata_scale` above 0.
  case viaFerrata = "via_ferrata"
  /// `highway=ladder`, or a `ladder` on the way.
  case ladder
  /// Rungs or pins in the rock, or an `assisted_trail`.
  case assistedTrail = "assisted_trail"

  /// The hardest equipment of a way; nil if it has none.
  package init?(_ tags: WayTags) { self.init(WayKind(tags)) }

  /// The hardest equipment of a kind of way; nil if it has none.
  package init?(_ kind: WayKind) {
    if kind.contains(.viaFerrata) {
      self = .viaFerrata
    } else if kind.contains(.ladder) {
      self = .ladder
    } else if !kind.isDisjoint(with: [.assistedTrail, .rungs]) {
      self = .assistedTrail
    } else {
      return nil
    }
  }

  /// The factor of a way with this equipment in a profile that has these factors by `highway`.
  ///
  /// Via ferratas, ladders and assisted trails are closed to every profile that does not list
  /// them.
  package func factor(in highways: [String: Double]) -> Double { highways[rawValue] ?? .infinity }
}
