// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGPX
import CommandLineKit
import Presentation
import SystemIO

/// The destination and format of a command's tracks.
struct TrackOutput {
  enum Format: String, CaseIterable { case gpx, geojson, csv }

  /// The options of all commands that write tracks.
  static let options: [CommandDefinition.Option] = [
    .option(
      "format", "FORMAT",
      help: "gpx, geojson or csv (default: by the name of the output, or gpx)"),
    .option("output", "FILE", letter: "o", help: "file to write (default stdout)"),
  ]

  let format: Format
  let path: String?

  init(_ arguments: Arguments) throws(CairnError) {
    path = arguments.outputFile
    let chosen = try arguments.choice("format", of: Format.allCases.map(\.rawValue))
    format = chosen.flatMap(Format.init) ?? Self.format(ofPath: path ?? "")
  }

  private static func format(ofPath path: String) -> Format {
    let path = path.lowercased()
    if path.hasSuffix(".geojson") || path.hasSuffix(".json") { return .geojson }
    return path.hasSuffix(".csv") ? .csv : .gpx
  }

  /// Writes the tracks of a file; GPX keeps its other content, too.
  func write(_ file: GPXFile) throws(CairnError) {
    guard let path else { return try Console.write(try text(file)) }
    try write(file, to: path)
  }

  /// Writes them to a certain path.
  func write(_ file: GPXFile, to path: String) throws(CairnError) {
    try AtomicOutput.write(Array(try text(file).utf8), to: path) { head in
      switch format {
      case .gpx: isTrackGPX(head: head)
      case .geojson: isGeoJSONOfCairn(head)
      case .csv: head.starts(with: TrackCSV.header.utf8)
      }
    }
  }

  private func text(_ file: GPXFile) throws(CairnError) -> String {
    switch format {
    case .gpx: trackGPX(file)
    case .geojson: String(decoding: try encodeJSON(TrackFeatures(file.tracks)), as: UTF8.self)
    case .csv: TrackCSV(file.tracks).text
    }
  }
}
