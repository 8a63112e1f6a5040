// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import SystemIO

/// Which attempts have ended, found by one look at a folder for all jobs of a run: to look for the
/// result of each would be a burden on a shared file system.
///
/// A job marks its end with an empty file in `.cairn/ended`, after its `result.json`. A mark only
/// saves time: one that is missing is noticed when the job is not in the queue any more.
final class EndedAttempts: Sendable {
  private struct State {
    var names: Set<String> = []
    /// When the folder was looked at last.
    var looked = -Double.infinity
    /// The folder, once an attempt was asked about.
    var folder: String?
  }

  /// Seconds between two looks.
  private static let lookSeconds = 0.1

  private let state = Mutex(State())

  /// The mark of an attempt, by its folder.
  private static func mark(of attempt: String) -> (folder: String, name: String) {
    let (attempts, name) = splitPath(attempt)
    return (joinPath(splitPath(attempts).folder, "ended"), name)
  }

  /// Marks an attempt, whose result is written, as ended.
  static func mark(_ attempt: String) {
    let (folder, name) = mark(of: attempt)
    if (try? makeFolders(folder)) != nil { try? writeCacheFile([], to: joinPath(folder, name)) }
  }

  /// Whether an attempt is marked as ended.
  func contains(_ attempt: String) -> Bool {
    let (folder, name) = Self.mark(of: attempt)
    let now = monotonicSeconds()
    return state.withLock { state in
      if now - state.looked >= Self.lookSeconds {
        state.folder = folder
        state.names = Set((try? folderContents(folder)) ?? [])
        state.looked = monotonicSeconds()
      }
      return state.names.contains(name)
    }
  }

  /// Removes all marks: those of jobs that end later are not needed, since the next run looks at
  /// results first.
  func clear() {
    guard let folder = state.withLock({ $0.folder }) else { return }
    for name in (try? folderContents(folder)) ?? [] { unlink(joinPath(folder, name)) }
    rmdir(folder)
  }
}
