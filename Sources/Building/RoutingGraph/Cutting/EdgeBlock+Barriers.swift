// SPDX-License-Identifier: Apache-2.0

extension EdgeBlock {
  /// Adds an edge of zero length between each copy of a barrier's node and the node: right before
  /// the first edge that begins at the copy, or right after the one that ends there.
  mutating func addBarriers(_ columns: WayColumns) {
    let all = barrierEnds.filter { $0.copy > 0 }
    if all.isEmpty { return }
    let ends = all.filter { !$0.sharesCopy }
    // Where each barrier is inserted, and the ref that it is at.
    let positions = ends.map { $0.isLast ? $0.edge + 1 : $0.edge }
    let refs = ends.map { $0.isLast ? lastRefs[$0.edge] : firstRefs[$0.edge] }
    firstRefs = Self.inserting(refs, at: positions, in: firstRefs)
    lastRefs = Self.inserting(refs, at: positions, in: lastRefs)
    pointCounts = Self.inserting(ends.map { _ in 0 }, at: positions, in: pointCounts)
    metrics.addBarriers(
      elevations: refs.map { columns.elevation(atRef: Int($0)) }, at: positions)
    countEdges(ends)
    moveHazards(by: positions)
    barrierEnds = []
    var inserted = 0
    for end in all {
      while inserted < positions.count, positions[inserted] <= end.edge { inserted += 1 }
      var moved = end
      moved.edge += inserted
      if !end.sharesCopy {
        // It leads from the node to the copy, or from the copy to the node.
        let barrier = end.isLast ? moved.edge + 1 : moved.edge - 1
        barriers.append((barrier, end.barrier))
        barrierEnds.append(
          BarrierEnd(edge: barrier, isLast: !end.isLast, barrier: end.barrier, copy: end.copy))
      }
      barrierEnds.append(moved)
    }
  }

  /// Gives hazards the indices that their edges have behind the barriers at some positions.
  private mutating func moveHazards(by positions: [Int]) {
    var inserted = 0
    for index in hazards.indices {
      while inserted < positions.count, positions[inserted] <= hazards[index].edge { inserted += 1 }
      hazards[index].edge += inserted
    }
  }

  /// Counts the barriers at some edges among the edges of their ways.
  private mutating func countEdges(_ ends: [BarrierEnd]) {
    var next = 0
    var lastEdge = 0
    for way in edgeCounts.indices {
      lastEdge += Int(edgeCounts[way])
      while next < ends.count, ends[next].edge < lastEdge {
        edgeCounts[way] += 1
        next += 1
      }
    }
  }

  /// A column with further elements before those at some positions, which ascend.
  static func inserting<Element>(
    _ elements: [Element], at positions: [Int], in column: [Element]
  ) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(column.count + elements.count)
    var start = 0
    for (element, position) in zip(elements, positions) {
      result += column[start..<position]
      result.append(element)
      start = position
    }
    result += column[start...]
    return result
  }
}
