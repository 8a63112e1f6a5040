// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The tags that the costs of edges were computed from: few distinct sets, and for each edge which
/// of them it has.
package struct EdgeTagSets: Sendable {
  /// The distinct sets.
  package private(set) var sets: [[String: String]] = []
  /// The index of each edge's set, in the order of the request.
  package private(set) var ofEdges: [Int32] = []
  /// The index of the set of the barrier that an edge represents; ``none`` where it represents none.
  package private(set) var ofBarriers: [Int32] = []

  /// Stands for an edge that is not a barrier.
  package static let none: Int32 = -1

  /// Makes tag sets for a number of edges, to which those of several databases are added.
  init(count: Int) {
    ofEdges = Array(repeating: 0, count: count)
    ofBarriers = Array(repeating: Self.none, count: count)
  }

  /// Adds those of one database for the edges with some indices.
  mutating func add(_ other: EdgeTagSets, at indices: [Int]) {
    let first = Int32(truncatingIfNeeded: sets.count)
    sets += other.sets
    for (number, index) in indices.enumerated() {
      ofEdges[index] = first + other.ofEdges[number]
      let barrier = other.ofBarriers[number]
      ofBarriers[index] = barrier == Self.none ? barrier : first + barrier
    }
  }
}

extension RoutingStore {
  /// The tag sets of some edges; nil if the database lacks any of them.
  ///
  /// - Parameter edges: Their ids, best ascending, and whether each may represent a barrier, which
  ///   has no length.
  package func tagSets(ofEdges edges: [(id: Int64, mayBeBarrier: Bool)])
    throws(RoutingError) -> EdgeTagSets?
  {
    if let joined { return try joined.tagSets(ofEdges: edges) }
    return try read { database throws(CairnError) in
      guard database.tagLayout != .none else { return nil }
      return try EdgeTagSets(edges, database)
    }
  }
}

extension EdgeTagSets {
  fileprivate init?(
    _ edges: [(id: Int64, mayBeBarrier: Bool)], _ database: OpenDatabase
  ) throws(CairnError) {
    var indices: [Int64: Int32] = [:]
    let row = try database.statement(
      "SELECT tagset, key, value FROM routing_tags ORDER BY tagset, key")
    var last: Int64?
    while try row.step() {
      let number = row.integer(0)
      if number != last {
        last = number
        indices[number] = Int32(truncatingIfNeeded: sets.count)
        sets.append([:])
      }
      if let key = row.text(1), let value = row.text(2) { sets[sets.count - 1][key] = value }
    }
    // The set of a way without tags has no rows.
    let empty = Int32(truncatingIfNeeded: sets.count)
    sets.append([:])
    for edge in edges {
      guard let set = try database.tagSet(ofEdge: edge.id) else { return nil }
      ofEdges.append(indices[set] ?? empty)
      let barrier = edge.mayBeBarrier ? try database.barrierTagSet(ofEdge: edge.id) : nil
      ofBarriers.append(barrier.map { indices[$0] ?? empty } ?? Self.none)
    }
  }
}
