// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The coordinates of the nodes of refs. It has pointers only, so that threads do not contend for
/// counts of references.
struct RefCoordinates: RandomAccessCollection {
  private let nodeIndices: UnsafeBufferPointer<UInt32>
  private let coordinates: UnsafeMutableBufferPointer<Atomic<UInt64>>

  /// Takes memory that must outlive the collection.
  init(
    _ nodeIndices: UnsafeBufferPointer<UInt32>,
    _ coordinates: UnsafeMutableBufferPointer<Atomic<UInt64>>
  ) { (self.nodeIndices, self.coordinates) = (nodeIndices, coordinates) }

  var startIndex: Int { 0 }
  var endIndex: Int { nodeIndices.count }

  @inline(__always)
  subscript(ref: Int) -> NodeCoordinate {
    precondition(ref >= 0 && ref < nodeIndices.count)
    let node = Int(nodeIndices[ref])
    precondition(node < coordinates.count)
    return NodeCoordinate(bits: coordinates[node].load(ordering: .relaxed))
  }
}

extension ResolvedRefs {
  /// Calls `body` with the coordinates of all refs, which must not escape.
  func withCoordinates<Result>(
    _ coordinates: NodeCoordinates, _ body: (RefCoordinates) throws -> Result
  ) rethrows -> Result {
    try nodeIndices.withUnsafeBufferPointer { indices in
      try coordinates.withUnsafeElements { try body(RefCoordinates(indices, $0)) }
    }
  }
}
