// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import TuningSuites

@Suite("Pairs are drawn")
struct PairDrawingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A street of 26 nodes, 200 m apart, that rises, and a path that leads nowhere.
  private func street() throws -> ProfileGraph {
    let letters = (0..<26).map { Character(UnicodeScalar(UInt8(65 + $0))) }
    var heights: [Character: Float] = [:]
    for (index, letter) in letters.enumerated() { heights[letter] = Float(1000 + 20 * index) }
    (heights["x"], heights["y"]) = (900, 900)
    let map = AsciiMap(
      letters.map(String.init).joined(separator: "-") + "\n\nx-y", cellMetres: 100,
      ways: zip(letters, letters.dropFirst()).map { .init("\($0)\($1)") } + [.init("xy")],
      elevations: heights)
    let store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    return try ProfileGraph(try RoadNetwork(reading: store), profile: "hiking", reading: store)
  }

  private func wanted(
    _ count: Int, seed: UInt64 = 1, distances: [Double] = [400, 1000, 3000], rises: [Double]? = nil
  ) -> TuningSuite.DrawnPairs {
    .init(
      dataset: 0, count: count, seed: seed, distanceBoundsMetres: distances,
      riseBoundsMetres: rises, location: Location(file: "suite.yaml"))
  }

  @Test("as many pairs are drawn in each band of distance and of rise")
  func bands() throws {
    let drawing = PairDrawing(try street())
    let trips = drawing.trips(wanted(31, rises: [-1000, 0, 1000]))
    #expect(trips.count == 31)
    var counts: [String: Int] = [:]
    for trip in trips {
      let metres = haversineDistance(trip.points[0], trip.points[1])
      #expect((400...3000).contains(metres))
      let isUp = trip.points[0].longitude < trip.points[1].longitude
      counts["\(metres <= 1000) \(isUp)", default: 0] += 1
    }
    #expect(counts.values.sorted() == [7, 8, 8, 8])
  }

  @Test("the same seed draws the same pairs, another one others, and none twice")
  func seeds() throws {
    let drawing = PairDrawing(try street())
    let trips = drawing.trips(wanted(40))
    #expect(trips == drawing.trips(wanted(40)))
    #expect(trips != drawing.trips(wanted(40, seed: 2)))
    #expect(Set(trips.map { $0.points.map { "\($0)" }.joined() }).count == trips.count)
  }

  @Test("an island, whose nodes lead nowhere, is never drawn, and what is not there is not found")
  func limits() throws {
    let drawing = PairDrawing(try street())
    let south = drawing.trips(wanted(60)).flatMap(\.points).map(\.latitude).min() ?? 0
    #expect(south > 46.9999)
    #expect(drawing.trips(wanted(5, distances: [50_000, 60_000])).isEmpty)
    // There are no more than 25 neighbours, in two directions.
    #expect(drawing.trips(wanted(1000, distances: [150, 250])).count == 50)
  }
}
