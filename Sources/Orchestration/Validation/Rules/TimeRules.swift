// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules

/// The rule about `routing_rules`: for the day of the build it gives the stored costs and times,
/// and it has every edge whose tags depend on times.
enum TimeRules {
  /// - Parameter store: The database, which is opened if it is not open.
  static func check(_ store: RoutingStore, _ edges: EdgeRows, _ tags: TagSets?) -> Findings {
    var findings = Findings()
    do throws(RoutingError) {
      try store.open()
      guard let rules = try DayRules(reading: store) else { return findings }
      try compare(rules, store, edges, &findings)
      if let tags { findMissing(rules, edges, tags, &findings) }
    } catch { findings.add(.recomputedCosts, "routing_rules: \(error)") }
    return findings
  }

  private static func compare(
    _ rules: DayRules, _ store: RoutingStore, _ edges: EdgeRows, _ findings: inout Findings
  ) throws(RoutingError) {
    for id in rules.edges where edges.ids.binarySearch(id) == nil {
      findings.add(.foreignKeys, "routing_rules refers to edge \(id)")
    }
    for (index, profile) in try store.profileNames().enumerated() {
      for id in rules.edges {
        guard let price = rules.builtPrice(ofEdge: id, profile: index),
          let edge = stored(id, profile, store)
        else { continue }
        let isSame =
          price.cost == edge.cost && price.reverseCost == edge.reverseCost
          && price.seconds.ahead == edge.duration && price.seconds.back == edge.reverseDuration
        if !isSame {
          findings.add(
            .recomputedCosts,
            "routing_rules gives edge \(id) other costs by \(profile) on the day of the database")
        }
      }
    }
  }

  /// A stored edge; nil if it cannot be read, which other rules report.
  private static func stored(_ id: Int64, _ profile: String, _ store: RoutingStore) -> RoutingEdge?
  {
    do throws(RoutingError) { return try store.getEdge(id, profile: profile) } catch { return nil }
  }

  private static func findMissing(
    _ rules: DayRules, _ edges: EdgeRows, _ tags: TagSets, _ findings: inout Findings
  ) {
    let barriers = Set(tags.ofBarriers)
    let hasRule = [false, true].map { isBarrier in
      tags.lists.enumerated().map { set, tags in
        // Only few tag sets belong to barriers.
        (!isBarrier || barriers.contains(Int32(truncatingIfNeeded: set)))
          && AccessRule(tags, isBarrier: isBarrier).map(rules.concern) ?? false
      }
    }
    for (index, id) in edges.ids.enumerated() {
      for (isBarrier, set) in [(false, tags.ofEdges[index]), (true, tags.ofBarriers[index])]
      where set >= 0 && hasRule[isBarrier ? 1 : 0][Int(set)] {
        if !rules.covers(id, isBarrier: isBarrier) {
          findings.add(
            .recomputedCosts, "routing_rules lacks edge \(id), whose tags depend on times")
        }
      }
    }
  }
}
