// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnSQLiteKit
import CommandLineKit
import Glibc
import SystemIO

/// `cairn COMMAND …`: the built-in commands, and every executable `cairn-COMMAND` beside this one
/// or in PATH.
@main
enum Cairn {
  static func main() {
    SQLiteConnection.keepNoStatistics()
    var words = CommandRunner.processArguments(of: "cairn")
    // `help route` is `route --help`.
    if words.count > 1, isHelp(words[0]) { words = words.dropFirst() + ["--help"] }
    guard let name = words.first, !isHelp(name) else {
      finish { try Console.write(overview) }
    }
    if words.count == 2, isHelp(words[1]), let page = page(ofGroup: name) {
      finish { try Console.write(page) }
    }
    if name == "--version" { finish { try Console.write(versionText(of: "cairn")) } }
    if let page = generatedPage(words) { finish { try Console.write(page) } }
    let rest = Array(words.dropFirst())
    // A command of two words, such as `profile show`.
    let pair = rest.first.map { "\(name) \($0)" }
    if let command = commands.first(where: { $0.name == pair })?.command {
      exit(CommandRunner.run(command, Array(rest.dropFirst())).rawValue)
    }
    if let command = (commands + hiddenCommands).first(where: { $0.name == name })?.command {
      exit(CommandRunner.run(command, rest).rawValue)
    }
    if let error = missingSecondWord(words) { finish { throw error } }
    exit(ExternalCommand(name).run(rest).rawValue)
  }

  private static func isHelp(_ word: String) -> Bool { ["help", "--help", "-h"].contains(word) }

  private static func finish(_ write: () throws -> Void) -> Never {
    do { try write() } catch {
      let error = asCairnError(error)
      if error.exitCode == .usage { Console.note("cairn: error: \(error)") }
      exit(error.exitCode.rawValue)
    }
    exit(ExitCode.success.rawValue)
  }
}
