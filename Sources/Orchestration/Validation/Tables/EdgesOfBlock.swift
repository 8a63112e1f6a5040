// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The edges of a block: some with consecutive ids.
struct EdgesOfBlock {
  /// The id of the first edge.
  let first: Int64
  /// The number of edges.
  let count: Int
  /// The index of the first edge, if the block's ids are indices plus a constant, as in all
  /// databases of Cairn.
  private let firstIndex: Int?

  /// A block by its number; nil if neither its edges nor later ones exist.
  ///
  /// - Parameters:
  ///   - per: The number of edges in each block except the last one.
  ///   - ids: The ids of all edges, ascending.
  init?(_ number: Int64, per: Int, _ ids: [Int64]) {
    guard let last = ids.last, number >= 0, number <= Int64(UInt32.max) else { return nil }
    first = number * Int64(per) + 1
    guard first <= last else { return nil }
    count = Int(min(Int64(per) - 1, last - first)) + 1
    let index = Int(first) - 1
    let isDense =
      index + count <= ids.count && ids[index] == first
      && ids[index + count - 1] == first
        + Int64(count - 1)
    firstIndex = isDense ? index : nil
  }

  /// The index of an edge by its index in the block; nil if no edge has its id.
  @inline(__always)
  func index(_ offset: Int, _ ids: [Int64]) -> Int? {
    if let firstIndex { return firstIndex + offset }
    return ids.binarySearch(first + Int64(offset))
  }
}
