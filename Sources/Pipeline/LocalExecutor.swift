// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

/// Runs stages as processes of this machine.
struct LocalExecutor: Sendable {
  /// The folder of the stages' executables.
  let binaries: String
  /// Where the wish to stop comes from.
  let interruption: Interruption

  /// The path of a stage's executable.
  func path(of executable: String) -> String { joinPath(binaries, executable) }

  /// Throws 66 with all executables that are not there.
  func check(_ executables: [String]) throws(CairnError) {
    let missing = executables.filter { access(path(of: $0), X_OK) != 0 }
    guard missing.isEmpty else {
      throw CairnError(
        .cannotStart, .noInput, "has no \(missing.joined(separator: ", "))",
        at: Location(file: binaries),
        hint: "the stages lie beside cairn: build all of them, or name their folder with --bin")
    }
  }

  /// Runs a program to its end; what it prints goes into files of its attempt's folder.
  ///
  /// - Parameter command: The path of the program, and its arguments.
  func run(_ command: [String], standardOutput: String, log: String) throws(CairnError)
    -> Subprocess.Ending
  {
    let process = try Subprocess(
      command.first ?? "", Array(command.dropFirst()), standardOutput: standardOutput,
      standardError: log)
    return interruption.wait(for: process)
  }
}
