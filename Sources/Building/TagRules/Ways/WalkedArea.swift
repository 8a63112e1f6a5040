// SPDX-License-Identifier: Apache-2.0

/// What part of the outline of an area to walk on a way is. Such an area is walked along its outline,
/// and who walks there passes whatever closes the ways that leave it.
package enum WalkedArea: Sendable {
  /// The whole outline, or one of its rings.
  case ring
  /// A part of a ring.
  case part

  /// The tag that a way gets with those of a relation of the type
  /// ``TagSelection/areaRelationType`` whose area it bounds; no way keeps such a tag of its own.
  package static let memberTag = (key: "type", value: TagSelection.areaRelationType)

  /// The key by which a closed way says that it bounds an area.
  package static let key = "area"

  /// The values of `highway`, its own or given by ``TagSelection/walkways``, of ways that bound an
  /// area wherever they are closed. A closed pedestrian street is a round unless it has `area=yes`.
  package static let highways: Set<String> = ["elevator", "pier", "platform"]

  /// Judges a way by some of its tags; nil if it is a line.
  ///
  /// - Parameters:
  ///   - isMember: Whether it has ``memberTag``.
  ///   - area: The value of ``key``.
  ///   - isClosed: Whether it ends where it begins.
  package init?(isMember: Bool, area: String?, highway: String?, isClosed: Bool) {
    switch (isMember, isClosed) {
    case (true, true): self = .ring
    case (true, false): self = .part
    case (false, true) where area == "yes": self = .ring
    case (false, true) where area == nil && highway.map(Self.highways.contains) ?? false:
      self = .ring
    default: return nil
    }
  }
}
