// SPDX-License-Identifier: Apache-2.0

/// A walk whose time is known, as stretches that a profile can time.
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
    /// The index of its tags in ``TimedWalks/tagSets``; nil where they are unknown, and then nothing
    /// slows it down.
    package var tagSet: Int?
    /// Whether it was walked against the direction of its way.
    package var isReversed = false
    /// Its seconds if it is a ferry, whatever the profile says.
    package var ferrySeconds: Double?

    /// Describes a stretch whose tags are unknown.
    package init(distance: Double, up: Double, down: Double) {
      (self.distance, self.up, self.down) = (distance, up, down)
    }
  }

  /// What it is called.
  package var name: String
  /// What it was walked with: the id of its dataset, or nil. What is fitted on one dataset is tried on
  /// the others.
  package var dataset: String?
  /// Walks of one source, such as the tracks of a file, are of the same people: they are never
  /// divided between what is fitted and what is tried. Nil for one on its own.
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
