// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules

/// The table `routing_hazards`.
enum HazardRows {
  /// Reads the table; adds breaches of `foreign-keys` and `hazards`.
  static func check(
    _ connection: SQLiteConnection, _ edges: EdgeRows, _ sets: TagSets,
    _ budget: inout ReadBudget, _ findings: inout Findings
  ) throws(CairnError) {
    let columns = EdgeHazard.columns.joined(separator: ", ")
    let types = EdgeHazard.columns.map { "typeof(\($0)) = 'integer'" }.joined(separator: " AND ")
    let row = try connection.prepare("SELECT \(columns), \(types) FROM routing_hazards")
    var warns: [Int64: Bool] = [:]
    while try row.step() {
      try budget.spend(ReadBudget.hazardBytes)
      let hazard = EdgeHazard(row)
      guard row.integer(6) == 1 else {
        findings.add(.hazards, "a hazard of edge \(hazard.edge) has a value that is not an integer")
        continue
      }
      guard let edge = edges.ids.binarySearch(hazard.edge) else {
        findings.add(.foreignKeys, "routing_hazards refers to edge \(hazard.edge)")
        continue
      }
      // Rounding may move the end by half a decimetre.
      let length = edges.distances[edge] * EdgeHazard.unitsPerMetre + 1
      guard hazard.start >= 0, hazard.start <= hazard.end,
        length.isNaN || Double(hazard.end) <= length, 0...2 ~= hazard.type
      else {
        findings.add(.hazards, "a hazard of edge \(hazard.edge) lies beyond it")
        continue
      }
      let isKnown = warns[hazard.tagSet] ?? Self.warns(sets.tags(ofSet: hazard.tagSet))
      warns[hazard.tagSet] = isKnown
      if !isKnown {
        findings.add(
          .hazards, "\(hazard.object) on edge \(hazard.edge) has no tags that warn of anything")
      }
    }
  }

  private static func warns(_ tags: WayTags) -> Bool {
    let tags = TagList(tags)
    return !Hazard.all(tags, of: .node).isEmpty || AreaTags.matter(tags)
  }
}
