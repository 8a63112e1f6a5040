// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Ends searches of tasks that were cancelled.
enum Cancellation {
  /// How many nodes a search settles before it looks again, a power of two: some milliseconds where
  /// they are read from a file.
  static let stride = 256

  /// Throws ``RoutingError/cancelled`` where the present task was cancelled; looks at the first node and
  /// at each ``stride`` of them.
  @inline(__always)
  static func check(settled: Int) throws(RoutingError) {
    if settled & (stride - 1) == 0, Task.isCancelled { throw .cancelled }
  }
}
