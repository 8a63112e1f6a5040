// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnLocks
import Glibc

/// The served databases, reopened after they were replaced.
final class DataWatch: Sendable {
  private struct State {
    var data: ServedData
    /// The error of opening the current files.
    var problem: CairnError?
    /// When the files were looked at, in milliseconds.
    var lookedAt: Int
  }

  private let words: [String]
  private let pause: Int
  private let mostInMemory: Int
  private let state: Mutex<State>

  /// Opens the databases for command-line arguments. Throws their errors.
  ///
  /// - Parameters:
  ///   - pause: The least interval between checks of the files, in milliseconds.
  ///   - mostInMemory: The size up to which they are searched in memory.
  init(_ words: [String], pause: Int, mostInMemory: Int) throws(CairnError) {
    (self.words, self.pause, self.mostInMemory) = (words, pause, mostInMemory)
    let data = try ServedData(words, generation: 1, mostInMemory: mostInMemory)
    state = Mutex(State(data: data, lookedAt: Self.now()))
  }

  private static func now() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// The current databases. Throws 75 if they were replaced by something that cannot be opened.
  func current() throws(CairnError) -> ServedData {
    try state.withLock { state throws(CairnError) in
      let now = Self.now()
      if now - state.lookedAt >= pause {
        state.lookedAt = now
        if state.problem != nil || !state.data.isCurrent {
          do throws(CairnError) {
            state.data = try ServedData(
              words, generation: state.data.generation + 1, mostInMemory: mostInMemory)
            state.problem = nil
          } catch {
            state.problem = CairnError(
              "replaced", .temporaryFailure,
              "the databases were replaced and cannot be read: \(error.message)",
              hint: error.hint ?? "the next request tries again")
          }
        }
      }
      if let problem = state.problem { throw problem }
      return state.data
    }
  }
}
