// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Chooses candidate edges near a point: the nearest one of the network and, of each island at most
/// as far, the nearest one there. Of equally near edges the one with the lowest id is chosen. All
/// except the nearest one lie within ``otherWayMetres``.
///
/// A search from a single point, such as that for an isochrone, uses ``best``: an edge on an
/// island, from which little else is reachable, only if no edge of the network lies within the
/// radius, within ``otherWayMetres``, and within twice its own distance plus 50 m.
///
/// Edges of a ``LastResortWay`` count only if there are no others.
package struct SnapChoice: Sendable {
  /// An edge off islands is preferred up to this multiple of the distance of one on an island.
  static let islandDetourFactor = 2.0
  /// The metres that are added to that distance.
  static let islandDetourMetres = 50.0
  /// The greatest distance in metres of a way that replaces the nearest one: a user who asks for a
  /// route to a path does not mean another one further away.
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
    /// The island of the edge.
    package fileprivate(set) var island: Island?
    /// The kind of the edge's way if that is a last resort.
    package fileprivate(set) var lastResort: LastResortWay?

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

  /// The most islands for a point, nearest first.
  private static let mostIslands = 4

  /// The nearest edges of some kind.
  private struct Nearest {
    var mainland: Candidate?
    /// The nearest edge of each island that is at most as far as the network, as far as known.
    var islands: [Candidate] = []

    var isEmpty: Bool { mainland == nil && islands.isEmpty }

    /// Whether an edge is not further away than the network.
    func mayTake(_ candidate: Candidate) -> Bool {
      mainland.map { candidate.distanceMetres <= $0.distanceMetres } ?? true
    }

    mutating func take(_ candidate: Candidate) {
      guard let island = candidate.island else {
        if candidate.isNearer(than: mainland) { mainland = candidate }
        return
      }
      guard let known = islands.firstIndex(where: { $0.island == island }) else {
        return islands.append(candidate)
      }
      if candidate.isNearer(than: islands[known]) { islands[known] = candidate }
    }
  }

  private var usual = Nearest()
  private var lastResorts = Nearest()
  private var nearest: Nearest { usual.isEmpty ? lastResorts : usual }

  /// Begins a choice.
  package init() {}

  /// Considers an edge; `lastResort` and `island` are called only if it matters.
  package mutating func add<Failure: Error>(
    _ candidate: Candidate, lastResort: () throws(Failure) -> LastResortWay?,
    island: () throws(Failure) -> Island?
  ) throws(Failure) {
    guard usual.mayTake(candidate) else { return }
    var candidate = candidate
    candidate.lastResort = try lastResort()
    if candidate.lastResort == nil {
      candidate.island = try island()
      usual.take(candidate)
    } else if usual.isEmpty, lastResorts.mayTake(candidate) {
      candidate.island = try island()
      lastResorts.take(candidate)
    }
  }

  /// Whether no edge further away can be chosen any more.
  package var isFinal: Bool { usual.mainland != nil }

  /// The choice for a search from a single point.
  package var best: Candidate? {
    let (mainland, islands) = (nearest.mainland, nearest.islands)
    guard let island = islands.min(by: { $0.isNearer(than: $1) }) else { return mainland }
    guard let mainland else { return island }
    return mainland.isNearer(than: island)
      || mainland.distanceMetres <= Self.limit(beside: island.distanceMetres) ? mainland : island
  }

  /// The choices for a route, nearest first.
  package var candidates: [Candidate] {
    let (mainland, islands) = (nearest.mainland, nearest.islands)
    if islands.isEmpty { return mainland.map { [$0] } ?? [] }
    let limit = mainland?.distanceMetres ?? .infinity
    let near = islands.filter { $0.distanceMetres <= limit }.sorted { $0.isNearer(than: $1) }
    let all = near.prefix(Self.mostIslands) + (mainland.map { [$0] } ?? [])
    return all.prefix(1) + all.dropFirst().filter { $0.distanceMetres <= Self.otherWayMetres }
  }

  /// The distance up to which another edge is about as near as one at a given distance, in metres.
  static func limit(beside metres: Double) -> Double {
    min(metres * islandDetourFactor + islandDetourMetres, otherWayMetres)
  }
}
