// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

private let andorra = sharedData("andorra.osm.pbf")
private let tiles = sharedData("hgt")

@Suite(
  "Andorra in four regions",
  .enabled(if: andorra != nil && tiles != nil, "needs ../shared/data"))
struct AndorraRegionTests {
  /// How far costs may be apart, as a share.
  private static let greatestDifference = 0.001

  private static let boxes = [
    "whole": "1.38,42.40,1.84,42.70", "nw": "1.38,42.55,1.56,42.70", "ne": "1.56,42.55,1.84,42.70",
    "sw": "1.38,42.40,1.56,42.55", "se": "1.56,42.40,1.84,42.55",
  ]

  /// The databases of the regions by their ids.
  private static func databases(in folder: TemporaryFolder) throws -> [String: String] {
    let shapes = boxes.sorted { $0.key < $1.key }.flatMap { ["--region", "\($0)=\($1)"] }
    try Executables.succeed(
      "cairn-decode-pbf",
      ["-q", "--input", try #require(andorra), "--output-dir", folder.path] + shapes)
    var paths: [String: String] = [:]
    for id in boxes.keys.sorted() {
      func file(_ ending: String) -> String { folder.file("\(id).\(ending)") }
      try Executables.succeed(
        "cairn-sample-elevation",
        [
          "-q", "--input", file("trails"), "--output", file("elevated"), "--hgt",
          try #require(tiles),
        ])
      try Executables.succeed(
        "cairn-build-graph",
        [
          "-q", "--input", file("elevated"), "--trails", file("trails"), "--output", file("graph"),
        ])
      try Executables.succeed(
        "cairn-compute-costs",
        [
          "-q", "--input", file("graph"), "--output", file("routing.db"), "--profile",
          "trail-hiking", "--region-id", id,
        ])
      paths[id] = file("routing.db")
    }
    return paths
  }

  /// Start and end of 200 random pairs, and of 100 of a seed.
  private static func pairs() throws -> [[Coordinate]] {
    var pairs = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8
    ).split(separator: "\n").map { line in
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      try #require(degrees.count == 4)
      return [0, 2].map { Coordinate(latitude: degrees[$0 + 1], longitude: degrees[$0]) }
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      pairs.append(
        (0..<2).map { _ in
          Coordinate(
            latitude: Double.random(in: 42.44...42.64, using: &random),
            longitude: Double.random(in: 1.43...1.76, using: &random))
        })
    }
    return pairs
  }

  private static func route(_ engine: RoutingEngine, _ points: [Coordinate]) throws
    -> ComputedRoute?
  {
    do throws(RoutingError) { return try engine.findRoute(from: points[0], to: points[1]) } catch {
      guard error.exitCode == .negative else { throw error }
      return nil
    }
  }

  @Test("300 pairs have the routes of Andorra in one, from pages and in memory")
  func pairs() throws {
    let folder = try TemporaryFolder()
    let paths = try Self.databases(in: folder)
    let whole = RoutingStore(path: try #require(paths["whole"]))
    try whole.open()
    let joined = RoutingStore(
      joining: try ["nw", "ne", "sw", "se"].map { RoutingStore(path: try #require(paths[$0])) })
    try joined.open()
    let engines = try [
      RoutingEngine.inMemory(whole), RoutingEngine.inMemory(joined), RoutingEngine(store: joined),
    ]
    var (found, otherWays, crossedTwice) = (0, 0, 0)
    for points in try Self.pairs() {
      let routes = try engines.map { try Self.route($0, points) }
      #expect(routes[1] == routes[2], "\(points)")
      guard let one = routes[0], let other = routes[1] else {
        #expect(routes[0] == nil && routes[1] == nil, "\(points)")
        continue
      }
      found += 1
      let difference = abs(one.totalCost - other.totalCost)
      #expect(difference <= Self.greatestDifference * one.totalCost, "\(points)")
      if Self.ways(one) != Self.ways(other) { otherWays += 1 }
      let parts = other.edges.map { $0.id >> 32 & 0xFFF }
      if zip(parts, parts.dropFirst()).count(where: !=) > 1 { crossedTwice += 1 }
      #expect((1...4).contains(other.regions.count))
    }
    #expect(found > 200 && crossedTwice >= 10, "\(found) \(crossedTwice)")
    #expect(otherWays == 0)
  }

  /// The ways of a route, in the order of travel.
  private static func ways(_ route: ComputedRoute) -> [Int64?] {
    route.edges.map(\.osmWayID).reduce(into: []) { ways, way in
      if ways.last != way { ways.append(way) }
    }
  }
}
