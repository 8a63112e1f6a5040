// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnWaypoints
import CommandLineKit
import FoundationEssentials
import GPXInput
import SystemIO

/// A format for waypoints.
enum WaypointFormat: String, CaseIterable {
  case gpx, geojson, csv

  /// Reads `--format`; nil if it is not given.
  static func requested(_ arguments: Arguments) throws(CairnError) -> WaypointFormat? {
    try arguments.choice("format", of: allCases.map(\.rawValue)).flatMap {
      WaypointFormat(rawValue: $0)
    }
  }

  /// The format of a file by the end of its name.
  init?(path: String) {
    let name = path.lowercased()
    let endings: [(String, WaypointFormat)] = [
      (".gpx", .gpx), (".gpx.gz", .gpx), (".geojson", .geojson), (".json", .geojson),
      (".csv", .csv),
    ]
    guard let format = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
    self = format
  }

  /// Waypoints as text.
  func text(_ waypoints: [Waypoint]) throws(CairnError) -> String {
    switch self {
    case .csv: return WaypointCSV.text(waypoints)
    case .geojson:
      do { return try WaypointGeoJSON(waypoints, creator: geoJSONCreator).text() } catch {
        throw CairnError("json", .software, "cannot be encoded as JSON: \(error)")
      }
    case .gpx:
      var file = GPXFile()
      file.waypoints = waypoints.map(\.gpxPoint)
      // The newest time, so that the same waypoints give the same file.
      file.time = waypoints.map(\.timestamp).max()
      file.setBounds()
      return GPXExporter.text(file, creator: "cairn \(cairnVersion)")
    }
  }

  /// Whether Cairn wrote a file with these first bytes in this format.
  func isOwn(_ head: [UInt8]) -> Bool {
    switch self {
    case .csv: head.starts(with: WaypointCSV.header.utf8)
    case .geojson: isGeoJSONOfCairn(head)
    case .gpx: GPXExporter.recognises(head: head, ofCreator: "cairn ")
    }
  }

  /// Far more than any store has; a file with more is not read.
  private static let mostWaypoints = 1_000_000

  /// Reads the waypoints of a file. A track of any length takes no memory.
  ///
  /// - Parameter fallback: The time of waypoints that have none.
  func read(_ path: String, fallback: Date) throws(CairnError) -> WaypointImport {
    switch self {
    case .gpx: return try gpx(path, fallback)
    case .csv:
      let bytes = try InputFile(path).readAll(limit: WaypointCSV.maximumBytes)
      do { return try WaypointCSV.read(bytes, fallback: fallback) } catch {
        throw commandError(error, path)
      }
    case .geojson:
      let bytes = try InputFile(path).readAll(limit: WaypointGeoJSON.maximumBytes)
      do { return try WaypointGeoJSON.read(Data(bytes), fallback: fallback) } catch {
        throw commandError(error, path)
      }
    }
  }

  private func commandError(_ failure: WaypointImport.Failure, _ path: String) -> CairnError {
    let position = failure.line.map { Location.Position.line($0, column: 1) } ?? .whole
    return CairnError(
      "bad-waypoints", .dataError, printable(failure.reason), at: Location(file: path, position))
  }

  private func gpx(_ path: String, _ fallback: Date) throws(CairnError) -> WaypointImport {
    var points: [GPXFile.Point] = []
    var warnings = WarningTally()
    let file = try GPXFile.read(path, warnings: &warnings) { piece throws(CairnError) in
      guard case .waypoint(let point) = piece else { return }
      guard points.count < Self.mostWaypoints else {
        throw CairnError(
          "many-waypoints", .dataError,
          "has more than \(grouped(Self.mostWaypoints)) waypoints")
      }
      points.append(point)
    }
    var result = WaypointImport()
    for point in points { result.add(point, fallback: file.time ?? fallback) }
    for entry in warnings.entries {
      Console.note("cairn waypoints: \(path): \(entry.kind): \(grouped(entry.count))")
    }
    return result
  }
}
