// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import Pipeline
import SampleData
import StageKit
import SystemIO

/// `cairn COMMAND …`: the commands below, and every `cairn-COMMAND` that lies beside this
/// executable or in PATH.
@main
enum Cairn {
  static let commands: [(name: String, command: any (Command & SendableMetatype).Type)] = [
    ("init", InitCommand.self),
    ("manifest", ManifestCommand.self),
    ("plan", PlanCommand.self),
    ("run", RunCommand.self),
    ("explain-run", ExplainCommand.self),
    ("status", StatusCommand.self),
    ("doctor", DoctorCommand.self),
    ("route", RouteCommand.self),
    ("inspect", InspectCommand.self),
    ("sample", SampleCommand.self),
  ]

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let name = words.first, !["help", "--help", "-h"].contains(name) else {
      finish { try Console.write(overview) }
    }
    if name == "--version" { finish { try Console.write("cairn \(cairnVersion)\n") } }
    let rest = Array(words.dropFirst())
    if let command = commands.first(where: { $0.name == name })?.command {
      exit(CommandRunner.run(command, rest).rawValue)
    }
    exit(ExternalCommand(name).run(rest).rawValue)
  }

  private static func finish(_ write: () throws -> Void) -> Never {
    do { try write() } catch { exit(asCairnError(error).exitCode.rawValue) }
    exit(ExitCode.success.rawValue)
  }
}
