// SPDX-License-Identifier: Apache-2.0

/// Computes a value for each block of the indices 0…count−1 on some threads, and returns the values
/// in the order of the blocks, which all but the last have `size` indices.
package func mapBlocks<Value: Sendable>(
  of count: Int, size: Int, threads: Int,
  _ body: @escaping @Sendable (_ block: Range<Int>) -> Value
) -> [Value] {
  let queue = WorkQueue(count: (count + size - 1) / size)
  let values = Collector<Value>(count: queue.count)
  runWorkers(min(threads, queue.count)) { _ in
    while let block = queue.next() {
      values.set(block, body(block * size..<min(count, (block + 1) * size)))
    }
  }
  return values.values()
}
