// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Elevation
import Formatting
import Geodesy

/// `cairn elevation`: how high some places lie.
struct ElevationCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn elevation",
    summary: "print the elevation of places from HGT tiles",
    discussion: """
      Prints metres above sea level, one place a line, or none where no folder knows the place. \
      Coordinates are LAT,LON in degrees: latitude first. The elevation is bilinear between four \
      posts, as cairn-sample-elevation has it. Ends with 64 where an argument is no place, and with 65 \
      where a line of stdin is none.
      """,
    positionals: [
      .init("LAT,LON", repeats: true, help: "a place; - reads places from stdin, one a line")
    ],
    options: [
      .option(
        "hgt", "FOLDER", repeats: true, required: true,
        help: "a folder of HGT tiles, the preferred one first"),
      .flag("json", help: "print a JSON object a line, with the tile and its file"),
      .option(
        "tile-cache-mib", "N",
        help: "memory for tiles that may be needed again, in MiB (default 128)"),
    ],
    examples: [
      "cairn elevation --hgt srtm 42.5078,1.5211",
      "cairn elevation --hgt sonny --hgt srtm --json - < places.txt",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let words = arguments.positionals
    guard words.count(where: { $0 == "-" }) <= 1 else {
      throw arguments.usageError("- can be read once only")
    }
    // All of the command line is checked before anything is printed.
    for (place, word) in words.enumerated() where word != "-" {
      _ = try coordinate(word, .usage, at: Location(file: "", .object("place \(place + 1)")))
    }
    let cacheMiB = try arguments.integer("tile-cache-mib", in: 0...(1 << 20))
    let manager = try ElevationDataManager(
      folders: arguments.all("hgt"),
      cacheBytes: cacheMiB.map { $0 << 20 } ?? ElevationDataManager.defaultCacheBytes)
    var sheet = ElevationSheet(manager: manager, isJSON: arguments.has("json"))
    for word in words {
      if word == "-" {
        try readPlaces(into: &sheet)
      } else {
        try sheet.add(try coordinate(word, .usage, at: Location(file: "")))
      }
    }
    try sheet.flush()
    for line in sheet.remarks { Console.note("\(definition.name): \(line)") }
    return .success
  }

  /// Answers each place of stdin; whoever waits for an answer before the next question gets it.
  private static func readPlaces(into sheet: inout ElevationSheet) throws(CairnError) {
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
        // What is known so far is not lost.
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
      .noPlace, exitCode, "“\(text)” is not a place: LAT,LON in degrees, such as 42.5078,1.5211",
      at: location, hint: isSwapped ? "latitude comes first" : nil)
  }
}

extension CairnError.Code {
  /// A text does not name a place.
  static let noPlace: Self = "no-place"
}

/// The answers of `cairn elevation`, collected and printed in pieces.
private struct ElevationSheet {
  /// So much text is printed at once.
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

  /// Looks up a place.
  mutating func add(_ place: Coordinate) throws(CairnError) {
    let sample = try manager.elevation(at: place)
    count += 1
    if sample == nil { unknownCount += 1 }
    let metres = sample.map { decimal(Double($0.metres), 1) }
    if isJSON {
      let line: [String: JSONValue] = [
        "latitude": .number(place.latitude), "longitude": .number(place.longitude),
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

  /// Prints what was not printed yet.
  mutating func flush() throws(CairnError) {
    guard !text.isEmpty else { return }
    try Console.write(text)
    text = ""
  }

  /// What is worth saying beside the answers.
  var remarks: [String] {
    var remarks = manager.sources.flatMap { source in
      source.warnings.entries.map { entry in
        "warning: \(entry.kind): \(grouped(entry.count)), such as: \(entry.examples.first ?? "")"
      }
    }
    if unknownCount > 0 {
      let extents = manager.sources.map(Self.extent).joined(separator: "; ")
      remarks.append(
        "\(grouped(unknownCount)) of \(grouped(count)) places have no elevation (\(extents))")
    }
    return remarks.map(printable)
  }

  /// `srtm has 2 tiles: N41E001 and N42E001`.
  private static func extent(of source: ElevationSource) -> String {
    let tiles = source.tiles
    guard let first = tiles.first, let last = tiles.last else { return "\(source.folder) has none" }
    if tiles.count == 1 { return "\(source.folder) has 1 tile: \(first)" }
    return "\(source.folder) has \(grouped(tiles.count)) tiles: \(first)"
      + (tiles.count == 2 ? " and " : "…") + "\(last)"
  }
}
