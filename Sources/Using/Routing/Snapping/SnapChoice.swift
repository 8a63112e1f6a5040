// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Chooses the edges that may stand for a point among those near it: the nearest one of the network
/// and, of each island that comes as near, the nearest one there. Of equally near edges the one with
/// the lowest id is chosen. All but the nearest one lie within ``otherWayMetres``.
///
/// A search with one point only, such as that for an isochrone, takes ``best``: an edge on an island,
/// from where little else can be reached, only if no edge of the network lies within the radius,
/// within ``otherWayMetres``, and within twice its own distance plus 50 m.
package struct SnapChoice: Sendable {
  /// An edge off islands is preferred up to this multiple of the distance of one on an island.
  static let islandDetourFactor = 2.0
  /// The metres that are added to that distance.
  static let islandDetourMetres = 50.0
  /// How far from a point a way may be, in metres, that stands for it instead of the nearest one:
  /// whoever asks for a route to a path does not mean another one further away.
  static let otherWayMetres = 100.0

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
    /// The island that the edge lies on.
    package fileprivate(set) var island: Island?

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

  /// A point counts for at most this many islands, the nearest ones.
  private static let mostIslands = 4

  private var mainland: Candidate?
  /// The nearest edge of each island that comes as near as the network, so far as that is known.
  private var islands: [Candidate] = []

  /// Begins a choice.
  package init() {}

  /// Considers an edge; `island` is called only where it matters.
  package mutating func add<Failure: Error>(
    _ candidate: Candidate, island: () throws(Failure) -> Island?
  ) throws(Failure) {
    guard mainland.map({ candidate.distanceMetres <= $0.distanceMetres }) ?? true else { return }
    guard let island = try island() else {
      if candidate.isNearer(than: mainland) { mainland = candidate }
      return
    }
    var candidate = candidate
    candidate.island = island
    guard let known = islands.firstIndex(where: { $0.island == island }) else {
      return islands.append(candidate)
    }
    if candidate.isNearer(than: islands[known]) { islands[known] = candidate }
  }

  /// Whether no edge that is further away can be chosen any more.
  package var isFinal: Bool { mainland != nil }

  /// The choice for a search with one point only.
  package var best: Candidate? {
    guard let island = islands.min(by: { $0.isNearer(than: $1) }) else { return mainland }
    guard let mainland else { return island }
    return mainland.isNearer(than: island)
      || mainland.distanceMetres <= Self.limit(beside: island.distanceMetres) ? mainland : island
  }

  /// The choices for a route, the nearest one first.
  package var candidates: [Candidate] {
    if islands.isEmpty { return mainland.map { [$0] } ?? [] }
    let limit = mainland?.distanceMetres ?? .infinity
    let near = islands.filter { $0.distanceMetres <= limit }.sorted { $0.isNearer(than: $1) }
    let all = near.prefix(Self.mostIslands) + (mainland.map { [$0] } ?? [])
    return all.prefix(1) + all.dropFirst().filter { $0.distanceMetres <= Self.otherWayMetres }
  }

  /// Up to which distance another edge is about as near as one at a distance, in metres.
  static func limit(beside metres: Double) -> Double {
    min(metres * islandDetourFactor + islandDetourMetres, otherWayMetres)
  }
}
