// SPDX-License-Identifier: Apache-2.0

import BundleFolders
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// `cairn bundle verify`: whether bundles are what their records say.
struct BundleVerifyCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn bundle verify",
    summary: "check that bundles are whole and agree with their records",
    discussion: """
      Checks every file of bundle.json: that it is there, its size and its SHA-256; that nothing \
      else is in the folder; that region.json, bundle.json, the databases and, in an output folder, \
      index.json agree; and the databases by the rules of cairn-validate. A bundle may have been \
      copied elsewhere. Of an output folder all bundles are checked. Prints all findings, each with \
      what to do. \
      Exit code 0: all is well; 65: something is wrong; 66: there is no such folder.
      """,
    positionals: [
      .init("FOLDER", repeats: true, help: "a bundle, or the output folder of manifests")
    ],
    options: [
      .flag("json", help: "print JSON"),
      .flag("quiet", letter: "q", help: "print only what is wrong"),
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
