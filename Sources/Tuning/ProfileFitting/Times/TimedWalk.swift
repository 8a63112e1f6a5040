// SPDX-License-Identifier: Apache-2.0

/// A walk with a known time, as stretches that a profile can time.
package struct TimedWalk: Sendable, Equatable {
  /// A part of a walk, in the direction of travel.
  package struct Stretch: Sendable, Equatable {
    /// Metres of the whole stretch.
    package var distance: Double
    /// Metres climbed on it.
    package var up: Double
    /// Metres descended on it.
    package var down: Double
    /// The share of its time that the walk took: below 1 for the part of an edge.
    package var share = 1.0
    /// The index of its tags in ``TimedWalks/tagSets``; nil if unknown, in which case nothing slows
    /// it down.
    package var tagSet: Int?
    /// Whether it was walked against the direction of its way.
    package var isReversed = false
    /// Its seconds if it is a ferry, whatever the profile.
    package var ferrySeconds: Double?

    /// Describes a stretch with unknown tags.
    package init(distance: Double, up: Double, down: Double) {
      (self.distance, self.up, self.down) = (distance, up, down)
    }
  }

  /// The name.
  package var name: String
  /// The id of its dataset, or nil. A fit on one dataset is tested on the others.
  package var dataset: String?
  /// The source: walks of one source, such as the tracks of a file, are by the same people and are
  /// never divided between fitting and testing. Nil for a separate walk.
  package var source: String?
  /// How long it took, without rests.
  package var seconds: Double
  /// Its stretches, at least one.
  package var stretches: [Stretch]

  /// Describes a walk.
  package init(
    name: String, dataset: String? = nil, source: String? = nil, seconds: Double,
    stretches: [Stretch]
  ) {
    (self.name, self.dataset, self.source) = (name, dataset, source)
    (self.seconds, self.stretches) = (seconds, stretches)
  }

  /// Its length in metres.
  package var distanceMetres: Double { stretches.reduce(0) { $0 + $1.distance * $1.share } }
  /// Metres climbed.
  package var ascentMetres: Double { stretches.reduce(0) { $0 + $1.up * $1.share } }
  /// Metres descended.
  package var descentMetres: Double { stretches.reduce(0) { $0 + $1.down * $1.share } }
}
