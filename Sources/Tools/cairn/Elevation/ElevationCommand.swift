// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Elevation
import SystemIO

/// `cairn elevation`: the elevation at points.
struct ElevationCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn elevation",
    summary: "look up the elevation at points in HGT tiles",
    discussion: """
      Prints metres above sea level, one point per line, or “none” if no folder has data for the \
      point. Coordinates are LAT,LON in degrees. Elevations are interpolated bilinearly between \
      four posts, as in cairn-sample-elevation. Exits with 64 if an argument is not a coordinate, \
      and with 65 if a line of stdin is not.
      """,
    positionals: [
      .init("LAT,LON", repeats: true, help: "a point; - reads points from stdin, one per line")
    ],
    options: [
      .option(
        "hgt", "FOLDER", repeats: true, required: true,
        help: "a folder of HGT tiles; the first one takes precedence"),
      .flag("json", help: "print one JSON object per line, with the tile and its file"),
      .option(
        "tile-cache-mib", "N",
        help: "memory for cached tiles in MiB (default 128)"),
    ],
    examples: [
      "cairn elevation --hgt srtm 47.0508,10.0809",
      "cairn elevation --hgt sonny --hgt srtm --json - < points.txt",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let words = arguments.positionals
    guard words.count(where: { $0 == "-" }) <= 1 else {
      throw arguments.usageError("- may be given only once")
    }
    // The whole command line is checked before anything is printed.
    for (index, word) in words.enumerated() where word != "-" {
      _ = try coordinate(word, .usage, at: Location(file: "", .object("argument \(index + 1)")))
    }
    let cacheMiB = try arguments.integer("tile-cache-mib", in: 0...(1 << 20))
    let manager = try ElevationDataManager(
      folders: arguments.all("hgt"),
      cacheBytes: cacheMiB.map { $0 << 20 } ?? ElevationDataManager.defaultCacheBytes)
    var sheet = ElevationSheet(manager: manager, isJSON: arguments.has("json"))
    for word in words {
      if word == "-" {
        try readPoints(into: &sheet)
      } else {
        try sheet.add(try coordinate(word, .usage, at: Location(file: "")))
      }
    }
    try sheet.flush()
    for line in sheet.remarks { Console.note("\(definition.name): \(line)") }
    return .success
  }

  /// Answers each point of stdin. Output is flushed before waiting for input, so that a caller can
  /// read each answer before it writes the next point.
  private static func readPoints(into sheet: inout ElevationSheet) throws(CairnError) {
    var lines = StandardInputLines()
    while true {
      if !lines.hasLine { try sheet.flush() }
      let number = lines.count + 1
      do throws(CairnError) {
        guard let line = try lines.next() else { return }
        try sheet.add(
          try coordinate(
            line, .dataError, at: Location(file: "stdin", .line(number, column: 1))))
      } catch {
        // Print the answers to the lines before.
        try sheet.flush()
        throw error
      }
    }
  }

  private static func coordinate(
    _ text: String, _ exitCode: ExitCode, at location: Location
  ) throws(CairnError) -> Coordinate {
    if let coordinate = Coordinate(commandLine: text) { return coordinate }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let isSwapped =
      parts.count == 2 && Coordinate(commandLine: "\(parts[1]),\(parts[0])") != nil
    throw CairnError(
      .notACoordinate, exitCode,
      "“\(text)” is not a coordinate: expected LAT,LON in degrees, such as 42.5078,1.5211",
      at: location,
      hint: isSwapped ? "latitude comes first" : Coordinate.problem(commandLine: text))
  }
}

extension CairnError.Code {
  /// The text is not a coordinate.
  static let notACoordinate: Self = "no-place"
}

/// The answers of `cairn elevation`, collected and printed in pieces.
private struct ElevationSheet {
  /// Text is printed in pieces of this size.
  private static let pieceBytes = 1 << 16

  private let manager: ElevationDataManager
  private let isJSON: Bool
  private var text = ""
  private var count = 0
  private var unknownCount = 0

  init(manager: ElevationDataManager, isJSON: Bool) {
    self.manager = manager
    self.isJSON = isJSON
  }

  /// Looks up a point and adds its line.
  mutating func add(_ point: Coordinate) throws(CairnError) {
    let sample = try manager.elevation(at: point)
    count += 1
    if sample == nil { unknownCount += 1 }
    let metres = sample.map { decimal(Double($0.metres), 1) }
    if isJSON {
      let line: [String: JSONValue] = [
        "latitude": .number(point.latitude), "longitude": .number(point.longitude),
        "elevation": metres.flatMap { Double($0) }.map { .number($0) } ?? .null,
        "tile": sample.map { .text($0.tile.description) } ?? .null,
        "source": sample.map { .text($0.file) } ?? .null,
      ]
      text += String(decoding: try encodeJSON(line, pretty: false), as: UTF8.self)
    } else {
      text += (metres ?? "none") + "\n"
    }
    if text.utf8.count >= Self.pieceBytes { try flush() }
  }

  /// Prints the lines collected so far.
  mutating func flush() throws(CairnError) {
    guard !text.isEmpty else { return }
    try Console.write(text)
    text = ""
  }

  /// Notes for stderr: warnings about the folders, and the number of points without elevation.
  var remarks: [String] {
    var remarks = manager.sources.flatMap { source in
      source.warnings.entries.map { entry in
        "warning: \(entry.kind): \(grouped(entry.count)), such as: \(entry.examples.first ?? "")"
      }
    }
    if unknownCount > 0 {
      let extents = manager.sources.map(Self.extent).joined(separator: "; ")
      remarks.append(
        "no elevation for \(grouped(unknownCount)) of \(counted(count, "point")) (\(extents))")
    }
    return remarks.map(printable)
  }

  /// `srtm has 2 tiles: N41E001 and N42E001`.
  private static func extent(of source: ElevationSource) -> String {
    let tiles = source.tiles
    guard let first = tiles.first, let last = tiles.last else {
      return "\(source.folder) has no tiles"
    }
    if tiles.count == 1 { return "\(source.folder) has 1 tile: \(first)" }
    return "\(source.folder) has \(grouped(tiles.count)) tiles: \(first)"
      + (tiles.count == 2 ? " and " : "…") + "\(last)"
  }
}
