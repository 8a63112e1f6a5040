// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Elevation
import Manifests
import OSMInput
import SystemIO

/// `cairn lint FILE|MANIFEST`: places in the map for mappers to examine.
package struct LintCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn lint",
    summary: "list what a mapper should check in an extract",
    discussion: """
      Reads PBF or OpenStreetMap XML, or the sources of a manifest that are files, with their \
      elevation tiles. Lists ways that are not joined, contradictory tags, broken routes and \
      similar problems, each with its objects, what to check, and a stable id. docs/lint.md states \
      how often each kind was right. Reports nothing where the file may have been cut. Exit code \
      0; with --fail, 1 if there are findings.
      """,
    positionals: [
      .init("FILE", help: "an OpenStreetMap extract, or a manifest (.yaml) with sources")
    ],
    options: [
      .option("format", "FORMAT", help: "text (default), geojson, maproulette or osmose"),
      .option("output", "FILE", help: "file to write (default stdout)"),
      .option("kind", "KIND", repeats: true, help: "report only findings of this kind"),
      .option(
        "hgt", "FOLDER", repeats: true,
        help: "a folder of HGT tiles to compare elevations with; the first one takes precedence"),
      .option(
        "ignore", "FILE",
        help: "ids of findings to ignore, one a line (default: lint-ignore of the manifest)"
      ),
      .option(
        "since", "FILE",
        help:
          "output of an earlier run as GeoJSON or for MapRoulette: report only new and solved "
          + "findings"),
      .flag(
        "uncut",
        help: "report findings at the border, too, as the file was not cut out of a "
          + "larger one"
      ),
      .flag("fail", help: "exit with 1 if there are findings"),
      .option("threads", "N", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn lint andorra.osm.pbf --hgt srtm",
      "cairn lint pipelines/sample.yaml --format maproulette --output tasks.json",
      "cairn lint andorra.osm.pbf --format geojson --since findings.geojson --fail",
    ])

  /// Prints or writes the findings.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = FindingReport.Format.allCases.map(\.rawValue)
    let format =
      try arguments.choice("format", of: formats).flatMap(FindingReport.Format.init) ?? .text
    let kinds = try kinds(arguments)
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let input = try Input(arguments.positionals[0], arguments)
    let ignored = try input.ignored.map(ignoredFindings) ?? []
    let earlier = try arguments.value("since").map(EarlierFinding.read)
    var report = FindingReport([])
    for file in input.files {
      let extract = try MappedExtract(file.path, threads: threads)
      let elevations =
        file.elevation.isEmpty ? nil : try ElevationDataManager(folders: file.elevation)
      report.findings += try MapCheck.findings(
        extract, isWhole: arguments.has("uncut"), elevations: elevations)
      report.dataTimestamp = [report.dataTimestamp, extract.dataTimestamp].compactMap { $0 }.max()
    }
    report.keep { kinds.contains($0.kind) && !ignored.contains($0.id) }
    if let earlier {
      report.compare(with: earlier.filter { !ignored.contains($0.id) && isOf(kinds, $0.id) })
    }
    let text = try report.text(format)
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output, replacing: format.recognises)
    } else {
      try Console.write(text)
    }
    return arguments.has("fail") && !report.findings.isEmpty ? .negative : .success
  }

  private static func kinds(_ arguments: Arguments) throws(CairnError) -> Set<MapFindingKind> {
    let words = arguments.all("kind")
    if words.isEmpty { return Set(MapFindingKind.allCases) }
    var kinds: Set<MapFindingKind> = []
    for word in words {
      guard let kind = MapFindingKind(rawValue: word) else {
        let known = MapFindingKind.allCases.map(\.rawValue)
        throw arguments.usageError(
          "--kind “\(printable(word))” is not a kind; there are \(listed(known))",
          hint: nearestWord(to: word, among: known).map { "did you mean \($0)?" })
      }
      kinds.insert(kind)
    }
    return kinds
  }

  private static func isOf(_ kinds: Set<MapFindingKind>, _ id: String) -> Bool {
    // Kinds of other versions are dropped.
    MapFindingKind(rawValue: String(id.prefix { $0 != "/" })).map(kinds.contains) ?? true
  }

  /// The input.
  private struct Input {
    /// Extracts with the folders of their elevation tiles.
    var files: [(path: String, elevation: [String])]
    /// The list of ignored findings.
    var ignored: String?

    init(_ path: String, _ arguments: Arguments) throws(CairnError) {
      ignored = arguments.value("ignore")
      let tiles = arguments.all("hgt")
      let path = try Manifest.path(argument: path)
      guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
        files = [(path, tiles)]
        return
      }
      let manifest = try Manifest.load(path)
      ignored = ignored ?? manifest.lintIgnore
      let sources = manifest.sources.values.sorted { $0.name < $1.name }
      files = sources.filter { !$0.isRemote }.map { source in
        let folders = (source.elevation ?? manifest.elevation).filter { $0.pattern == nil }
        return (source.path, tiles.isEmpty ? folders.map(\.path) : tiles)
      }
      for source in sources where source.isRemote {
        Console.note(
          printable(
            "cairn lint: source “\(source.name)” is downloaded, and skipped; give its file"))
      }
      if files.isEmpty {
        throw CairnError(
          "no-file", .noInput, "has no source that is a file", at: Location(file: path),
          hint: "download the extract, and give its path")
      }
    }
  }
}

extension FindingReport {
  /// Drops unwanted findings, and duplicates from several files.
  fileprivate mutating func keep(_ isWanted: (MapFinding) -> Bool) {
    var seen: Set<String> = []
    findings = findings.filter { isWanted($0) && seen.insert($0.id).inserted }
      .sorted(by: MapFinding.isBefore)
  }

  /// Drops earlier findings, and records those that are gone.
  fileprivate mutating func compare(with earlier: [EarlierFinding]) {
    let (now, before) = (Set(findings.map(\.id)), Set(earlier.map(\.id)))
    gone = earlier.filter { !now.contains($0.id) }
    findings.removeAll { before.contains($0.id) }
  }
}
