// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// The makeup of routes, by length.
package struct RouteMakeup: Codable, Equatable, Sendable {
  /// The length of all of them in metres.
  package var metres = 0.0
  /// The length by `highway`, the longest first; of ferries as `ferry`.
  package var roadClasses: [MakeupPart] = []
  /// The length by `surface`, longest first; `unknown` if not tagged.
  package var surfaces: [MakeupPart] = []
  /// The length by grade of the SAC scale, in order: `strolling`, `T1` … `T6`, then `none` if not
  /// tagged.
  package var grades: [MakeupPart] = []
  /// The length along waymarked routes in metres: hiking routes, or cycling routes if the base is a
  /// profile for cycling.
  package var waymarkedMetres = 0.0

  /// The length by gradient in the direction of travel, in percent, in order: `below -40`,
  /// `-40 to -25` … `above 40`, then `unknown` without elevations. A bound belongs to the gentler
  /// class. Nil in comparisons of earlier versions.
  package var gradients: [MakeupPart]? = []

  /// Nothing.
  package init() {}

  /// The names of ``gradients`` in their order.
  package static let gradientNames = RouteSteepness.classNames + [EdgeClasses.unknown]
  /// A name of ``gradients`` for people: `−25 to −10 %`.
  package static func gradientTitle(_ name: String) -> String {
    name == EdgeClasses.unknown ? name : name.replacing("-", with: "\u{2212}") + " %"
  }
  private static let steepDescentNames = Set(
    zip(RouteSteepness.boundsPercent, RouteSteepness.classNames).filter {
      Double($0.0) <= -RouteSteepness.steepDescentPercent
    }.map(\.1))

  /// The share of descents steeper than 25 % in the length with a known gradient, 0…1; nil if there
  /// is none.
  package var steepDescentShare: Double? {
    let known = (gradients ?? []).filter { $0.name != EdgeClasses.unknown }
    let metres = known.reduce(0) { $0 + $1.metres }
    guard metres > 0 else { return nil }
    let steep = known.filter { Self.steepDescentNames.contains($0.name) }
    return steep.reduce(0) { $0 + $1.metres } / metres
  }
}

/// A part of the makeup.
package struct MakeupPart: Codable, Equatable, Sendable {
  /// The class.
  package var name: String
  /// Its length.
  package var metres: Double

  /// Describes a part.
  package init(name: String, metres: Double) { (self.name, self.metres) = (name, metres) }
}
