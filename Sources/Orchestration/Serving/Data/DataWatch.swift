// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnLocks
import Glibc

/// The databases that are served, opened anew where they were replaced.
final class DataWatch: Sendable {
  private struct State {
    var data: ServedData
    /// Why what stands at the paths now cannot be opened.
    var problem: CairnError?
    /// When the files were looked at, in milliseconds.
    var lookedAt: Int
  }

  private let words: [String]
  private let pause: Int
  private let mostInMemory: Int
  private let state: Mutex<State>

  /// Opens what words of the command line stand for. Throws what the databases throw.
  ///
  /// - Parameters:
  ///   - pause: The files are looked at no more often, in milliseconds.
  ///   - mostInMemory: Up to which size they are searched in memory.
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

  /// The databases as they are now. Throws 75 where they were replaced by something that cannot be
  /// opened.
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
