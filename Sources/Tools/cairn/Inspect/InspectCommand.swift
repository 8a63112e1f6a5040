// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import OSMInput
import SystemIO
import Tiles
import TrailData
import Validation

/// `cairn inspect`: the contents of an OpenStreetMap extract or of a file that a stage wrote.
struct InspectCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn inspect",
    summary: "show the contents of an extract, a file between two stages, or a database",
    discussion: """
      Reads .osm.pbf, .trails, .elevated, .graph, .routing.db, .waypoints.db, .places.db, .mbtiles \
      and .pmtiles. An extract is decoded completely: every object is read and counted.
      """,
    positionals: [.init("FILE", help: "an OpenStreetMap extract, or a file that a stage wrote")],
    options: [
      .flag("json", help: "print JSON"),
      .option("tags", "KEY,…", help: "count the values of these keys in an extract"),
      .option("threads", "N", help: "worker threads for an extract (default: one per processor)"),
    ],
    examples: [
      "cairn inspect build/valley.graph",
      "cairn inspect build/valley.routing.db",
      "cairn inspect build/valley.places.db --json",
      "cairn inspect build/valley.trails.mbtiles",
      "cairn inspect andorra.osm.pbf --tags highway,sac_scale",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let path = arguments.positionals[0]
    let file = try InputFile(path)
    var head = [UInt8](repeating: 0, count: 16)
    let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    head.removeLast(head.count - count)
    if ContainerKind(head: head) != nil {
      for option in ["tags", "threads"] where arguments.has(option) {
        throw arguments.usageError("--\(option) only applies to OpenStreetMap extracts")
      }
      try show(ContainerListing(try ContainerReader(path)), arguments)
    } else if head.starts(with: "SQLite format 3".utf8) || PMTilesHeader.recognises(head: head) {
      for option in ["tags", "threads"] where arguments.has(option) {
        throw arguments.usageError("--\(option) only applies to OpenStreetMap extracts")
      }
      if CompanionKind(file: path) == .tiles {
        try show(try TileListing(path), arguments)
      } else if let kind = CompanionKind(file: path) {
        try show(try CompanionListing(path, kind), arguments)
      } else {
        try show(try DatabaseListing(path), arguments)
      }
    } else if isXML(head) {
      throw CairnError(
        .wrongFileKind, .dataError, "is XML or compressed, but inspect reads .osm.pbf",
        at: Location(file: path),
        hint: "convert it with: osmium cat IN.osm.gz -o OUT.osm.pbf")
    } else if head.count > 8, head[0] == 0, head[1] == 0 {
      try show(ExtractListing(path, try survey(path, arguments)), arguments)
    } else {
      throw CairnError(
        .wrongFileKind, .dataError,
        "is neither an OpenStreetMap extract nor a file written by a stage",
        at: Location(file: path),
        hint: "inspect reads .osm.pbf, .trails, .elevated, .graph and the databases of a bundle")
    }
    return .success
  }

  private static func isXML(_ head: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [[0x1f, 0x8b], Array("<".utf8), [0xef, 0xbb, 0xbf], Array("BZh".utf8)]
    return marks.contains { head.starts(with: $0) }
  }

  private static func survey(_ path: String, _ arguments: Arguments) throws -> PBFSurvey {
    let keys = (arguments.value("tags") ?? "").split(separator: ",").map(String.init)
    guard keys.count <= PBFSurvey.maximumKeys else {
      throw arguments.usageError("--tags takes at most \(PBFSurvey.maximumKeys) keys")
    }
    let threads = try arguments.integer("threads", in: 1...1024) ?? availableProcessors()
    return try PBFSurvey(path, tallying: keys, threads: threads)
  }

  private static func show(_ listing: some Listing, _ arguments: Arguments) throws {
    if arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(listing), as: UTF8.self))
    } else {
      try Console.write(listing.lines.map { printable($0) + "\n" }.joined())
    }
  }
}

/// A description of a file, as JSON and as text.
protocol Listing: Encodable {
  /// The text, line by line.
  var lines: [String] { get }
}

/// A label and its value as a line of a listing.
func fact(_ label: String, _ text: String) -> String { "  \((label + " ").padded(to: 20))\(text)" }
