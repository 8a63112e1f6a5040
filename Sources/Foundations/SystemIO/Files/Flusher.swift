// SPDX-License-Identifier: Apache-2.0
import Glibc

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
  private var thread = pthread_t()
  private var isRunning = false

  /// Starts the thread; if that fails, nothing is flushed ahead.
  package init() {
    let argument = Unmanaged.passRetained(work)
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    isRunning = status == 0
    if !isRunning { argument.release() }
  }

  deinit {
    work.state.access { $0.isOver = true }
    if isRunning { pthread_join(thread, nil) }
  }

  /// Adds a file that must be on disk soon.
  package var add: @Sendable (String) -> Void {
    { [work] path in work.state.access { $0.paths.append(path) } }
  }
}
