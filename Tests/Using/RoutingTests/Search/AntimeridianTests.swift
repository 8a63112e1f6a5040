// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import TestSupport
import Testing

@Suite("Routes across the antimeridian")
struct AntimeridianTests {
  private static let limit: Int32 = 1_800_000_000

  /// Two ways of 1113 m on the equator that end at B, at 180°, and at C, at −180°, and one from C to
  /// the north.
  private func routed() throws -> RoutedMap {
    var map = AsciiMap("A B C D E", ways: [.init("AB"), .init("CD"), .init("CE")])
    let limit = Self.limit
    map.places = [
      "A": FixedCoordinate(latitude: 0, longitude: limit - 100_000),
      "B": FixedCoordinate(latitude: 0, longitude: limit),
      "C": FixedCoordinate(latitude: 0, longitude: -limit),
      "D": FixedCoordinate(latitude: 0, longitude: 100_000 - limit),
      "E": FixedCoordinate(latitude: 100_000, longitude: -limit),
    ]
    return try RoutedMap(map)
  }

  @Test("routes lead from one way to the other one where both end at ±180°")
  func across() throws {
    let routed = try routed()
    let there = try routed.route("A", "D")
    #expect(there.letters == "ABD")
    #expect(abs(there.totalDistance - 2 * 1111.95) < 1)
    let back = try routed.route("D", "A")
    #expect(back.letters == "DBA")
    #expect(back.totalDistance == there.totalDistance)
    #expect(try routed.nodes("E", "A") == "EBA")
    #expect(try routed.nodes("B", "D") == "BD")
    #expect(try routed.nodes("C", "A") == "BA")
  }

  @Test(
    "points near ±180° snap to the nearest way on either side",
    arguments: [179.999, 179.999_99, 180, -180, -179.999_99, -179.999])
  func snapping(longitude: Double) throws {
    let routed = try routed()
    let start = Coordinate(latitude: 0.0002, longitude: longitude)
    for letter in "AD" {
      let end = try routed.map.coordinate(letter)
      let expected = haversineDistance(Coordinate(latitude: 0, longitude: longitude), end)
      let route = try routed.engine.findRoute(from: start, to: end)
      #expect(abs(route.totalDistance - expected) < 24)
      let first = try #require(route.coordinates.first)
      #expect(haversineDistance(first, start) < 23)
      #expect(route.letters.last == letter)
    }
  }
}
