// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

@Suite("Measuring segments")
struct SegmentRulerTests {
  private let ruler = SegmentRuler()

  private func expectHaversine(
    _ start: FixedCoordinate, _ end: FixedCoordinate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    func point(_ coordinate: FixedCoordinate) -> SegmentRuler.Point {
      ruler.point(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
    let metres = ruler.metres(point(start), point(end))
    let expected = haversineDistance(start.degrees, end.degrees)
    #expect(
      abs(metres - expected) <= 1e-13 * expected + 1e-9, "\(start) – \(end)",
      sourceLocation: sourceLocation)
    #expect(
      ruler.metres(point(end), point(start)) == metres, "\(end) – \(start)",
      sourceLocation: sourceLocation)
  }

  @Test("every length is that of the haversine formula but for rounding, anywhere on Earth")
  func anywhere() {
    var random = SeededGenerator(seed: 5)
    for reach: Int32 in [3, 300, 30_000, 990_000, 1_010_000, 100_000_000] {
      for _ in 0..<3_000 {
        let latitude = Int32.random(in: -900_000_000...900_000_000, using: &random)
        let longitude = Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)
        let shift = (0..<2).map { _ in Int32.random(in: -reach...reach, using: &random) }
        expectHaversine(
          FixedCoordinate(latitude: latitude, longitude: longitude),
          FixedCoordinate(
            latitude: min(max(latitude + shift[0], -900_000_000), 900_000_000),
            longitude: min(max(longitude + shift[1], -1_800_000_000), 1_800_000_000)))
      }
    }
  }

  @Test("at the poles, across the antimeridian and where the series end, too")
  func edges() {
    let pole = FixedCoordinate(latitude: 900_000_000, longitude: 5)
    for other in [
      pole, FixedCoordinate(latitude: 899_999_999, longitude: 1_000_000),
      FixedCoordinate(latitude: -900_000_000, longitude: 0),
      FixedCoordinate(latitude: 899_000_000, longitude: 1_000_005),
      FixedCoordinate(latitude: 899_000_001, longitude: 1_000_006),
    ] { expectHaversine(pole, other) }
    expectHaversine(
      FixedCoordinate(latitude: 1, longitude: 1_799_999_990),
      FixedCoordinate(latitude: -1, longitude: -1_799_999_990))
  }
}
