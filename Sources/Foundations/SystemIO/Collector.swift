// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Gathers the results of workers by the numbers of a ``WorkQueue``, so that what comes out is in
/// the order of the work and not of its end.
package final class Collector<Value: Sendable>: Sendable {
  private let slots: Mutex<[Value?]>

  /// Makes room for `count` results.
  package init(count: Int) { slots = Mutex(Array(repeating: nil, count: count)) }

  /// Keeps the result of a number.
  package func set(_ number: Int, _ value: Value) { slots.withLock { $0[number] = value } }

  /// The results so far, in the order of their numbers.
  package func values() -> [Value] { slots.withLock { $0.compactMap { $0 } } }
}
