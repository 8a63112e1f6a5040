// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CostModel
import Foundation
import TestSupport
import Testing

private let andorra = sharedData("andorra.osm.pbf")
private let tiles = sharedData("hgt")

@Suite(
  "The default profiles in Andorra",
  .enabled(if: andorra != nil && tiles != nil, "needs ../shared/data"))
struct AndorraProfileTests {
  private let chain: Chain
  private let store: RoutingStore
  private let engine: RoutingEngine

  init() throws {
    chain = try Chain()
    store = RoutingStore(
      path: try chain.build(
        try #require(andorra), hgt: try #require(tiles),
        profiles: ["trail-hiking", "bike-touring", "hiking", "cycling"]))
    try store.open()
    engine = try .inMemory(store)
  }

  /// What the routes of a profile between some pairs are like.
  private struct Summary {
    var metres: [Double] = []
    var mainRoads = 0.0
    var fastRoads = 0.0
    var tunnels = 0.0
    var waymarked = 0.0

    var total: Double { metres.reduce(0, +) }
  }

  /// Routes between 150 pairs by each profile, of those that every profile has.
  private func summaries(_ profiles: [String]) throws -> [Summary] {
    let lines = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8
    ).split(separator: "\n").prefix(150)
    var summaries = [Summary](repeating: Summary(), count: profiles.count)
    var tags: [Int64: [String: String]] = [:]
    for line in lines {
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      let start = Coordinate(latitude: degrees[1], longitude: degrees[0])
      let end = Coordinate(latitude: degrees[3], longitude: degrees[2])
      let routes = profiles.compactMap {
        try? engine.findRoute(from: start, to: end, profile: $0)
      }
      guard routes.count == profiles.count, routes[0].totalDistance > 500 else { continue }
      for (index, route) in routes.enumerated() {
        summaries[index].metres.append(route.totalDistance)
        for edge in route.edges {
          if tags[edge.id] == nil { tags[edge.id] = try store.tags(ofEdge: edge.id)?.way ?? [:] }
          let way = tags[edge.id] ?? [:]
          let kind = (way["highway"] ?? "").replacing("_link", with: "")
          let isFast = ["trunk", "primary"].contains(kind)
          if isFast { summaries[index].fastRoads += edge.distance }
          if isFast || ["secondary", "tertiary"].contains(kind) {
            summaries[index].mainRoads += edge.distance
            if way["tunnel"] == "yes" { summaries[index].tunnels += edge.distance }
          }
          if way["route:foot"] != nil { summaries[index].waymarked += edge.distance }
        }
      }
    }
    return summaries
  }

  @Test("trail-hiking leaves main roads and tunnels for waymarked paths, without long detours")
  func hiking() throws {
    let summaries = try summaries(["hiking", "trail-hiking"])
    let (old, new) = (summaries[0], summaries[1])
    #expect(old.metres.count > 100)
    #expect(old.mainRoads / old.total > 0.25, "\(old.mainRoads / old.total)")
    #expect(new.mainRoads / new.total < 0.12, "\(new.mainRoads / new.total)")
    #expect(new.tunnels / new.total < 0.002 && old.tunnels / old.total > 0.01)
    #expect(new.waymarked / new.total > 1.3 * old.waymarked / old.total)
    let ratios = zip(new.metres, old.metres).map { $0 / $1 }.sorted()
    #expect(ratios[ratios.count / 2] < 1.05 && ratios[ratios.count * 9 / 10] < 1.25)
    #expect(ratios[ratios.count - 1] < 2)
  }

  @Test("bike-touring halves the trunk and primary roads and leaves their tunnels")
  func cycling() throws {
    let summaries = try summaries(["cycling", "bike-touring"])
    let (old, new) = (summaries[0], summaries[1])
    #expect(old.metres.count > 100)
    #expect(new.fastRoads / new.total < 0.6 * old.fastRoads / old.total)
    #expect(new.tunnels / new.total < 0.015 && old.tunnels / old.total > 0.04)
    let ratios = zip(new.metres, old.metres).map { $0 / $1 }.sorted()
    #expect(ratios[ratios.count / 2] < 1.15 && ratios[ratios.count * 9 / 10] < 1.5)
  }

  /// A published walking time between two places; docs/profiles.md names the sources.
  struct PublishedTime: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var points: [Coordinate]
    var minutes: Double

    init(_ name: String, _ minutes: Double, _ points: (Double, Double)...) {
      testDescription = name
      self.minutes = minutes
      self.points = points.map { Coordinate(latitude: $0.0, longitude: $0.1) }
    }
  }

  static let published = [
    PublishedTime("Encamp, Coll d'Ordino", 120, (42.5378, 1.5827), (42.5556, 1.5719)),
    .init("Coll de les Cases, Arinsal", 50, (42.5761, 1.5005), (42.5721, 1.4844)),
    .init("Illa hut, Encamp", 255, (42.4950, 1.6561), (42.5017, 1.5638), (42.5378, 1.5827)),
    .init("Baladosa, Juclà hut", 90, (42.5985, 1.6835), (42.6078, 1.7110)),
    .init("La Plana, Illa hut", 270, (42.5042, 1.5508), (42.4950, 1.6561)),
    .init(
      "Juclà hut, Sorteny hut", 618, (42.6078, 1.7110), (42.6114, 1.6724), (42.6211, 1.6061),
      (42.6226, 1.5641)),
    .init("Coll d'Ordino, Casamanya", 140, (42.5556, 1.5719), (42.5846, 1.5654)),
    .init("Sorteny, Estanyó", 195, (42.6222, 1.5525), (42.6087, 1.5926)),
    .init("Estanyó, Sorteny", 165, (42.6087, 1.5926), (42.6222, 1.5525)),
    .init("Incles, Cabana Sorda", 90, (42.5950, 1.6690), (42.6114, 1.6724)),
    .init("Cabana Sorda, Incles", 60, (42.6114, 1.6724), (42.5950, 1.6690)),
  ]

  @Test("times are those that guides and signposts give")
  func times() throws {
    var logarithms = 0.0
    for row in Self.published {
      let route = try engine.findRoute(
        from: row.points[0], to: row.points[row.points.count - 1],
        via: Array(row.points.dropFirst().dropLast()), profile: "trail-hiking")
      let ratio = route.estimatedDuration / 60 / row.minutes
      #expect((0.65...1.35).contains(ratio), "\(row.testDescription): \(ratio)")
      logarithms += log(ratio)
    }
    let mean = exp(logarithms / Double(Self.published.count))
    #expect((0.9...1.15).contains(mean), "\(mean)")
  }

  @Test("hiking counts time for going down")
  func descent() throws {
    let route = try engine.findRoute(
      from: Coordinate(latitude: 42.6087, longitude: 1.5926),
      to: Coordinate(latitude: 42.6222, longitude: 1.5525), profile: "hiking")
    #expect(route.elevationLoss > 1000)
    // By Naismith's rule the descent would count for nothing.
    let flat = route.totalDistance / 5000 * 3600 + route.elevationGain * 7.92 / 5000 * 3600
    #expect(route.estimatedDuration > 1.3 * flat)
  }
}
