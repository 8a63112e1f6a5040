// SPDX-License-Identifier: Apache-2.0
import CairnLocks

extension CairnError.Code {
  /// Something was not read to its end because a signal asked this process to stop.
  package static let stopped: Self = "stopped"
}

/// The request of a signal to stop this process, for commands that do not simply exit: long reads
/// and copies abort.
package enum StopRequest {
  private static let flag = Mutex(false)

  /// Whether the process is to stop.
  package static var isMade: Bool { flag.withLock { $0 } }

  /// Makes the request, for good.
  package static func make() { flag.withLock { $0 = true } }

  /// Throws 75 once the request was made.
  package static func check(_ path: String) throws(CairnError) {
    if isMade { throw error(path) }
  }

  /// The error for a file whose reading was aborted.
  package static func error(_ path: String) -> CairnError {
    CairnError(
      .stopped, .temporaryFailure, "was not read to its end: a signal asked for a stop",
      at: Location(file: path))
  }
}
