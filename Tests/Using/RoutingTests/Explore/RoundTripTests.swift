// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Round trips")
struct RoundTripTests {
  private func trips(
    _ routed: RoutedMap, _ letter: Character, metres: Double, seed: UInt64 = 0,
    mode: RoutingMode = .hiking
  ) throws -> [RoundTrip] {
    try routed.engine.agreed {
      try $0.roundTrips(
        from: routed.map.coordinate(letter), lengthMetres: metres, mode: mode, seed: seed)
    }
  }

  @Test("a round trip follows a ring of the requested length, whatever the seed")
  func ring() throws {
    let routed = try RoutedMap(
      """
      A------B------C
      |             |
      |             |
      D------E------F
      """, "ABC", "CF", "AD", "DEF")
    for seed in 0..<10 as Range<UInt64> {
      let trip = try #require(try trips(routed, "A", metres: 3400, seed: seed).first)
      #expect(abs(trip.route.totalDistance - 3400) < 1, "seed \(seed)")
      #expect(trip.repeatedMetres == 0 && trip.deviation < 0.01)
      #expect(trip.route.nodes.first == trip.route.nodes.last)
      #expect(trip.route.viaPoints.isEmpty && trip.route.viaNodes.isEmpty)
    }
  }

  @Test("paths to a via point and back are cut off")
  func spurs() throws {
    // At every corner of the ring a dead end leads outwards.
    let routed = try RoutedMap(
      """
      G             H
      |             |
      A------B------C
      |             |
      D------E------F
      |             |
      I             J
      """, "ABC", "CF", "AD", "DEF", "AG", "CH", "DI", "FJ")
    let trip = try #require(try trips(routed, "B", metres: 3200).first)
    #expect(trip.repeatedMetres == 0)
    #expect(!trip.route.letters.contains { "GHIJ".contains($0) }, "\(trip.route.letters)")
  }

  @Test("in a dead end the trip leads there and back and reports the repetition")
  func deadEnd() throws {
    let routed = try RoutedMap("A-----B-----C-----D-----E-----F", "AB", "BC", "CD", "DE", "EF")
    let trip = try #require(try trips(routed, "A", metres: 3600).first)
    let letters = trip.route.letters.filter { $0 != "." }
    #expect(letters.hasPrefix("ABC") && letters.hasSuffix("CBA"), "\(letters)")
    #expect(trip.deviation < 0.15 && abs(trip.repeatedShare - 0.5) < 1e-6)
  }

  @Test("a network that is too small gives the closest trip, with its deviation")
  func small() throws {
    let routed = try RoutedMap(
      """
      A--B
      |  |
      D--C
      """, "ABCDA")
    let trip = try #require(try trips(routed, "A", metres: 20_000).first)
    #expect(trip.deviation > RoundTrip.toleratedDeviation)
    #expect(trip.route.totalDistance > 0 && trip.requestedMetres == 20_000)
  }

  @Test("a round trip by bicycle follows a ring of one-way streets in its direction")
  func oneways() throws {
    let routed = try RoutedMap(
      AsciiMap(
        """
        A-----B
        |     |
        |     |
        D-----C
        """, ways: [.init("ABCDA", tags: ["highway": "residential", "oneway": "yes"])]))
    for seed in 0..<4 as Range<UInt64> {
      let trip = try #require(
        try trips(routed, "A", metres: 1800, seed: seed, mode: .cycling).first)
      #expect(trip.repeatedMetres < 0.1 && trip.deviation < 0.01, "seed \(seed)")
      #expect(trip.route.edges.allSatisfy { !$0.isReversed && $0.cost.isFinite })
    }
  }

  @Test("a round trip without a length, a path nearby or a way back is an error")
  func errors() throws {
    let routed = try RoutedMap("A-----B", "AB")
    for metres in [0, -1, .nan, .infinity] {
      #expect(throws: RoutingError.self, "\(metres)") { try trips(routed, "A", metres: metres) }
    }
    #expect(
      throws: RoutingError.noNearbyNode(Coordinate(latitude: 1, longitude: 1), radiusMetres: 500)
    ) {
      try routed.engine.paged.roundTrips(
        from: Coordinate(latitude: 1, longitude: 1), lengthMetres: 1000)
    }
    // A single one-way does not lead back.
    let oneway = ["highway": "residential", "oneway": "yes"]
    let away = try RoutedMap(AsciiMap("A-----B", ways: [.init("AB", tags: oneway)]))
    #expect(throws: RoutingError.noRoundTripFound(reachedNodes: 2)) {
      try trips(away, "A", metres: 1300, mode: .cycling)
    }
  }

  @Test("on random grids both back ends give the same trips, best first, each back to its start")
  func random() throws {
    var count = 0
    for seed in 0..<40 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      let engines = try BothEngines(grid.store)
      var random = SeededGenerator(seed: seed + 3000)
      let start = grid.point(using: &random)
      let metres = Double.random(in: 300..<4000, using: &random)
      func ask(_ engine: RoutingEngine) throws -> [RoundTrip] {
        do {
          return try engine.roundTrips(from: start, lengthMetres: metres, seed: seed)
        } catch RoutingError.noNearbyNode { return [] } catch RoutingError.noRoundTripFound {
          return []
        }
      }
      let trips = try engines.agreed(ask)
      #expect(try trips == ask(engines.memory))
      for trip in trips {
        let nodes = trip.route.nodes
        #expect(nodes.first == nodes.last && nodes.count == trip.route.edges.count + 1)
        for (index, edge) in trip.route.edges.enumerated() {
          #expect(edge.fromNode == nodes[index].id && edge.toNode == nodes[index + 1].id)
          #expect(edge.cost.isFinite, "seed \(seed)")
        }
        #expect(trip.repeatedShare >= 0 && trip.repeatedShare < 1)
      }
      let isRight = trips.map { $0.deviation <= RoundTrip.toleratedDeviation }
      #expect(isRight == isRight.sorted { $0 && !$1 }, "seed \(seed)")
      count += trips.count
    }
    #expect(count > 40, "\(count)")
  }
}
