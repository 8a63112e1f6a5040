// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing
import TrailData

@Suite("Ways that end at the antimeridian")
struct AntimeridianTests {
  private static let tenth: Int32 = 1_000_000

  /// A map with these ways, with A and B on the eastern hemisphere and C and D on the western one:
  /// B is at 180°, C at −180°.
  private func map(
    _ ways: String..., latitudeOfC: Int32 = 0, nodeTags: [Character: [String: String]] = [:]
  ) -> AsciiMap {
    var map = AsciiMap(
      "A B C D E", ways: ways.map { .init($0) }, nodeTags: nodeTags,
      elevations: ["A": 100, "B": 110, "C": 110, "D": 130])
    let limit: Int32 = 1_800_000_000
    map.places = [
      "A": FixedCoordinate(latitude: 0, longitude: limit - Self.tenth),
      "B": FixedCoordinate(latitude: 0, longitude: limit),
      "C": FixedCoordinate(latitude: latitudeOfC, longitude: -limit),
      "D": FixedCoordinate(latitude: 0, longitude: Self.tenth - limit),
      "E": FixedCoordinate(latitude: Self.tenth, longitude: -limit),
    ]
    return map
  }

  @Test("ways that end at ±180° join", arguments: [1, 4])
  func join(threads: Int) throws {
    let graph = try Graph(map("AB", "CD"), threads: threads)
    #expect(graph.nodes == "ABD")
    #expect(graph.edges == "AB BD")
    let degree = haversineDistance(
      Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 0.1))
    for distance in graph.file.distances { #expect(abs(distance - degree) < 0.01) }
    #expect(Array(graph.file.gains) == [10, 20])
  }

  @Test("a way that goes on at the same place across ±180° has no edge between the two nodes")
  func oneWay() throws {
    let graph = try Graph(map("ABCD"))
    #expect(graph.nodes == "ABD")
    #expect(graph.edges == "AB BD")
  }

  @Test("a way along the antimeridian is cut where another one reaches it from the other side")
  func along() throws {
    let graph = try Graph(map("ECD", "AB"))
    #expect(graph.nodes == "ABDE")
    #expect(graph.edges == "EB BD AB")
  }

  @Test("nodes at ±180° at other latitudes stay apart")
  func otherLatitude() throws {
    let graph = try Graph(map("AB", "CD", latitudeOfC: 1))
    #expect(graph.nodes == "ABCD")
    #expect(graph.edges == "AB CD")
  }

  @Test("a barrier at ±180° stays a barrier")
  func barrier() throws {
    let gate = ["barrier": "gate", "access": "no"]
    let graph = try Graph(map("AB", "CD", nodeTags: ["C": gate]))
    #expect(graph.edges == "AB CD")
  }
}
