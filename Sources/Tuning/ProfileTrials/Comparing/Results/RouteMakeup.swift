// SPDX-License-Identifier: Apache-2.0

/// What routes are made of, by length.
package struct RouteMakeup: Codable, Equatable, Sendable {
  /// The length of all of them in metres.
  package var metres = 0.0
  /// The length by `highway`, the longest first; of ferries as `ferry`.
  package var roadClasses: [MakeupPart] = []
  /// The length by `surface`, the longest first; `unknown` where it is not tagged.
  package var surfaces: [MakeupPart] = []
  /// The length by grade of the SAC scale, in their order: `strolling`, `T1` … `T6`, then `none` where
  /// it is not tagged.
  package var grades: [MakeupPart] = []
  /// The length along waymarked routes in metres: hiking routes, or cycling routes where the base is a
  /// profile for cycling.
  package var waymarkedMetres = 0.0

  /// Nothing.
  package init() {}
}

/// A part of what routes are made of.
package struct MakeupPart: Codable, Equatable, Sendable {
  /// What it is.
  package var name: String
  /// Its length.
  package var metres: Double

  /// Describes a part.
  package init(name: String, metres: Double) { (self.name, self.metres) = (name, metres) }
}
