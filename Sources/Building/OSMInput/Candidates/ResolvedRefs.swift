// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import SystemIO

/// The index of each ref's node, in ``LargeMemory``, which is never copied.
struct NodeIndices: RandomAccessCollection, Sendable {
  private let memory: LargeMemory
  let count: Int

  /// Makes room for indices, which `fill` sets.
  init(count: Int, _ fill: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
    memory = LargeMemory(byteCount: count * MemoryLayout<UInt32>.stride)
    self.count = count
    fill(
      UnsafeMutableBufferPointer(
        start: memory.start.bindMemory(to: UInt32.self, capacity: Swift.max(1, count)),
        count: count))
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  @inline(__always)
  subscript(index: Int) -> UInt32 {
    precondition(index >= 0 && index < count)
    return memory.start.load(
      fromByteOffset: index &* MemoryLayout<UInt32>.stride, as: UInt32.self)
  }

  /// Calls `body` with all indices; the pointer must not escape.
  func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(memory) {
      try body(
        UnsafeBufferPointer(
          start: memory.start.assumingMemoryBound(to: UInt32.self), count: count))
    }
  }
}

/// The nodes that ways use, and the refs as indices into them.
struct ResolvedRefs: Sendable {
  /// Refs as codes of one of several pools.
  struct Piece: Sendable {
    var codes: [UInt32]
    var pool: Int
  }

  /// The distinct ids of the refs.
  let nodes: NeededNodes
  /// The index of each ref's node in ``nodes``.
  let nodeIndices: NodeIndices

  /// The metres of a line along refs, as far as the coordinates of its nodes are known.
  func length(of refs: Range<Int>, _ coordinates: NodeCoordinates) -> Double {
    var metres = 0.0
    var last: LinePoint?
    for ref in refs {
      let place = coordinates[Int(nodeIndices[ref])]
      let fixed = FixedCoordinate(latitude: place.latitude, longitude: place.longitude)
      let point = place.isKnown ? LinePoint(fixed.degrees) : nil
      if let last, let point { metres += last.distance(to: point) }
      last = point
    }
    return metres
  }

  /// Resolves the refs of all ways, given in pieces. The result does not depend on the number of
  /// threads, nor on which pools the refs are in. Throws 65 if there are more refs than 32 bits can
  /// index.
  init(_ pieces: [Piece], _ pools: [NodePool], threads: Int) throws(CairnError) {
    var starts = [0]
    for piece in pieces { starts.append(starts[starts.count - 1] + piece.codes.count) }
    let count = starts[pieces.count]
    guard count < Int(UInt32.max) else {
      throw .badData(.tooManyObjects, "the ways have too many refs: \(grouped(count))")
    }
    let sortedPools = pools.map { pool in
      var pool = pool
      if pool.order.count < pool.count { pool.sort() }
      return pool
    }
    let (nodes, wordIndices) = NeededNodes.join(sortedPools)
    var firstWords = [0]
    for pool in pools { firstWords.append(firstWords[firstWords.count - 1] + pool.count) }
    self.nodes = nodes
    let queue = WorkQueue(count: pieces.count)
    nodeIndices = NodeIndices(count: count) { [starts, firstWords] nodeIndices in
      nonisolated(unsafe) let nodeIndices = nodeIndices
      runWorkers(min(threads, pieces.count)) { _ in
        while let index = queue.next() {
          let (piece, start) = (pieces[index], starts[index])
          let firstWord = firstWords[piece.pool]
          wordIndices.withUnsafeBufferPointer { wordIndices in
            for (offset, code) in piece.codes.enumerated() {
              let word = wordIndices[firstWord + Int(code) >> NodePool.bitsOfWord]
              nodeIndices.initializeElement(
                at: start + offset,
                to: nodes.index(word: word, bit: UInt64(code) & UInt64(NodePool.bitMask)))
            }
          }
        }
      }
    }
  }
}
