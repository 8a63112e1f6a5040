// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning

/// `cairn manifest check FILE…` and `cairn manifest schema`.
package struct ManifestCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn manifest",
    summary: "check manifests, or print the JSON Schema of their format",
    discussion: """
      check reads manifests and the profiles and regions that they name, and reports with line and \
      column what a run would refuse. From stdin (-), paths are relative to the current folder. \
      With --data, sources and elevation must exist, too: PBF files and tiles must be whole, \
      servers must answer, and regions must lie in their sources; elevation tiles that no source has \
      are listed. schema prints a JSON Schema (draft 2020-12), which editors use to complete and \
      check a manifest as you write it. Exit code 0: all are valid; 65: data is damaged, or a region \
      lies outside of it; 66: files are missing or unreadable; 73: the output folder contains files of other programs; 78: a manifest is \
      invalid.
      """,
    positionals: [
      .init("ACTION", help: "check or schema"),
      .init(
        "FILE", repeats: true, required: false,
        help: "manifests (default: as cairn run); - for stdin"),
    ],
    options: [
      .flag("data", help: "also check sources, their servers, and elevation tiles"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ],
    examples: [
      "cairn manifest check pipelines/*.yaml",
      "sed 's/^name: .*/name: alps/' cairn.yaml | cairn manifest check -",
      "cairn manifest schema > cairn.schema.json",
    ])

  /// Checks manifests or prints the schema.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let files = Array(arguments.positionals.dropFirst())
    switch arguments.positionals.first {
    case "check":
      return try check(
        files.isEmpty ? [Manifest.path(argument: nil)] : files, withData: arguments.has("data"),
        isQuiet: arguments.has("quiet"),
        Orchestrator.Options(arguments).programs)
    case "schema":
      guard files.isEmpty else { throw arguments.usageError("schema takes no file") }
      let bytes = try encodeJSON(ManifestForm.schema)
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    case let word:
      let near = word.flatMap { nearestWord(to: $0, among: ["check", "schema"]) }
      throw arguments.usageError(
        "unknown action “\(word ?? "")”: use check or schema",
        hint: near.map { "did you mean \($0)?" })
    }
  }

  private static func check(
    _ files: [String], withData: Bool, isQuiet: Bool, _ programs: StagePrograms
  ) throws(CairnError) -> ExitCode {
    var worst = ExitCode.success
    for file in files {
      do throws(CairnError) {
        let manifest =
          try file == "-" ? Manifest.loadStandardInput() : Manifest.load(argument: file)
        try manifest.checkFiles(
          regions: manifest.regions, data: withData ? .required : .ifPresent)
        try manifest.checkCommands()
        let shapes = RegionShapes()
        for region in manifest.regions { _ = try shapes.extent(region.shape) }
        try manifest.checkQueries(shapes)
        try manifest.checkOutput()
        if !isQuiet { try Console.write("\(printable(manifest.path)): \(manifest.size): valid\n") }
        for hint in isQuiet ? [] : manifest.hints { Console.note(hint) }
        guard withData else { continue }
        for result in try DataCheckup(manifest, programs).results() {
          if result.exitCode == .success, isQuiet || result.finding.verdict == .good { continue }
          let finding = result.finding
          let fix = finding.fix.map { " (\($0))" } ?? ""
          Console.note("\(manifest.path): \(finding.subject): \(finding.message)\(fix)")
          worst = max(worst, result.exitCode) { $0.rawValue < $1.rawValue }
        }
      } catch {
        Console.note(error.description)
        worst = max(worst, error.exitCode) { $0.rawValue < $1.rawValue }
      }
    }
    return worst
  }

  private static func max(
    _ left: ExitCode, _ right: ExitCode, by isLess: (ExitCode, ExitCode) -> Bool
  ) -> ExitCode { isLess(left, right) ? right : left }
}

extension Manifest {
  /// Notes that are not errors.
  fileprivate var hints: [String] {
    elevationFolders().filter { $0.attribution == nil && $0.licence == nil }.map { folder in
      let key = folder.pattern != nil ? "url" : folder.hasRasters ? "raster" : "hgt"
      return "\(folder.location): hint: these elevations have no licence and attribution, so "
        + "bundles do not state them (add licence: and attribution: beside \(key):)"
    }
  }

  /// `2 regions, 1 source`.
  fileprivate var size: String {
    "\(regions.count) \(regions.count == 1 ? "region" : "regions"), "
      + "\(sources.count) \(sources.count == 1 ? "source" : "sources")"
  }
}
