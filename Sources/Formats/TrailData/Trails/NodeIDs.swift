// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

/// OpenStreetMap ids of nodes, ascending: their lower halves, and the upper ones, of which there are
/// few, only where they change.
package struct NodeIDs: RandomAccessCollection, Sendable {
  private let lower: Column<UInt32>
  /// The first node with each of ``upper``.
  private let starts: Column<UInt32>
  private let upper: Column<Int32>

  /// Throws 65 if the columns are missing or out of order.
  init(_ container: ContainerReader) throws(CairnError) {
    lower = try container.column("node.id.lower")
    starts = try container.column("node.id.start")
    upper = try container.column("node.id.upper", count: starts.count)
  }

  /// Throws 65 if the ids do not ascend.
  func check(_ container: ContainerReader) throws(CairnError) {
    try checkAscending(starts, "node.id.start", container)
    try checkAscending(upper, "node.id.upper", container)
    guard starts.isEmpty == lower.isEmpty, starts.first ?? 0 == 0,
      Int(starts.last ?? 0) <= lower.count, starts.last.map({ Int($0) }) != lower.count
    else { throw container.damage("column node.id.start is out of range") }
    let isAscending = lower.withUnsafeElements { lower in
      for (start, end) in zip(starts, starts.dropFirst().map { Int($0) } + [lower.count]) {
        for index in Int(start)..<end - 1 where lower[index] >= lower[index + 1] { return false }
      }
      return true
    }
    guard isAscending else { throw container.damage("column node.id.lower is out of order") }
  }

  /// 0.
  package var startIndex: Int { 0 }
  /// The number of nodes.
  package var endIndex: Int { lower.count }

  /// The id of a node.
  package subscript(node: Int) -> Int64 {
    let part = starts.count > 1 ? starts.partitioningIndex { $0 > node } - 1 : 0
    return Int64(upper[part]) << 32 | Int64(lower[node])
  }

  /// Releases the memory of the ids; the next access reads the file again.
  package func releasePages() { lower.releasePages() }
}

extension ComputedColumn<Int64> {
  /// The number of ids computed at a time.
  private static var blockCount: Int { 4096 }

  /// The lower halves of ids.
  var lowerHalves: ComputedColumn<UInt32> {
    ComputedColumn<UInt32>(count: count) { [self] range, piece in
      forEachBlock(of: range) { start, ids in
        for (index, id) in ids.enumerated() {
          piece.initializeElement(
            at: start - range.lowerBound + index, to: UInt32(truncatingIfNeeded: id))
        }
      }
    }
  }

  /// Where the upper halves of ascending ids change, and what they are from there on.
  func upperHalves() -> (starts: [UInt32], upper: [Int32]) {
    var (starts, upper): ([UInt32], [Int32]) = ([], [])
    let step = 1 << 16
    for start in stride(from: 0, to: count, by: step) {
      let end = Swift.min(start + step, count)
      // Of ascending ids, those between two with the same upper half have it, too.
      if let known = upper.last, Int32(element(start) >> 32) == known,
        Int32(element(end - 1) >> 32) == known
      {
        continue
      }
      forEachBlock(of: start..<end) { start, ids in
        for (index, id) in ids.enumerated() where upper.last != Int32(id >> 32) {
          starts.append(UInt32(start + index))
          upper.append(Int32(id >> 32))
        }
      }
    }
    return (starts, upper)
  }

  private func element(_ index: Int) -> Int64 {
    var element: Int64 = 0
    forEachBlock(of: index..<index + 1) { _, ids in element = ids[0] }
    return element
  }

  private func forEachBlock(
    of range: Range<Int>, _ body: (_ start: Int, _ ids: UnsafeMutableBufferPointer<Int64>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.blockCount) { memory in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockCount) {
        let block = start..<Swift.min(start + Self.blockCount, range.upperBound)
        let ids = UnsafeMutableBufferPointer(rebasing: memory[..<block.count])
        compute(block, into: ids)
        body(start, ids)
      }
    }
  }
}
