// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import TestSupport
import Testing

@testable import Presentation

@Suite("A way that takes much less time than a route")
struct QuickerRouteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// From A to D along a road, 600 m, or round by the path EF.
  private func map(_ road: [String: String], rows: Int = 4) -> AsciiMap {
    let sides = String(repeating: "|     |\n", count: rows - 1)
    return AsciiMap(
      "A-B-C-D\n\(sides)E-----F",
      ways: [.init("ABCD", tags: road), .init("AEFD")])
  }

  /// What is found beside the route of a profile, on the database and in memory.
  private func quicker(
    _ map: AsciiMap, _ points: [Coordinate], profile: CostProfile = .trailHiking
  ) throws -> (route: ComputedRoute, way: QuickerRoute?) {
    try map.wayBesideRoute(through: points, profile, in: folder) { route, engine, _ in
      try QuickerRoute(beside: route, engine, profile: profile.name, profile.mode)
    }
  }

  private func ends(_ map: AsciiMap) throws -> [Coordinate] {
    [try map.coordinate("A"), try map.coordinate("D")]
  }

  private static let road = ["highway": "primary", "sidewalk": "no"]

  @Test(
    "a road that takes less than two thirds of the time is told, with the profile that goes there")
  func road() throws {
    let map = map(Self.road)
    let (route, way) = try quicker(map, try ends(map))
    #expect(abs(route.totalDistance - 1400) < 5)
    #expect(way?.line() == "9 min by road: --profile hiking")
    #expect(way?.line(in: .german) == "9 min auf Straßen: --profile hiking")
    let json = String(decoding: try encodeJSON(try #require(way), pretty: false), as: UTF8.self)
    #expect(
      json.contains(#""distanceMetres":600"#) && json.contains(#""isByRoad":true"#), "\(json)")
    #expect(json.contains(#""profile":"hiking""#))
    // The other way round, too, and where it begins within an edge.
    let back = try quicker(map, try ends(map).reversed())
    #expect(abs((back.way?.seconds ?? 0) - (way?.seconds ?? 1)) < 1)
    let (a, b) = (try map.coordinate("A"), try map.coordinate("E"))
    let inside = Coordinate(latitude: a.latitude * 0.9 + b.latitude * 0.1, longitude: a.longitude)
    let fromPath = try quicker(map, [inside, try map.coordinate("D")])
    #expect(abs(fromPath.route.totalDistance - 1360) < 5)
    #expect(abs((fromPath.way?.seconds ?? 0) - (way?.seconds ?? 0) * 640 / 600) < 10)
  }

  @Test("another path is not called a road")
  func path() throws {
    let map = map(
      ["highway": "path", "trail_visibility": "no", "sac_scale": "alpine_hiking"], rows: 10)
    let (route, way) = try quicker(map, try ends(map))
    #expect(route.totalDistance > 2000)
    #expect(way?.line().hasSuffix("by another way: --profile hiking") == true)
  }

  @Test("a leg to a via point and back counts twice, and one within an edge as it is")
  func via() throws {
    let map = map(Self.road)
    let (a, d) = (try map.coordinate("A"), try map.coordinate("D"))
    let once = try quicker(map, [a, d])
    let twice = try quicker(map, [a, d, a])
    #expect(abs((twice.way?.seconds ?? 0) - 2 * (once.way?.seconds ?? 0)) < 1)
    let e = try map.coordinate("E")
    let part = try quicker(map, [a, Coordinate(latitude: e.latitude, longitude: e.longitude)])
    #expect(part.way == nil)
  }

  @Test(
    "nothing is said of a way that is hardly quicker, that is closed, or that the route follows")
  func nothing() throws {
    let near = map(Self.road, rows: 1)
    #expect(try quicker(near, try ends(near)).way == nil)
    let closed = map(["highway": "motorway"])
    #expect(try quicker(closed, try ends(closed)).way == nil)
    let hiking = map(Self.road)
    let own = try quicker(hiking, try ends(hiking), profile: .hiking)
    #expect(abs(own.route.totalDistance - 600) < 5 && own.way == nil)
  }
}
