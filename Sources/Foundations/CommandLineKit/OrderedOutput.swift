// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization

/// Prints blocks of output in their order, in whatever order workers finish them.
package final class OrderedOutput: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: String] = [:]
  }

  private let state = Mutex(State())
  private let write: @Sendable (String) throws(CairnError) -> Void

  /// Prints to stdout, or wherever `write` does.
  package init(
    write: @escaping @Sendable (String) throws(CairnError) -> Void = { text throws(CairnError) in
      try Console.write(text)
    }
  ) { self.write = write }

  /// Takes a block, and prints those that were waiting for it. Throws what writing throws.
  ///
  /// - Parameter block: Its position, from 0 without gaps.
  package func add(_ text: String, block: Int) throws(CairnError) {
    try state.withLock { state throws(CairnError) in
      state.waiting[block] = text
      while let ready = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        try write(ready)
      }
    }
  }
}
