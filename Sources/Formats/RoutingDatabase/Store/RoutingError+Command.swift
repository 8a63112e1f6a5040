// SPDX-License-Identifier: Apache-2.0
import Diagnostics

extension RoutingError {
  /// How a command ends with it: 1 where the answer is no, otherwise what is wrong with the file.
  package var exitCode: ExitCode {
    switch self {
    case .noNearbyNode, .noRouteFound, .viaPointNotReachable, .noRoundTripFound,
      .profileNotAvailable:
      .negative
    case .databaseNotOpen: .software
    case .databaseUnreadable: .noInput
    case .databaseUnusable, .databaseCorrupted, .hierarchyUnusable: .dataError
    }
  }

  /// The same error as one of a command, about a file.
  package func ofCommand(at path: String) -> CairnError {
    CairnError("route", exitCode, description, at: Location(file: path), hint: hint)
  }

  private var hint: String? {
    switch self {
    // The profile that was most likely meant.
    case .profileNotAvailable(let name, let available):
      nearestWord(to: name, among: available).map { "did you mean \($0)?" }
    case .hierarchyUnusable: "make it anew: cairn prepare-routing"
    default: nil
    }
  }
}
