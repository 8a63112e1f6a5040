// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization

/// Prints blocks of output in order, whatever the order in which workers finish them.
package final class OrderedOutput: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: String] = [:]
  }

  private let state = Mutex(State())
  private let write: @Sendable (String) throws(CairnError) -> Void

  /// Prints to stdout, or with `write`.
  package init(
    write: @escaping @Sendable (String) throws(CairnError) -> Void = { text throws(CairnError) in
      try Console.write(text)
    }
  ) { self.write = write }

  /// Takes a block, and prints it and the blocks waiting for it if it is next. Throws the errors of
  /// writing.
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
