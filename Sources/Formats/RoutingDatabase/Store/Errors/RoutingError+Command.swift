// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension RoutingError {
  /// The exit code of a command that fails with this error: 1 if there is no route, otherwise by
  /// the problem of the file.
  package var exitCode: ExitCode {
    switch self {
    case .noNearbyNode, .noRouteFound, .viaPointNotReachable, .noRoundTripFound,
      .profileNotAvailable:
      .negative
    case .databaseNotOpen: .software
    case .cancelled, .databaseLocked: .temporaryFailure
    case .databaseUnreadable: .noInput
    case .databaseUnusable, .databaseCorrupted, .databasesDoNotFit, .rulesNotAvailable:
      .dataError
    }
  }

  /// The error of a command about the file at a path.
  package func ofCommand(at path: String) -> CairnError {
    CairnError("route", exitCode, description, at: Location(file: path), hint: hint)
  }

  private var hint: String? {
    switch self {
    case .profileNotAvailable: likelyProfile.map { "did you mean \($0)?" }
    case .databasesDoNotFit: "give each region once, all built by one version of Cairn"
    case .databaseLocked: "another program is writing it; run again when that has ended"
    case .rulesNotAvailable: "rebuild it with this version of Cairn, or omit the day"
    default: nil
    }
  }
}
