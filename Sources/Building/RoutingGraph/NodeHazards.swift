// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules
import TrailData

/// The nodes whose tags warn of something, such as fords.
struct NodeHazards: Sendable {
  /// The indices of the nodes in the trails, ascending.
  private(set) var nodes: [UInt32] = []
  /// The index of each of ``nodes`` among the trails' tagged nodes.
  private(set) var tags: [Int] = []
  private var set: NodeSet

  /// Looks at the tags of all nodes; each distinct set of them is judged once.
  init(_ trails: TrailsFile) {
    set = NodeSet(count: trails.nodeIDs.count)
    var sets = TagSetIndex()
    var warns: [Bool] = []
    for (index, node) in trails.taggedNodes.enumerated() {
      let tagSet = Int(sets.index(of: index, in: trails.nodeTags) { _ in false })
      if tagSet == warns.count {
        let tags = TagList(trails.nodeTags.texts(of: index, in: trails.strings))
        warns.append(!Hazard.all(tags, of: .node).isEmpty)
      }
      guard warns[tagSet] else { continue }
      nodes.append(node)
      tags.append(index)
      set.insert(node)
    }
  }

  /// The index in ``nodes`` of a node; nil for one without a hazard.
  @inline(__always)
  func index(of node: UInt32) -> Int? {
    set.contains(node) ? nodes.partitioningIndex { $0 >= node } : nil
  }
}
