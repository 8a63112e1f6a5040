// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The slowdown of a way compared with the time model, by its tags.
///
/// Models are made for good paths: a grade of the SAC scale, steps or deep ground slow everyone
/// down. The tags of a way describe the same roughness in several words, so the slowdown of a way
/// is the greatest of its tags' factors, not their product; 1 if they have none. It multiplies the
/// time of the model, and costs according to ``CostProfile/slowdownWeight``.
package struct Slowdown: Equatable, Sendable {
  /// Factors by `surface`.
  package var surfaces: [String: Double] = [:]
  /// Factors by `highway` of ways without `surface` and `tracktype`.
  package var unknownSurfaces: [String: Double] = [:]
  /// Factors by `tracktype` if `surface` is missing or not in ``surfaces``.
  package var tracktypes: [String: Double] = [:]
  /// Factors by the hardest grade of `sac_scale`.
  package var sacScale: [String: Double] = [:]
  /// Factors by `highway`, whatever its surface.
  package var highways: [String: Double] = [:]
  /// Factors by `trail_visibility`.
  package var trailVisibility: [String: Double] = [:]
  /// Factors by `smoothness`.
  package var smoothness: [String: Double] = [:]
  /// Factors by `mtb:scale`, `0` to `6`.
  package var mtbScale: [String: Double] = [:]
  /// Factors by ``TagRules/AccessClass``, such as `dismount` for pushing a bicycle.
  package var access: [String: Double] = [:]

  /// No slowdown.
  package init() {}

  /// The factor of a way, ≥ 1.
  ///
  /// - Parameter grade: The effective grade.
  func factor(_ tags: TagList, _ grade: SACScale?, access accessClass: AccessClass) -> Double {
    let surface = tags["surface"]
    let tracktype = tags["tracktype"]
    let highway = tags["highway"]
    var greatest = 1.0
    func consider(_ table: [String: Double], _ key: String?) {
      if let factor = key.flatMap({ table[$0] }) { greatest = max(greatest, factor) }
    }
    if surface == nil, tracktype == nil { consider(unknownSurfaces, highway) }
    if surface.flatMap({ surfaces[$0] }) == nil { consider(tracktypes, tracktype) }
    consider(surfaces, surface)
    consider(sacScale, grade?.rawValue)
    consider(highways, highway)
    consider(trailVisibility, tags["trail_visibility"])
    consider(smoothness, tags["smoothness"])
    consider(mtbScale, tags["mtb:scale"]?.first.map { "\($0)" })
    consider(access, accessClass.rawValue)
    return greatest
  }
}
