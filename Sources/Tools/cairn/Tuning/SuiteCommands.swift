// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import SystemIO
import TuningSuites

/// `cairn suite check`: whether suite files are valid.
struct SuiteCheckCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn suite check",
    summary: "check tuning suites",
    discussion: """
      Checks suites and the lists and manifests that they name, and reports every problem with \
      line and column. Finds no routes: only cairn compare checks whether points lie near a path. \
      Exits with 78 if a suite is invalid.
      """,
    positionals: [.init("FILE", repeats: true, help: "a suite file")],
    examples: ["cairn suite check pipelines/tuning/sample.yaml"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    try checkFiles(arguments.positionals) { path throws(CairnError) in
      let suite = try TuningSuite(file: path, .pipeline)
      try Console.write("\(path): \(printable(suite.name)), \(suite.content)\n")
    }
  }
}

extension TuningSuite {
  /// The content: `2 datasets, 300 pairs, 4 expectations`.
  fileprivate var content: String {
    let pairs = pairs.reduce(0) { sum, group in
      switch group {
      case .given(let trips): sum + trips.count
      case .drawn(let drawn): sum + drawn.count
      }
    }
    let counts = [
      (datasets.count, "dataset"), (pairs, "pair"), (referenceTimes.count, "reference time"),
      (referenceTracks.count, "reference track"), (expectations.count, "expectation"),
    ]
    return counts.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: ", ")
  }
}

/// `cairn suite schema`: the format of suite files.
struct SuiteSchemaCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn suite schema",
    summary: "print a JSON Schema of tuning suites",
    discussion: """
      Editors use the schema (draft 2020-12) to complete and check a suite as you write it.
      """,
    examples: ["cairn suite schema > cairn-suite.schema.json"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    try Console.write(String(decoding: try encodeJSON(SuiteForm.schema), as: UTF8.self))
    return .success
  }
}

extension SuiteSources {
  /// Files as they are, and the published databases of manifests.
  static let pipeline = SuiteSources { path throws(CairnError) in
    let manifest = try Manifest.load(path)
    return manifest.regions.map { region in
      ManifestDatabase(
        region: region.id,
        database: joinPath(
          manifest.output, "\(region.id)/\(manifest.databaseStem(of: region)).routing.db"),
        elevation: manifest.elevation(of: region).map { $0.path(for: region) })
    }
  }
}
