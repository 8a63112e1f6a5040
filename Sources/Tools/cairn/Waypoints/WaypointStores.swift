// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnWaypoints
import CommandLineKit
import SystemIO

/// Opens a store of waypoints, runs `body` with it and closes it. Errors of the store become errors
/// of the command. A store to be read must exist, possibly in a bundle's folder; a store to be
/// written is created.
func withWaypoints<Result>(
  _ path: String, readOnly: Bool, _ body: (WaypointStore) throws(WaypointStoreError) -> Result
) throws(CairnError) -> Result {
  guard readOnly || !folderExists(path) else {
    throw CairnError(
      "waypoints", .cannotCreate, "is a folder; bundles are never changed",
      at: Location(file: path), hint: "give your own database, such as waypoints.db")
  }
  let path = try fileOfBundle(path, ".waypoints.db")
  if readOnly, !pathExists(path) {
    throw CairnError(
      "waypoints", .noInput, "no such file", at: Location(file: path),
      hint: "create it with cairn waypoints add")
  }
  let store = WaypointStore(path: path, readOnly: readOnly)
  do throws(WaypointStoreError) {
    try store.open()
    defer { store.close() }
    return try body(store)
  } catch { throw error.ofCommand(at: path) }
}

extension WaypointStoreError {
  /// The error of a command about the store at a path.
  func ofCommand(at path: String) -> CairnError {
    CairnError("waypoints", exitCode, description, at: Location(file: path), hint: hint)
  }

  private var exitCode: ExitCode {
    switch self {
    case .notOpen: .software
    case .unreadable, .notFound: .noInput
    case .notAStore, .damaged, .unclosed, .tooNew, .invalidWaypoint: .dataError
    case .locked: .temporaryFailure
    case .readOnly: .cannotCreate
    case .notWritten: .ioError
    }
  }

  private var hint: String? {
    switch self {
    case .locked: "try again"
    case .readOnly: "export it, and import it into your own file"
    case .tooNew: "use a later version of Cairn"
    default: nil
    }
  }
}

extension Arguments {
  /// The value of `--category`; nil if it is not given. Throws 64 for an unknown one.
  func waypointCategory() throws(CairnError) -> WaypointCategory? {
    let names = WaypointCategory.allCases.map(\.rawValue)
    return try choice("category", of: names).map { WaypointCategory(named: $0) }
  }
}

/// The text on categories in help pages.
let waypointCategories =
  "Categories are \(WaypointCategory.allCases.map(\.rawValue).joined(separator: ", "))."
