// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The nodes with an elevation among those that should have one: all except those that only ferries
/// touch, since no model has elevations of the sea.
struct ElevationCoverage {
  /// The share, 0…1; 0 if there are no nodes, and 1 if only ferries touch them.
  private(set) var share = 0.0
  /// The first node that lacks one, as an index; nil if none does.
  private(set) var firstUnknown: Int?

  /// Counts them.
  init(_ nodes: NodeRows, _ edges: EdgeRows) {
    let unknown = nodes.elevations.indices.filter { nodes.elevations[$0].isNaN }
    guard !unknown.isEmpty else {
      share = nodes.ids.isEmpty ? 0 : 1
      return
    }
    let ferry = edges.words.find(TagSelection.ferryRoute)
    /// Whether a ferry, and whether something else begins or ends there.
    var isAtFerry = [Bool](repeating: false, count: nodes.ids.count)
    var isOnGround = isAtFerry
    for edge in edges.ids.indices {
      for node in [edges.from[edge], edges.to[edge]] where node != EdgeRows.nowhere {
        if edges.highways[edge] == ferry {
          isAtFerry[Int(node)] = true
        } else {
          isOnGround[Int(node)] = true
        }
      }
    }
    let counts = { (node: Int) in isOnGround[node] || !isAtFerry[node] }
    let all = nodes.ids.indices.count(where: counts)
    share = all == 0 ? 1 : Double(all - unknown.count(where: counts)) / Double(all)
    firstUnknown = unknown.first(where: counts)
  }
}
