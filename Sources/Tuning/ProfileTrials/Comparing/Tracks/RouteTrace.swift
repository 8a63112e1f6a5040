// SPDX-License-Identifier: Apache-2.0
import CairnMapMatching
import CairnRouting

/// The parts of edges used by a route or a matched track, in the order of travel. Barrier edges,
/// which have no length, are left out.
package struct RouteTrace: Equatable, Sendable {
  /// A part of an edge.
  struct Part: Equatable, Sendable {
    /// The index of the edge in the network.
    var edge: Int32
    /// Whether it is used against the direction of its row.
    var isReversed: Bool
    /// Its start in the direction of the row, 0…1.
    var from: Double
    /// Its end, beyond ``from``.
    var to: Double
    /// Its length.
    var metres: Double
  }

  private(set) var parts: [Part] = []

  /// The length in metres.
  package var metres: Double { parts.reduce(0) { $0 + $1.metres } }

  /// The parts of a route.
  init(_ route: ComputedRoute, _ network: RoadNetwork) {
    parts.reserveCapacity(route.edges.count)
    for edge in route.edges where edge.distance > 0 {
      guard let index = network.index(ofEdge: edge.id) else { continue }
      var (from, to) = (edge.part?.start ?? 0, edge.part?.end ?? 1)
      if edge.isReversed { (from, to) = (1 - to, 1 - from) }
      add(index, isReversed: edge.isReversed, from, to, edge.distance)
    }
  }

  /// The parts of some edges of a matched track.
  init(_ edges: some Sequence<MatchedEdge>, _ network: RoadNetwork) {
    for edge in edges where edge.lengthMetres > 0 {
      guard let index = network.index(ofEdge: edge.edge) else { continue }
      add(
        index, isReversed: edge.isReversed, min(edge.fromShare, edge.toShare),
        max(edge.fromShare, edge.toShare), edge.lengthMetres)
    }
  }

  private mutating func add(
    _ edge: Int, isReversed: Bool, _ from: Double, _ to: Double, _ metres: Double
  ) {
    parts.append(
      Part(
        edge: Int32(truncatingIfNeeded: edge), isReversed: isReversed, from: from, to: to,
        metres: metres))
  }

  /// The trace for look-ups by edge.
  func sorted() -> SortedTrace { SortedTrace(parts) }
}

/// The edges that a route uses, in either direction.
struct SortedTrace: Sendable {
  private let parts: [RouteTrace.Part]

  init(_ parts: [RouteTrace.Part]) {
    self.parts = parts.sorted { ($0.edge, $0.from, $0.to) < ($1.edge, $1.from, $1.to) }
  }

  /// The covered metres of each part of another trace, in order.
  func covered(_ other: RouteTrace) -> [Double] { other.parts.map(covered) }

  /// The covered metres of another trace.
  func coveredMetres(_ other: RouteTrace) -> Double {
    other.parts.reduce(0) { $0 + covered($1) }
  }

  private func covered(_ part: RouteTrace.Part) -> Double {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].edge < part.edge { low = middle + 1 } else { high = middle }
    }
    var (share, reached) = (0.0, part.from)
    while low < parts.count, parts[low].edge == part.edge {
      let (from, to) = (max(parts[low].from, reached), min(parts[low].to, part.to))
      if from < to {
        share += to - from
        reached = to
      }
      low += 1
    }
    let whole = part.to - part.from
    return whole > 0 && share < whole ? part.metres * (share / whole) : share > 0 ? part.metres : 0
  }
}
