// SPDX-License-Identifier: Apache-2.0

/// Flushes files to disk, one after another, while other work continues. It only saves time for
/// later flushes, which report any failures.
package final class Flusher {
  private struct State {
    var paths: [String] = []
    var isOver = false
  }

  private final class Work: Sendable {
    let state = Monitor(State())

    func run() {
      while let path = next() { try? syncFile(path) }
    }

    private func next() -> String? {
      let next: String?? = state.wait { state in
        if state.isOver { return .some(nil) }
        return state.paths.isEmpty ? nil : .some(state.paths.removeFirst())
      }
      return next ?? nil
    }
  }

  private let work = Work()
  private let thread: StartedThread?

  /// Starts the thread; if that fails, nothing is flushed ahead.
  package init() {
    thread = startThread { [work] in work.run() }
  }

  deinit {
    work.state.access { $0.isOver = true }
    thread?.join()
  }

  /// Adds a file that must be on disk soon.
  package var add: @Sendable (String) -> Void {
    { [work] path in work.state.access { $0.paths.append(path) } }
  }
}
