// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// The folder that holds the executables of the stages.
package struct StagePrograms: Sendable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// The path of a stage's executable.
  package func path(of executable: String) -> String { joinPath(folder, executable) }

  /// Throws 66 with all executables that are missing.
  package func check(_ executables: [String]) throws(CairnError) {
    let missing = executables.filter { access(path(of: $0), X_OK) != 0 }
    guard missing.isEmpty else {
      throw CairnError(
        .cannotStart, .noInput, "has no \(missing.joined(separator: ", "))",
        at: Location(file: folder),
        hint: "build all stages beside cairn, or give their folder with --bin")
    }
  }
}
