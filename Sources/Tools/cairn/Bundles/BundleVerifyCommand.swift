// SPDX-License-Identifier: Apache-2.0

import BundleFolders
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// `cairn bundle verify`: whether bundles agree with their records.
struct BundleVerifyCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn bundle verify",
    summary: "check that bundles are complete and consistent",
    discussion: """
      Checks that every file of bundle.json exists and has the recorded size and SHA-256; that the \
      folder holds no other file; that region.json, bundle.json, the databases and, in an output \
      folder, index.json agree; and the databases by the rules of cairn-validate. Bundles can be \
      checked after copying them elsewhere; in an output folder, all bundles are checked. Prints \
      each finding with what to do. Exit code 0: no problems; 65: problems found; 66: no such \
      folder.
      """,
    positionals: [
      .init("FOLDER", repeats: true, help: "a bundle, or an output folder")
    ],
    options: [
      .flag("json", help: "print JSON"),
      .flag("quiet", letter: "q", help: "print only problems"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn bundle verify build/sample", "cairn bundle verify /media/phone/andorra --json",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    var results: [OutputVerification] = []
    for path in arguments.positionals {
      results.append(try OutputVerification(path, threads: threads))
    }
    if arguments.has("json") {
      let json = JSONValue.object([
        "intact": .boolean(results.allSatisfy(\.isIntact)),
        "bundles": .list(results.flatMap(\.bundles).map(\.json)),
        "findings": .list(results.flatMap(\.findings).map(\.json)),
      ])
      try Console.write(String(decoding: try encodeJSON(json), as: UTF8.self))
    } else {
      let shown = results.flatMap(\.bundles).filter { !arguments.has("quiet") || !$0.isIntact }
      let lines = results.flatMap(\.findings).map { "\($0.line)\n" }
      try Console.write(shown.map(\.text).joined() + lines.joined())
    }
    return results.allSatisfy(\.isIntact) ? .success : .dataError
  }
}
