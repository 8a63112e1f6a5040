// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The texts that a graph needs of those of the region's ways: names of points of interest, of
/// routes, and names in other languages stay behind.
struct GraphTexts {
  /// The texts, as indices into those of the ways, ascending.
  let kept: [UInt32]
  /// The index in the graph of each text of the ways; `GraphFile.noText` for one that is not kept.
  private let indices: [UInt32]

  init(_ graph: BuiltGraph, count: Int) {
    var isUsed = [Bool](repeating: false, count: count)
    for key in graph.tagSets.sets.keys { isUsed[Int(key)] = true }
    for value in graph.tagSets.sets.values { isUsed[Int(value)] = true }
    for block in graph.blocks {
      for name in block.names where name != GraphFile.noText { isUsed[Int(name)] = true }
    }
    var kept: [UInt32] = []
    var indices = [UInt32](repeating: GraphFile.noText, count: count)
    for text in 0..<count where isUsed[text] {
      indices[text] = UInt32(kept.count)
      kept.append(UInt32(text))
    }
    self.kept = kept
    self.indices = indices
  }

  /// The index in the graph of a text of the ways; no text stays none.
  func index(_ text: UInt32) -> UInt32 {
    text == GraphFile.noText ? text : indices[Int(text)]
  }

  /// Tag sets with the graph's indices.
  func translated(_ sets: TagLists) -> TagLists {
    var sets = sets
    for tag in sets.keys.indices {
      sets.keys[tag] = index(sets.keys[tag])
      sets.values[tag] = index(sets.values[tag])
    }
    return sets
  }
}
