// SPDX-License-Identifier: Apache-2.0

/// The exit codes of all commands, for scripts and the orchestrator.
///
/// The values are those of `sysexits.h`, so that a caller can tell bad input, for which a retry is
/// useless, from a temporary failure.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// The command did its work.
  case success = 0
  /// The command ran with a negative answer: validation failed, some regions failed, no route.
  case negative = 1
  /// The command line is wrong.
  case usage = 64
  /// The input exists but is invalid.
  case dataError = 65
  /// The input is missing or cannot be read.
  case noInput = 66
  /// A bug in Cairn.
  case software = 70
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case ioError = 74
  /// A temporary failure: the same command may succeed later.
  case temporaryFailure = 75
  /// A manifest or a profile is invalid.
  case configuration = 78

  /// One line for help pages and logs.
  package var meaning: String {
    switch self {
    case .success: "done"
    case .negative: "ran, and the answer is no"
    case .usage: "wrong command line"
    case .dataError: "bad input data"
    case .noInput: "input missing or unreadable"
    case .software: "a defect in Cairn"
    case .cannotCreate: "output cannot be created"
    case .ioError: "input or output error"
    case .temporaryFailure: "temporary fault, worth a retry"
    case .configuration: "bad manifest or profile"
    }
  }
}
