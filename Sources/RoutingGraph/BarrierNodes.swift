// SPDX-License-Identifier: Apache-2.0
import CostModel
import TrailData

/// The nodes whose tags keep walkers or cyclists from passing, and what all barriers are.
struct BarrierNodes {
  /// How many barriers of a kind there are, and whom they stop.
  struct Tally: Equatable {
    /// Nodes with this value of `barrier`.
    var nodes = 0
    /// Those that walkers do not pass.
    var stopsWalkers = 0
    /// Those that cyclists do not pass.
    var stopsCyclists = 0
  }

  /// The nodes that walkers or cyclists do not pass, as places in the trails, ascending.
  private(set) var nodes: [UInt32] = []
  /// What tags each of ``nodes`` has, as places among the trails' tagged nodes.
  private(set) var tags: [Int] = []
  /// All barriers by the value of `barrier`; what stops somebody without being tagged as a barrier
  /// counts as `none`.
  private(set) var kinds: [String: Tally] = [:]

  /// Looks at the tags of all nodes; each distinct set of them is judged once.
  init(_ trails: TrailsFile) {
    var sets = TagSetIndex()
    var verdicts: [(passage: BarrierPassage, kind: String?)] = []
    var counts: [Int] = []
    for (place, node) in trails.taggedNodes.enumerated() {
      let set = Int(sets.number(of: place, in: trails.nodeTags) { _ in false })
      if set == verdicts.count {
        let tags = trails.nodeTags.texts(of: place, in: trails.strings)
        let passage = BarrierPassage(tags)
        verdicts.append((passage, tags["barrier"] ?? (passage.isOpen ? nil : "none")))
        counts.append(0)
      }
      counts[set] += 1
      if verdicts[set].passage.isOpen { continue }
      nodes.append(node)
      tags.append(place)
    }
    for (verdict, count) in zip(verdicts, counts) {
      guard let kind = verdict.kind else { continue }
      kinds[kind, default: Tally()].nodes += count
      if !verdict.passage.foot { kinds[kind, default: Tally()].stopsWalkers += count }
      if !verdict.passage.bicycle { kinds[kind, default: Tally()].stopsCyclists += count }
    }
  }

  /// The place of a node in ``nodes``, which it must be among.
  func place(of node: UInt32) -> Int {
    var low = 0
    var high = nodes.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension BarrierPassage {
  /// Whether everybody passes.
  fileprivate var isOpen: Bool { foot && bicycle }
}
