// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@testable import CairnGeodesy

@Suite("Grids for what is near")
struct DistanceGridTests {
  @Test(
    "whatever is near a point is in its square or in a neighbouring one, also at the poles",
    arguments: [50.0, 500, 32_000, 2_000_000])
  func neighbours(metres: Double) {
    let grid = DistanceGrid(metres: metres)
    var random = SplitMix64(seed: 3)
    var near = 0
    for round in 0..<20_000 {
      let latitude =
        round % 2 == 0
        ? Double.random(in: -90...90, using: &random)
        : Double.random(in: 89.5...90, using: &random) * (round % 4 == 1 ? 1 : -1)
      let span = metres / 111_195
      let point = Coordinate(
        latitude: latitude, longitude: Double.random(in: -180...180, using: &random))
      let shrinking = max(longitudeShrinking(atLatitude: latitude), 1e-3)
      var longitude =
        point.longitude + Double.random(in: -1.5...1.5, using: &random) * span / shrinking
      longitude -= 360 * (longitude / 360).rounded()
      let other = Coordinate(
        latitude: min(90, max(-90, latitude + Double.random(in: -span...span, using: &random))),
        longitude: longitude)
      guard haversineDistance(point, other) <= metres else { continue }
      near += 1
      let square = grid.square(of: other)
      var ranges: [ClosedRange<Int64>] = []
      grid.forEachNeighbour(of: point) { ranges.append($0) }
      #expect(ranges.contains { $0.contains(square) }, "\(point) \(other)")
      #expect(ranges.flatMap(Array.init).count == Set(ranges.flatMap(Array.init)).count)
    }
    #expect(near > 2000)
  }

  @Test(
    "rows that were counted beforehand have the columns of all others",
    arguments: [80.0, 32_000])
  func counted(metres: Double) {
    let grid = DistanceGrid(metres: metres)
    let rows = grid.row(-90)...grid.row(90)
    for latitudes in [-90.0 ... -89.9, -0.2...0.3, 42...43, 89.9...90] {
      let counted = DistanceGrid(metres: metres, mostlyWithin: latitudes)
      for row in rows where counted.columns(ofRow: row) != grid.columns(ofRow: row) {
        Issue.record("row \(row) of \(latitudes)")
      }
    }
  }
}
