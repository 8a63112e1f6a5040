// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// A command: its definition and its action.
package protocol Command {
  /// Name, options and help.
  static var definition: CommandDefinition { get }

  /// Runs the command. A thrown error ends the process with its exit code.
  static func run(_ arguments: Arguments) throws -> ExitCode
}

/// A stage of the pipeline: a command with the options that all stages share.
package protocol StageCommand: Command {
  /// The options of this stage only; see ``StageRun`` for the shared ones.
  static var stageDefinition: CommandDefinition { get }

  /// Runs the stage and fills in the report.
  static func run(_ stage: StageRun) throws -> ExitCode
}

extension StageCommand {
  /// The stage's own options and the shared ones.
  package static var definition: CommandDefinition {
    var definition = stageDefinition
    definition.options += StageRun.sharedOptions
    return definition
  }

  /// Runs the stage and writes the report, even if the run fails.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let stage = try StageRun(name: definition.name, arguments)
    let code: ExitCode
    do {
      code = try run(stage)
    } catch {
      stage.fail(asCairnError(error))
      throw error
    }
    try stage.finish()
    return code
  }
}

/// Runs commands as processes.
package enum CommandRunner {
  /// Runs a command with this process's arguments and ends the process.
  package static func main(_ command: any Command.Type) -> Never {
    exit(run(command, processArguments(of: command.definition.name)).rawValue)
  }

  /// This process's arguments. Exits with 64 if one is not UTF-8, since its text would name another
  /// file.
  ///
  /// - Parameter name: The command's name, for the message.
  package static func processArguments(of name: String) -> [String] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return "" }
      if let text = String(validatingCString: argument) { return text }
      let error = CairnError(
        .usage, .usage,
        "the argument “\(String(cString: argument).prefix(200))” is not UTF-8",
        hint: "rename the file or folder, or create a symbolic link with a UTF-8 name")
      Console.note("\(name): error: \(error)")
      exit(error.exitCode.rawValue)
    }
  }

  /// Runs a command; prints its help, its version or its error, and returns the exit code.
  package static func run(_ command: any Command.Type, _ words: [String]) -> ExitCode {
    // A closed pipe is then reported as EPIPE and does not kill the process.
    signal(SIGPIPE, SIG_IGN)
    // Likewise for a file that reaches the limit of `ulimit -f`, reported as EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    let definition = command.definition
    do {
      if let page = definition.generatedPage(words) {
        try Console.write(page)
        return .success
      }
      let arguments = try Arguments(words, for: definition)
      if arguments.has("help") {
        try Console.write(definition.helpPage)
        return .success
      }
      if arguments.has("version") {
        try Console.write(versionText(of: definition.name))
        return .success
      }
      try arguments.checkRequired()
      return try command.run(arguments)
    } catch {
      let error = asCairnError(error)
      Console.note("\(definition.name): error: \(error)")
      return error.exitCode
    }
  }
}

/// Any error as a ``CairnError``; an error of another type is a bug in Cairn (70).
package func asCairnError(_ error: any Error) -> CairnError {
  (error as? CairnError)
    ?? CairnError("unexpected", .software, "\(error)", hint: "this is a bug in Cairn")
}
