// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules
import TrailData

/// The nodes whose tags stop walkers or cyclists, and the counts of all barriers.
struct BarrierNodes: Sendable {
  /// The number of barriers of a kind, and of those that stop walkers or cyclists.
  struct Tally: Equatable, Sendable {
    /// Nodes with this value of `barrier`.
    var nodes = 0
    /// Those that walkers do not pass.
    var stopsWalkers = 0
    /// Those that cyclists do not pass.
    var stopsCyclists = 0
  }

  /// The indices in the trails of the nodes that not every profile passes, ascending: those that
  /// stop walkers or cyclists, and those that a profile may close, such as a gate that is only for
  /// customers.
  private(set) var nodes: [UInt32] = []
  /// The index of each of ``nodes`` among the trails' tagged nodes.
  private(set) var tags: [Int] = []
  /// All barriers by the value of `barrier`; other obstacles to walkers or cyclists count as
  /// `none`.
  private(set) var kinds: [String: Tally] = [:]

  /// What the tags of a node mean on any day: a node that is closed on some days is a barrier here,
  /// and the costs open it.
  private struct Verdict {
    let stopsWalkers: Bool
    let stopsCyclists: Bool
    /// Whether everybody passes, whatever a profile makes of classes of access.
    let isOpen: Bool
    /// The value of `barrier`; `none` where other tags stop walkers or cyclists.
    let kind: String?

    init(_ tags: [String: String]) {
      let onFoot = BarrierPassage(tags, for: .foot, at: .any)
      let byBicycle = BarrierPassage(tags, for: .bicycle, at: .any)
      isOpen = max(onFoot.access, byBicycle.access) <= .open
      stopsWalkers = !onFoot.isPassable
      stopsCyclists = !byBicycle.isPassable
      kind = tags["barrier"] ?? (stopsWalkers || stopsCyclists ? "none" : nil)
    }
  }

  /// Looks at the tags of all nodes; each distinct set of them is judged once.
  init(_ trails: TrailsFile) {
    var sets = TagSetIndex()
    var verdicts: [Verdict] = []
    var counts: [Int] = []
    for (index, node) in trails.taggedNodes.enumerated() {
      let set = Int(sets.index(of: index, in: trails.nodeTags) { _ in false })
      if set == verdicts.count {
        let tags = trails.nodeTags.texts(of: index, in: trails.strings)
        verdicts.append(Verdict(tags))
        counts.append(0)
      }
      counts[set] += 1
      if verdicts[set].isOpen { continue }
      nodes.append(node)
      tags.append(index)
    }
    for (verdict, count) in zip(verdicts, counts) {
      guard let kind = verdict.kind else { continue }
      kinds[kind, default: Tally()].nodes += count
      if verdict.stopsWalkers { kinds[kind, default: Tally()].stopsWalkers += count }
      if verdict.stopsCyclists { kinds[kind, default: Tally()].stopsCyclists += count }
    }
  }

  /// The index in ``nodes`` of a node, which must be one of them.
  func index(of node: UInt32) -> Int {
    nodes.partitioningIndex { $0 >= node }
  }
}
