// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import OSMInput
import Presentation
import SystemIO
import Tiles
import TrailData
import Validation
import XMLKit

/// `cairn inspect`: the contents of an OpenStreetMap extract or of a stage's output.
struct InspectCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn inspect",
    summary: "show the content of an extract, a GPX file, map tiles, a database or a stage's "
      + "output",
    discussion: """
      Reads .osm.pbf, OpenStreetMap XML and changes (.osm, .osc, also with gzip), GPX, .trails, \
      .elevated, .graph, .routing.db, .waypoints.db, .places.db, .mbtiles and .pmtiles. An extract \
      is read completely: every object is counted. For a bundle's folder, shows its databases and \
      map tiles in turn. stdin (-) takes extracts, changes and GPX.
      """,
    positionals: [
      .init(
        "FILE",
        help: "an OpenStreetMap extract, a GPX file, a file that a stage wrote, or the folder of a "
          + "bundle; - for stdin")
    ],
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
      "cairn inspect andorra.osm.pbf --tags highway,sac_scale", "cairn inspect hike.gpx",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let name = arguments.positionals[0]
    guard !folderExists(name) else {
      try inspect(filesOf: name, arguments)
      return .success
    }
    guard name == "-" else {
      try inspect(name, called: name, arguments)
      return .success
    }
    let copy = try StandardInputCopy()
    do {
      try inspect(copy.path, called: "stdin", arguments)
    } catch var error as CairnError {
      if error.location?.file == copy.path { error.location?.file = "stdin" }
      throw error
    }
    return .success
  }

  /// The endings of the shown files of a bundle.
  private static let endings = [
    ".routing.db", ".waypoints.db", ".places.db", ".mbtiles", ".pmtiles",
  ]

  /// Shows the files of a bundle; in JSON as a list.
  private static func inspect(filesOf folder: String, _ arguments: Arguments) throws {
    let names = try folderContents(folder).filter { name in
      !name.hasPrefix(".") && endings.contains { name.hasSuffix($0) }
    }
    guard !names.isEmpty else {
      throw CairnError(
        .wrongFileKind, .noInput, "has no database or map tiles", at: Location(file: folder),
        hint: "give the folder of a bundle, such as OUTPUT/REGION, or the path of a file")
    }
    let isJSON = arguments.has("json")
    if isJSON { try Console.write("[") }
    for (index, name) in names.enumerated() {
      if index > 0 { try Console.write(isJSON ? ",\n" : "\n") }
      let path = joinPath(folder, name)
      try inspect(path, called: path, arguments)
    }
    if isJSON { try Console.write("]\n") }
  }

  private static func inspect(_ path: String, called name: String, _ arguments: Arguments) throws {
    let file = try InputFile(path)
    var head = [UInt8](repeating: 0, count: 16)
    let count = try head.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    head.removeLast(head.count - count)
    if isPBF(head) {
      try show(ExtractListing(name, try survey(path, arguments)), arguments)
    } else if isMarkup(head), (try? xmlRootName(of: path)) != "gpx" {
      let survey = try XMLSurvey(path, tallying: try talliedKeys(arguments))
      try show(ExtractListing(name, survey), arguments)
    } else {
      for option in ["tags", "threads"] where arguments.has(option) {
        throw arguments.usageError("--\(option) only applies to OpenStreetMap extracts")
      }
      try showOther(file, called: name, head, arguments)
    }
  }

  /// Shows a file that is no extract.
  private static func showOther(
    _ file: InputFile, called name: String, _ head: [UInt8], _ arguments: Arguments
  ) throws {
    let path = file.path
    if isMarkup(head) {
      try show(try GPXListing(name, reading: file), arguments)
    } else if name != path {
      throw CairnError(
        .wrongFileKind, .dataError, "is neither an OpenStreetMap extract nor GPX",
        at: Location(file: name), hint: "give the path of any other file")
    } else if ContainerKind(head: head) != nil {
      try show(ContainerListing(try ContainerReader(path)), arguments)
    } else if head.starts(with: "SQLite format 3".utf8) || PMTilesHeader.recognises(head: head) {
      if CompanionKind(file: path) == .tiles {
        try show(try TileListing(path), arguments)
      } else if let kind = CompanionKind(file: path) {
        try show(try CompanionListing(path, kind), arguments)
      } else {
        try show(try DatabaseListing(path), arguments)
      }
    } else {
      throw CairnError(
        .wrongFileKind, .dataError,
        "is neither an OpenStreetMap extract, nor GPX, nor a file written by a stage",
        at: Location(file: path), hint: "cairn inspect --help lists the formats")
    }
  }

  private static func isPBF(_ head: [UInt8]) -> Bool {
    head.count > 8 && head[0] == 0 && head[1] == 0
  }

  /// Whether a file begins like XML, or like compressed data that may be XML.
  private static func talliedKeys(_ arguments: Arguments) throws -> [String] {
    let keys = (arguments.value("tags") ?? "").split(separator: ",").map(String.init)
    guard keys.count <= PBFSurvey.maximumKeys else {
      throw arguments.usageError("--tags takes at most \(PBFSurvey.maximumKeys) keys")
    }
    return keys
  }

  private static func survey(_ path: String, _ arguments: Arguments) throws -> PBFSurvey {
    let threads = try arguments.integer("threads", in: 1...1024) ?? availableProcessors()
    return try PBFSurvey(path, tallying: try talliedKeys(arguments), threads: threads)
  }

  private static func show(_ listing: some Listing, _ arguments: Arguments) throws {
    if arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(listing), as: UTF8.self))
    } else {
      try Console.write(listing.lines.map { printable($0) + "\n" }.joined())
    }
  }
}

/// Whether a file with these first bytes may be XML, plain or compressed.
func isMarkup(_ head: [UInt8]) -> Bool {
  let packed: [[UInt8]] = [[0x1f, 0x8b], Array("BZh".utf8), [0x28, 0xb5, 0x2f, 0xfd]]
  let mark: [UInt8] = [0xef, 0xbb, 0xbf]
  let text = head.starts(with: mark) ? head.dropFirst(mark.count) : head[...]
  return packed.contains { head.starts(with: $0) }
    || text.drop { [9, 10, 13, 32].contains($0) }.first == UInt8(ascii: "<")
}
