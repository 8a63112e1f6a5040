// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Runs `body` on consecutive ranges of 0..<`count`, several of them at once.
///
/// No range may write what another one reads or writes; then the result does not depend on the
/// number of threads.
func forEachPiece(
  of count: Int, threads: Int, size: Int = 1 << 14, _ body: @escaping @Sendable (Range<Int>) -> Void
) {
  let pieces = (count + size - 1) / size
  guard threads > 1, pieces > 1 else { return body(0..<count) }
  let queue = WorkQueue(count: pieces)
  // Only errors of the workers are thrown, and these cannot fail.
  try? withWorkers(min(threads, pieces)) { _ in
    while let piece = queue.next() { body(piece * size..<min((piece + 1) * size, count)) }
  }
}

/// A buffer that several threads write to, each its own elements. It must not outlive the buffer.
struct SharedBuffer<Element>: @unchecked Sendable {
  let elements: UnsafeMutableBufferPointer<Element>

  init(_ elements: UnsafeMutableBufferPointer<Element>) { self.elements = elements }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { elements[index] }
    nonmutating set { elements[index] = newValue }
  }
}
