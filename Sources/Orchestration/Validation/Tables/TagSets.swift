// SPDX-License-Identifier: Apache-2.0
import Algorithms
import CostModel
import Diagnostics
import SQLiteKit
import TagRules

/// The tables `routing_tags` and `routing_edge_tags`: the tags that costs were computed from.
struct TagSets {
  /// Stands for an edge without a known tag set, and for an edge that is not a barrier.
  static let none: Int32 = -1

  /// The distinct tag sets.
  private(set) var sets: [WayTags] = []
  /// The tag set of each edge, as an index into ``sets``.
  private(set) var ofEdges: [Int32]
  /// The tag set of the barrier that an edge represents.
  private(set) var ofBarriers: [Int32]

  /// Reads the tables; adds breaches of `foreign-keys` and `edge-tags`.
  init(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ budget: inout ReadBudget,
    _ findings: inout Findings
  ) throws(CairnError) {
    ofEdges = [Int32](repeating: Self.none, count: edges.ids.count)
    ofBarriers = ofEdges
    var numbers: [Int64] = []
    let tag = try connection.prepare("SELECT tagset, key, value FROM routing_tags ORDER BY tagset")
    while try tag.step() {
      try budget.spend(ReadBudget.tagBytes)
      if numbers.last != tag.integer(0) {
        numbers.append(tag.integer(0))
        sets.append([:])
      }
      if let key = tag.text(1) {
        let value = tag.text(2) ?? ""
        try budget.spend(key.utf8.count + value.utf8.count)
        sets[sets.count - 1][key] = value
      }
    }
    // The tag set of a way without tags has no rows.
    let empty = Int32(truncatingIfNeeded: sets.count)
    sets.append([:])
    try readEdges(connection, edges, numbers, empty: empty, &findings)
    checkColumns(edges, &findings)
  }

  private mutating func readEdges(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ numbers: [Int64], empty: Int32,
    _ findings: inout Findings
  ) throws(CairnError) {
    let row = try connection.prepare(
      "SELECT edge, tagset, barrier FROM routing_edge_tags ORDER BY edge")
    var cursor = EdgeCursor(edges.ids)
    func index(_ column: Int32) -> Int32 {
      let number = row.integer(column)
      // Tag sets are normally numbered from 1.
      if number > 0, number <= numbers.count, numbers[Int(number) - 1] == number {
        return Int32(truncatingIfNeeded: number - 1)
      }
      return numbers.binarySearch(number).map { Int32(truncatingIfNeeded: $0) } ?? empty
    }
    var tagged = 0
    while try row.step() {
      guard let edge = cursor.index(of: row.integer(0)) else {
        findings.add(.foreignKeys, "routing_edge_tags refers to edge \(row.integer(0))")
        continue
      }
      tagged += 1
      ofEdges[edge] = index(1)
      if !row.isNull(2) { ofBarriers[edge] = index(2) }
    }
    if tagged < edges.ids.count {
      let missing = ofEdges.firstIndex(of: Self.none) ?? 0
      findings.add(.edgeTags, "edge \(edges.ids[missing]) has no tag set")
    }
  }

  /// The values that the columns of edges with a tag set must have, as indices of words.
  private struct Columns: Equatable {
    var surface: Int32
    var highway: Int32
    var sacScale: Int32
    var visibility: Int32
  }

  private func checkColumns(_ edges: EdgeRows, _ findings: inout Findings) {
    let expected = sets.map { tags in
      Columns(
        surface: edges.words.find(tags["surface"]),
        highway: edges.words.find(
          WayKind(tags).contains(.ferry) ? TagSelection.ferryRoute : tags["highway"]),
        sacScale: edges.words.find(tags["sac_scale"]),
        visibility: edges.words.find(tags["trail_visibility"]))
    }
    for edge in ofEdges.indices where ofEdges[edge] >= 0 {
      let found = Columns(
        surface: edges.surfaces[edge], highway: edges.highways[edge],
        sacScale: edges.sacScales[edge], visibility: edges.visibilities[edge])
      if found != expected[Int(ofEdges[edge])] {
        findings.add(
          .edgeTags,
          "edge \(edges.ids[edge]): highway_type, surface, sac_scale or trail_visibility differs "
            + "from its tag set")
      }
    }
  }
}

/// Finds the indices of ascending ids in an ascending list, all in one pass.
struct EdgeCursor {
  private let ids: [Int64]
  private var next = 0

  init(_ ids: [Int64]) { self.ids = ids }

  /// The index of an id, which must not be lower than that of the previous call; nil if the list
  /// does not contain it.
  @inline(__always)
  mutating func index(of id: Int64) -> Int? {
    while next < ids.count, ids[next] < id { next += 1 }
    return next < ids.count && ids[next] == id ? next : nil
  }
}
