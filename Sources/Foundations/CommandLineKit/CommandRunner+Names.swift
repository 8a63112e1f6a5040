// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Glibc

extension CommandRunner {
  /// Runs the one of several commands by whose name the process was started, which is that of a link
  /// to its executable. Under another name, `--list` prints the names, and anything else is refused.
  package static func main(
    called names: [String], _ command: (_ name: String) -> (any Command.Type)?
  ) -> Never {
    let words = CommandLine.arguments
    let name = words.first?.split(separator: "/").last.map(String.init) ?? ""
    if let command = command(name) { main(command) }
    if words.dropFirst() == ["--list"] {
      print(names.joined(separator: "\n"))
      exit(ExitCode.success.rawValue)
    }
    Console.note(
      "\(printable(name)): error: has several programs: start it by a link with the name of one of "
        + "them: \(names.joined(separator: ", "))")
    exit(ExitCode.usage.rawValue)
  }
}
