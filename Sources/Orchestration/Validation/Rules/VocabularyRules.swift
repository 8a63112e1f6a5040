// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CairnTagRules
import CostModel

/// The rules about the values of tags. Each distinct value is checked once.
enum VocabularyRules {
  /// Surfaces that have a price without a profile of the database.
  private static let usualSurfaces = CostProfile.builtIn.reduce(
    into: Set(RoutingCostConfig.hikingSurfaceMultipliers.keys)
      .union(RoutingCostConfig.cyclingSurfaceMultipliers.keys)
  ) { $0.formUnion($1.surfaces.keys) }

  /// Counts the values; adds breaches of `sac-scale` and `surfaces`, one for each edge.
  ///
  /// - Parameter profiles: The profiles of the database.
  static func check(_ edges: EdgeRows, _ profiles: [CostProfile], _ findings: inout Findings) {
    check(.surfaces, edges.surfaces, edges.words, &findings) { surface in
      usualSurfaces.contains(surface) || profiles.contains { $0.surfaces[surface] != nil }
    }
    check(.sacScale, edges.sacScales, edges.words, &findings, isKnown: GradeReading.isKnown)
  }

  /// Counts the edges of each value and lists the most frequent unknown values, or the most
  /// frequent of all if every value is known.
  private static func check(
    _ rule: RuleName, _ column: [Int32], _ words: WordIndex, _ findings: inout Findings,
    isKnown: (String) -> Bool
  ) {
    var counts = [Int](repeating: 0, count: words.count)
    for word in column where word >= 0 { counts[Int(word)] += 1 }
    let order = counts.indices.filter { counts[$0] > 0 }.sorted {
      (counts[$1], $0) < (counts[$0], $1)
    }
    let values = order.map { (text: words[$0], count: counts[$0]) }
    for value in values where !isKnown(value.text) {
      findings.add(
        rule, count: value.count,
        "\(value.text.prefix(40)): \(grouped(value.count)) \(value.count == 1 ? "edge" : "edges")")
    }
    let share = column.isEmpty ? 0 : Double(column.count { $0 >= 0 }) / Double(column.count)
    let first = values.prefix(3).map { "\($0.text.prefix(40)) \(grouped($0.count))" }
    findings.note(
      rule, "\(percent(share)) of the edges: \(first.joined(separator: ", "))")
  }
}
