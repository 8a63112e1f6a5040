// SPDX-License-Identifier: Apache-2.0

/// Chooses the edge of a route's end among those near a point: the nearest one. An edge on an
/// island, from where little else can be reached, is chosen only if no edge off islands lies within
/// the radius and within twice its own distance plus 50 m. Of equally near edges the one with the
/// lowest id is chosen.
package struct SnapChoice: Sendable {
  /// An edge off islands is preferred up to this multiple of the distance of one on an island.
  static let islandDetourFactor = 2.0
  /// The metres that are added to that distance.
  static let islandDetourMetres = 50.0

  /// A position on one of the edges.
  package struct Candidate: Sendable {
    /// Metres from the point.
    package var distanceMetres: Double
    /// The id of the edge, for ties.
    package var id: Int64
    /// The index of the edge in the caller's list.
    package var index: Int
    /// The position on the line of the edge.
    package var position: LineProjection.Position

    /// Describes a position.
    package init(id: Int64, index: Int, position: LineProjection.Position) {
      distanceMetres = position.distanceMetres
      self.id = id
      self.index = index
      self.position = position
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

  /// Considers an edge; `isOnIsland` is called only where it matters.
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

  /// Whether no edge that is further away can be chosen any more.
  package var isFinal: Bool { mainland != nil }

  /// The choice among the candidates.
  package var best: Candidate? {
    guard let island else { return mainland }
    guard let mainland else { return island }
    let limit = island.distanceMetres * Self.islandDetourFactor + Self.islandDetourMetres
    return mainland.isNearer(than: island) || mainland.distanceMetres <= limit ? mainland : island
  }
}
