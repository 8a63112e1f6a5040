// SPDX-License-Identifier: Apache-2.0

/// What one must be able to climb on a way, whatever kind of way it is drawn as.
///
/// No profile leads anybody there that does not say so. A `safety_rope` alone is none of it: paths
/// of grade T3 have ropes at exposed places, and their `sac_scale` tells.
package enum Equipment: String, Sendable, CaseIterable {
  /// `highway=via_ferrata`, or a `via_ferrata_scale` above 0.
  case viaFerrata = "via_ferrata"
  /// `highway=ladder`, or a `ladder` on the way.
  case ladder
  /// Rungs or pins in the rock, or an `assisted_trail`.
  case assistedTrail = "assisted_trail"

  /// What a way has, the hardest of it; nil for one that is walked.
  package init?(_ tags: WayTags) {
    func has(_ key: String) -> Bool { !["", "no", "0"].contains(tags[key] ?? "") }
    if tags["highway"] == "via_ferrata" || has("via_ferrata_scale") {
      self = .viaFerrata
    } else if tags["highway"] == "ladder" || has("ladder") {
      self = .ladder
    } else if has("assisted_trail") || has("rungs") {
      self = .assistedTrail
    } else {
      return nil
    }
  }
}
