// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules
import CostModel

/// The tables `routing_tags` and `routing_edge_tags`: the tags behind the costs.
struct TagSets {
  /// Stands for an edge without a known tag set, and for an edge that is not a barrier.
  static let none: Int32 = -1

  /// The distinct tag sets.
  private(set) var sets: [WayTags] = []
  /// The same as lists.
  private(set) var lists: [TagList] = []
  private let accessDate: CalendarDate?
  /// The access of walkers that each of ``sets`` gives on ``accessDate``.
  private var accessOnFoot: [Access] = []
  /// The number of each of ``sets`` in the database, ascending except for the last one.
  private var numbers: [Int64] = []

  /// The tags of a set by its number in the database; none where it has no rows.
  func tags(ofSet number: Int64) -> WayTags {
    numbers.binarySearch(number).map { sets[$0] } ?? [:]
  }

  /// The access that each of ``sets`` gives, which the audit and the profiles for walkers share; nil
  /// for other vehicles and days.
  func access(for vehicle: Vehicle, on date: CalendarDate?) -> [Access]? {
    vehicle == .foot && date == accessDate ? accessOnFoot : nil
  }

  /// The tag set of each edge, as an index into ``sets``.
  private(set) var ofEdges: [Int32]
  /// The tag set of the barrier that an edge represents.
  private(set) var ofBarriers: [Int32]

  /// Reads the tables; adds breaches of `foreign-keys` and `edge-tags`.
  ///
  /// - Parameter date: The day for which access is judged.
  init(
    _ connection: SQLiteConnection, _ edges: EdgeRows, on date: CalendarDate?,
    _ budget: inout ReadBudget, _ findings: inout Findings
  ) throws(CairnError) {
    accessDate = date
    ofEdges = [Int32](repeating: Self.none, count: edges.ids.count)
    ofBarriers = ofEdges
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
    lists = sets.map { TagList($0) }
    accessOnFoot = lists.map { Access($0, for: .foot, on: date) }
    try readEdges(connection, edges, numbers, empty: empty, &findings)
    checkColumns(edges, &findings)
  }

  private mutating func readEdges(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ numbers: [Int64], empty: Int32,
    _ findings: inout Findings
  ) throws(CairnError) {
    let row = try connection.prepare(
      """
      SELECT block, tagsets, barriers, typeof(tagsets), typeof(barriers) FROM routing_tagset_blocks
      ORDER BY block
      """)
    func index(_ number: Int) -> Int32 {
      // Tag sets are normally numbered from 1.
      if number > 0, number <= numbers.count, numbers[number - 1] == number {
        return Int32(truncatingIfNeeded: number - 1)
      }
      return numbers.binarySearch(Int64(number)).map { Int32(truncatingIfNeeded: $0) } ?? empty
    }
    while try row.step() {
      let number = row.integer(0)
      guard let block = EdgesOfBlock(number, per: RoutingSchema.edgesPerBlock, edges.ids) else {
        findings.add(
          .foreignKeys, "routing_tagset_blocks has block \(number), but no edge is in it")
        continue
      }
      let isBlob = row.text(3) == "blob" && ["blob", "null"].contains(row.text(4))
      try row.withBlob(1) { sets throws(CairnError) in
        try row.withBlob(2) { barriers throws(CairnError) in
          guard isBlob, let sets = PackedNumbers(sets), sets.count == block.count else {
            findings.add(.edgeTags, "block \(number) of the tag sets is damaged")
            return
          }
          let barrierSets = PackedNumbers(barriers)
          if let barrierSets, barrierSets.count != block.count || barriers.isEmpty {
            findings.add(.edgeTags, "block \(number) of the barriers is damaged")
            return
          }
          if barrierSets == nil, row.text(4) != "null" {
            findings.add(.edgeTags, "block \(number) of the barriers is damaged")
            return
          }
          for offset in 0..<block.count {
            guard let edge = block.index(offset, edges.ids) else {
              findings.add(
                .foreignKeys, "routing_tagset_blocks refers to edge \(block.first + Int64(offset))")
              continue
            }
            // They count from 1.
            if sets[offset] > 0 { ofEdges[edge] = index(sets[offset]) }
            if let barrier = barrierSets?[offset], barrier > 0 { ofBarriers[edge] = index(barrier) }
          }
        }
      }
    }
    if let missing = ofEdges.firstIndex(of: Self.none) {
      findings.add(.edgeTags, "edge \(edges.ids[missing]) has no tag set")
    }
  }

  /// The required values in the columns of edges with a tag set, as indices of words.
  private struct Columns: Equatable {
    var surface: Int32
    var highway: Int32
    var sacScale: Int32
    var visibility: Int32
  }

  private func checkColumns(_ edges: EdgeRows, _ findings: inout Findings) {
    let expected = lists.map { tags in
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
