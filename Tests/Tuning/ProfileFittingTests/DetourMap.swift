// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CostModel
import ProfileTrials
import TestSupport

@testable import TuningSuites

/// A row of junctions 1 km apart, each joined to the next one by a straight way of asphalt and by a
/// path around it, which is longer from junction to junction; and tracks along the routes of profiles
/// to which asphalt is dearer or less so.
struct DetourMap {
  /// How many pairs of ways there are.
  static let count = 16

  let folder: TemporaryFolder
  private let map: AsciiMap
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let width = 20
    let (columns, rows) = (Self.count * width + 1, 2 * Self.count + 4)
    var drawing = [[Character]](repeating: .init(repeating: " ", count: columns), count: rows)
    var ways: [AsciiMap.Way] = []
    for index in 0...Self.count { drawing[0][index * width] = letters[index] }
    for index in 0..<Self.count {
      // 51 letters in all: the last detour has a single corner.
      let corners = (0..<2).compactMap { side -> Character? in
        let letter = Self.count + 1 + 2 * index + side
        return letter < letters.count ? letters[letter] : nil
      }
      // In an order in which neighbours differ much.
      let depth = 2 + 2 * (index * 7 % Self.count)
      for (side, letter) in corners.enumerated() {
        drawing[depth][index * width + (side == 0 ? 4 : 16)] = letter
      }
      let (start, end) = (letters[index], letters[index + 1])
      ways.append(
        .init("\(start)\(end)", tags: ["highway": "path", "surface": "asphalt"]))
      ways.append(.init("\(start)\(String(corners))\(end)", tags: ["highway": "path"]))
    }
    map = AsciiMap(
      drawing.map { String($0) }.joined(separator: "\n"), cellMetres: 50, ways: ways)
    database = try map.routingDatabase(in: folder, profiles: ["hiking"])
  }

  /// The usual profile with another factor for asphalt.
  static func profile(asphalt: Double) -> CostProfile {
    var profile = CostProfile.hiking
    profile.surfaces["asphalt"] = asphalt
    return profile
  }

  /// A suite with a track from each junction to the next, along the route of the profile with this
  /// factor for it.
  ///
  /// - Parameter datasets: Names of datasets, which all are this map, that tracks belong to in turn.
  func suite(datasets: [String] = ["row"], asphalt: (_ track: Int) -> Double) throws -> TuningSuite
  {
    let location = Location(file: "suite.yaml", .line(1, column: 1))
    var suite = TuningSuite()
    suite.name = "row"
    suite.datasets = datasets.map { .init(id: $0, database: database, location: location) }
    let factors = (0..<Self.count).map(asphalt)
    let data = try DatasetGraphs(database, factors.map { Self.profile(asphalt: $0) })
    let ends = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for index in 0..<Self.count {
      let trip = TuningSuite.Trip(
        dataset: 0,
        points: [try map.coordinate(ends[index]), try map.coordinate(ends[index + 1])],
        location: location)
      let route = try data.engines[index].findRoute(trip, data.graphs[index])
      let name = "track-\(index + 1).gpx"
      try folder.write(Self.gpx(route.coordinates), to: name)
      suite.referenceTracks.append(
        .init(
          name: name, dataset: index % datasets.count, file: folder.file(name), legMetres: 50_000,
          location: location))
    }
    return suite
  }

  /// A track with a point at least every 40 m.
  private static func gpx(_ line: [Coordinate]) -> String {
    var points: [Coordinate] = []
    for (start, end) in zip(line, line.dropFirst()) {
      let pieces = max(1, Int(haversineDistance(start, end) / 40) + 1)
      for piece in 0..<pieces {
        let share = Double(piece) / Double(pieces)
        points.append(
          Coordinate(
            latitude: start.latitude + share * (end.latitude - start.latitude),
            longitude: start.longitude + share * (end.longitude - start.longitude)))
      }
    }
    points += line.suffix(1)
    let text = points.map { "<trkpt lat=\"\($0.latitude)\" lon=\"\($0.longitude)\"/>" }.joined()
    return "<gpx version=\"1.1\" creator=\"test\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
      + "<trk><trkseg>\(text)</trkseg></trk></gpx>"
  }
}
