// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Pipeline
import ProfileTrials
import Reports
import SystemIO

/// `cairn report RUN_OR_COMPARISON --output FILE`: a page to open, print and send.
struct ReportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn report",
    summary: "write a run or a comparison of profiles as a self-contained page",
    discussion: """
      For a run (give the manifest or its output folder), the page shows the regions, what ran \
      when, warnings, findings, and the changes since the previous run. For a comparison (the \
      output of cairn compare --format json), it shows the changed routes on a map, their \
      elevation profiles in both versions, and how all routes differ. The page is one file that \
      loads nothing, so it opens without a network. The map shows the relief and ways of the \
      suite's databases and manifests if they still exist; --elevation and --database name others. \
      If Debian's libjs-leaflet is installed, the map is interactive. The same input gives the \
      same page.
      """,
    positionals: [
      .init(
        "RUN_OR_COMPARISON",
        help: "a manifest or a folder with one, an output folder, or a comparison as JSON")
    ],
    options: [
      .option("output", "FILE", required: true, help: "the page to write, such as report.html"),
      .option("run", "N", help: "the number of the run (default: the last one)"),
      .option(
        "suite", "FILE",
        help: "the suite of the comparison (default: as recorded in the comparison)"),
      .option(
        "elevation", "FOLDER", repeats: true,
        help: "a folder of HGT tiles for the map's relief; the first one takes precedence"),
      .option(
        "database", "DB", repeats: true,
        help: "a routing database or bundle of the comparison, for the ways on the map"),
      .option("map", "KIND", help: "leaflet or drawn (default: leaflet where it is installed)"),
    ],
    examples: [
      "cairn report pipelines/sample.yaml --output build.html",
      "cairn report comparison.json --output report.html",
      "cairn report comparison.json --elevation srtm --database valley-west.routing.db "
        + "--output report.html",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let input = arguments.positionals[0]
    let number = try arguments.integer("run", in: 1...1_000_000_000)
    let map = try arguments.choice("map", of: ["leaflet", "drawn"])
    let output = try arguments.required("output")
    let page: ReportPage
    if try isComparison(input) {
      guard number == nil else {
        throw arguments.usageError("--run works only with a run; \(input) is a comparison")
      }
      page = try comparison(input, arguments, map)
    } else {
      for name in ["suite", "elevation", "database", "map"] where !arguments.all(name).isEmpty {
        throw arguments.usageError("--\(name) works only with a comparison")
      }
      page = BuildPage(try RecordedRun(input, number: number)).page
    }
    try AtomicOutput.write(
      Array(page.html.utf8), to: output, replacing: ReportPage.isReport(head:))
    return .success
  }

  private static func isComparison(_ path: String) throws(CairnError) -> Bool {
    guard !pathExists(joinPath(path, ".")) else { return false }
    let file = try InputFile(path)
    var head = [UInt8](repeating: 0, count: min(file.size, 64))
    let count = try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    if ProfileComparison.isComparison(head: Array(head.prefix(count))) { return true }
    guard path.lowercased().hasSuffix(".json") else { return false }
    throw CairnError(
      "comparison", .dataError, "is not a comparison", at: Location(file: path),
      hint: "write one with cairn compare --format json")
  }

  private static func comparison(_ path: String, _ arguments: Arguments, _ map: String?) throws
    -> ReportPage
  {
    let comparison = try ComparisonPage.read(path)
    let ground = try ComparisonGround(comparison, at: path, arguments).ground()
    let leaflet = map == "drawn" ? nil : LeafletFiles()
    if leaflet == nil, map == "leaflet" {
      throw CairnError(
        "leaflet", .noInput, "Leaflet is not installed",
        at: Location(file: LeafletFiles.debianFolder), hint: "apt-get install libjs-leaflet")
    }
    return try ComparisonPage(comparison, ground: ground, leaflet: leaflet).page()
  }
}
