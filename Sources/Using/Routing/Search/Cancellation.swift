// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Ends searches of tasks that were cancelled.
enum Cancellation {
  /// The number of nodes that a search settles between checks, a power of two: some milliseconds if
  /// they are read from a file.
  static let stride = 256

  /// Throws ``RoutingError/cancelled`` if the current task was cancelled; checks at the first node
  /// and every ``stride`` nodes.
  @inline(__always)
  static func check(settled: Int) throws(RoutingError) {
    if settled & (stride - 1) == 0, Task.isCancelled { throw .cancelled }
  }
}
