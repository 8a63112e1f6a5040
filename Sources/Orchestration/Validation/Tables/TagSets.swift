// SPDX-License-Identifier: Apache-2.0
import Algorithms
import CostModel
import Diagnostics
import SQLiteKit
import TagRules

/// The tables `routing_tags` and `routing_edge_tags`: the tags that costs came from.
struct TagSets {
  /// Stands for an edge without a known set, and for one that is no barrier.
  static let none: Int32 = -1

  /// The distinct sets.
  private(set) var sets: [WayTags] = []
  /// The set of each edge, as a place in ``sets``.
  private(set) var ofEdges: [Int32]
  /// The set of the barrier that an edge stands for.
  private(set) var ofBarriers: [Int32]

  /// Reads the tables; adds breaches of `foreign-keys` and `edge-tags`.
  init(_ connection: SQLiteConnection, _ edges: EdgeRows, _ findings: inout Findings)
    throws(CairnError)
  {
    ofEdges = [Int32](repeating: Self.none, count: edges.ids.count)
    ofBarriers = ofEdges
    var numbers: [Int64] = []
    let tag = try connection.prepare("SELECT tagset, key, value FROM routing_tags ORDER BY tagset")
    while try tag.step() {
      if numbers.last != tag.integer(0) {
        numbers.append(tag.integer(0))
        sets.append([:])
      }
      if let key = tag.text(1) { sets[sets.count - 1][key] = tag.text(2) ?? "" }
    }
    // A way without a single tag has a set without rows.
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
    func place(_ column: Int32) -> Int32 {
      let number = row.integer(column)
      // As a rule they are numbered from 1 on.
      if number > 0, number <= numbers.count, numbers[Int(number) - 1] == number {
        return Int32(truncatingIfNeeded: number - 1)
      }
      return numbers.binarySearch(number).map { Int32(truncatingIfNeeded: $0) } ?? empty
    }
    var tagged = 0
    while try row.step() {
      guard let edge = cursor.place(of: row.integer(0)) else {
        findings.add(.foreignKeys, "routing_edge_tags names edge \(row.integer(0))")
        continue
      }
      tagged += 1
      ofEdges[edge] = place(1)
      if !row.isNull(2) { ofBarriers[edge] = place(2) }
    }
    if tagged < edges.ids.count {
      let missing = ofEdges.firstIndex(of: Self.none) ?? 0
      findings.add(.edgeTags, "edge \(edges.ids[missing]) has no set of tags")
    }
  }

  /// What the columns of edges with a set of tags must have, as numbers of words.
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
          "edge \(edges.ids[edge]): highway_type, surface, sac_scale or trail_visibility is not "
            + "that of its set of tags")
      }
    }
  }
}

/// Finds the places of ascending ids in an ascending list, all in one pass.
struct EdgeCursor {
  private let ids: [Int64]
  private var next = 0

  init(_ ids: [Int64]) { self.ids = ids }

  /// The place of an id that is not below those asked for before; nil if it is not in the list.
  @inline(__always)
  mutating func place(of id: Int64) -> Int? {
    while next < ids.count, ids[next] < id { next += 1 }
    return next < ids.count && ids[next] == id ? next : nil
  }
}
