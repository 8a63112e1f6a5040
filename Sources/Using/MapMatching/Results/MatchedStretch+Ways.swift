// SPDX-License-Identifier: Apache-2.0

extension MatchedStretch {
  /// Consecutive edges of one way in one direction.
  package struct WayPart: Sendable {
    /// The edges, at least one.
    package var edges: ArraySlice<MatchedEdge>
    /// The first edge, which describes the way.
    package var first: MatchedEdge
    /// The length of all of them.
    package var lengthMetres: Double { edges.reduce(0) { $0 + $1.lengthMetres } }
  }

  /// The ways in the order of travel. Edges of an unknown way are parts of their own.
  package var ways: [WayPart] {
    var ways: [WayPart] = []
    var start = 0
    for index in edges.indices {
      let isLast = index + 1 == edges.count
      let (one, next) = (edges[index], edges[isLast ? index : index + 1])
      let goesOn =
        !isLast && one.osmWayID == next.osmWayID && one.osmWayID != nil
        && one.isReversed == next.isReversed
      guard !goesOn else { continue }
      ways.append(WayPart(edges: edges[start...index], first: edges[start]))
      start = index + 1
    }
    return ways
  }
}
