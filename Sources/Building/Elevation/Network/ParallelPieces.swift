// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Runs `body` on consecutive ranges of 0..<`count`, several of them at once.
///
/// No range may write what another one reads or writes; then the result does not depend on the
/// number of threads.
func forEachPiece(
  of count: Int, threads: Int, size: Int = 1 << 14, _ body: @escaping @Sendable (Range<Int>) -> Void
) {
  forEachPiece(of: count, threads: threads, size: size, with: {}) { _, piece in body(piece) }
}

/// The same with a tool, such as buffers, that each thread makes once and uses for all its ranges.
/// Its content must not affect the result.
func forEachPiece<Tool>(
  of count: Int, threads: Int, size: Int = 1 << 14, with makeTool: @escaping @Sendable () -> Tool,
  _ body: @escaping @Sendable (inout Tool, Range<Int>) -> Void
) {
  let pieces = (count + size - 1) / size
  let queue = WorkQueue(count: pieces)
  runWorkers(min(threads, pieces)) { _ in
    guard var piece = queue.next() else { return }
    var tool = makeTool()
    while true {
      body(&tool, piece * size..<min((piece + 1) * size, count))
      guard let next = queue.next() else { return }
      piece = next
    }
  }
}

/// The results of `body` for consecutive ranges of 0..<`count`, in order.
func mapPieces<Value: Sendable>(
  of count: Int, threads: Int, size: Int = 1 << 14,
  _ body: @escaping @Sendable (Range<Int>) -> Value
) -> [Value] {
  let collector = Collector<Value>(count: (count + size - 1) / size)
  forEachPiece(of: count, threads: threads, size: size) { piece in
    collector.set(piece.lowerBound / size, body(piece))
  }
  return collector.values()
}
