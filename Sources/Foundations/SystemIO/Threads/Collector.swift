// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Collects the results of workers by the indices of a ``WorkQueue``, so that they are in the order
/// of the items and not in the order in which they were finished.
package final class Collector<Value: Sendable>: Sendable {
  private let results: Mutex<[Value?]>

  /// Creates a collector for `count` results.
  package init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }

  /// Stores the result of an index.
  package func set(_ index: Int, _ value: Value) { results.withLock { $0[index] = value } }

  /// The results so far, in the order of their indices.
  package func values() -> [Value] { results.withLock { $0.compactMap { $0 } } }
}
