// SPDX-License-Identifier: Apache-2.0

/// Chooses the edge of a route's end among those near a point: the nearest one, but one on an
/// island, from where little else can be reached, only if nothing better is near: not within the
/// radius, nor within twice its own distance and 50 m. Of edges equally near, the first row.
package struct SnapChoice: Sendable {
  /// How much further than a place on an island another one may lie to be taken instead.
  static let islandDetourFactor = 2.0
  static let islandDetourMetres = 50.0

  /// A place on one of the edges.
  package struct Candidate: Sendable {
    /// Metres from the point.
    package var distanceMetres: Double
    /// The row of the edge, for ties.
    package var id: Int64
    /// What the caller knows the edge by.
    package var number: Int
    /// Where on the edge.
    package var place: LineProjection.Place

    /// Describes a place.
    package init(id: Int64, number: Int, place: LineProjection.Place) {
      distanceMetres = place.distanceMetres
      self.id = id
      self.number = number
      self.place = place
    }

    fileprivate func isNearer(than other: Candidate?) -> Bool {
      guard let other else { return true }
      return (distanceMetres, id) < (other.distanceMetres, other.id)
    }
  }

  private var mainland: Candidate?
  private var island: Candidate?

  /// Begins a choice.
  package init() {}

  /// Looks at an edge; `isOnIsland` is asked only where it matters.
  package mutating func add<Failure: Error>(
    _ candidate: Candidate, isOnIsland: () throws(Failure) -> Bool
  ) throws(Failure) {
    guard candidate.isNearer(than: mainland) else { return }
    if try isOnIsland() {
      if candidate.isNearer(than: island) { island = candidate }
    } else {
      mainland = candidate
    }
  }

  /// Whether nothing that is further away can be chosen any more.
  package var isFinal: Bool { mainland != nil }

  /// The choice among what was added.
  package var best: Candidate? {
    guard let island else { return mainland }
    guard let mainland else { return island }
    let limit = island.distanceMetres * Self.islandDetourFactor + Self.islandDetourMetres
    return mainland.isNearer(than: island) || mainland.distanceMetres <= limit ? mainland : island
  }
}
