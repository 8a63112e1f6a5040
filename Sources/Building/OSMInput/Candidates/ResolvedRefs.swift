// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

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
  let nodeIndices: [UInt32]

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
    nodeIndices = [UInt32](unsafeUninitializedCapacity: count) {
      [starts, firstWords] nodeIndices, initialized in
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
      initialized = count
    }
  }
}
