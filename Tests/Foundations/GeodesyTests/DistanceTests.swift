// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGeodesy
import Foundation
import Testing

@Suite("Distances")
struct DistanceTests {
  private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test("distances on a sphere of 6 371 000 m are those known")
  func knownDistances() {
    let quarter = earthRadiusMetres * Double.pi / 2
    #expect(abs(haversineDistance(point(0, 0), point(0, 90)) - quarter) < 1e-6)
    #expect(abs(haversineDistance(point(90, 0), point(0, 123)) - quarter) < 1e-6)
    #expect(abs(haversineDistance(point(0, 0), point(0, 180)) - 2 * quarter) < 1e-6)
    #expect(abs(haversineDistance(point(90, 0), point(-90, 0)) - 2 * quarter) < 1e-6)
    // One degree of a great circle.
    #expect(abs(haversineDistance(point(0, 0), point(1, 0)) - 111_194.926_645) < 1e-6)
    // On the parallel of 60° one degree of longitude is a little less than half of that.
    #expect(abs(haversineDistance(point(60, 0), point(60, 1)) - 55_597.4) < 5)
  }

  @Test("a distance across the antimeridian takes the short way round")
  func crossesTheAntimeridian() {
    let across = haversineDistance(point(-17, 179.5), point(-17, -179.5))
    let elsewhere = haversineDistance(point(-17, 10), point(-17, 11))
    #expect(abs(across - elsewhere) < 1e-6)
    #expect(haversineDistance(point(12, 180), point(12, -180)) < 1e-6)
  }

  @Test("small distances are not lost to rounding")
  func resolvesCentimetres() {
    let step = haversineDistance(point(47, 10), point(47.000_000_1, 10))
    #expect(abs(step - 0.011_119_5) < 1e-6)
  }

  @Test("a distance is symmetric, not negative and at most half the circumference")
  func isAMetric() {
    var random = SeededGenerator(seed: 1)
    func anywhere() -> Coordinate {
      point(
        .random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
    }
    for _ in 0..<2_000 {
      let (a, b, c) = (anywhere(), anywhere(), anywhere())
      let direct = haversineDistance(a, b)
      #expect(haversineDistance(a, a) == 0)
      #expect(direct == haversineDistance(b, a), "\(a) \(b)")
      #expect(direct >= 0 && direct <= earthRadiusMetres * Double.pi)
      #expect(direct <= haversineDistance(a, c) + haversineDistance(c, b) + 1e-5, "\(a) \(b) \(c)")
    }
  }

  @Test("the distance of NaN is NaN")
  func passesNaNOn() {
    #expect(haversineDistance(point(.nan, 0), point(0, 0)).isNaN)
    #expect(haversineDistance(point(0, 0), point(0, .nan)).isNaN)
  }

  @Test("short distances are those of the haversine formula to the last place")
  func seriesAgreesWithTheFormula() {
    var random = SeededGenerator(seed: 7)
    var differences = 0
    let scales = [1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 0.013, 0.015, 0.1, 1, 90]
    for _ in 0..<20_000 {
      let start = point(random.nextShare() * 180 - 90, random.nextShare() * 360 - 180)
      let scale = scales[Int(random.next() % 10)]
      let end = point(
        min(max(start.latitude + (random.nextShare() - 0.5) * scale, -90), 90),
        start.longitude + (random.nextShare() - 0.5) * scale)
      let expected = formula(start, end)
      let distance = haversineDistance(start, end)
      #expect(abs(distance - expected) <= expected.ulp, "from \(start) to \(end)")
      if distance != expected { differences += 1 }
    }
    // The functions of the system are not exact either.
    #expect(differences < 20)
  }

  private func formula(_ start: Coordinate, _ end: Coordinate) -> Double {
    let radians = Double.pi / 180
    let latitudeSine = sin((end.latitude - start.latitude) * radians / 2)
    let longitudeSine = sin((end.longitude - start.longitude) * radians / 2)
    let chord =
      latitudeSine * latitudeSine
      + cos(start.latitude * radians) * cos(end.latitude * radians) * longitudeSine * longitudeSine
    return 2 * earthRadiusMetres * asin(min(chord.squareRoot(), 1))
  }

  @Test("a line's points give the same distances as each pair of coordinates")
  func linePoints() {
    let line = [point(47, 10), point(47.001, 10.002), point(48, 12), point(-20, 179)]
    for (start, end) in zip(line, line.dropFirst()) {
      #expect(LinePoint(start).distance(to: LinePoint(end)) == haversineDistance(start, end))
    }
  }

  @Test(
    "what is certainly beyond some metres is, everywhere on Earth, and most of what is further is certain"
  )
  func beyond() {
    var random = SeededGenerator(seed: 5)
    var (further, certain) = (0, 0)
    for _ in 0..<50_000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let point = Coordinate(
        latitude: latitude, longitude: Double.random(in: -180...180, using: &random))
      let span = pow(10, Double.random(in: -6...2, using: &random))
      let other = Coordinate(
        latitude: min(90, max(-90, latitude + Double.random(in: -span...span, using: &random))),
        longitude: min(
          180, max(-180, point.longitude + Double.random(in: -span...span, using: &random))))
      let distance = haversineDistance(point, other)
      let metres = distance * Double.random(in: 0.9...1.1, using: &random)
      let isBeyond = LinePoint(point).isBeyond(metres, from: LinePoint(other))
      if isBeyond { #expect(distance > metres, "\(point) \(other)") }
      guard distance > metres * 1.001, span < 1 else { continue }
      further += 1
      certain += isBeyond ? 1 : 0
    }
    #expect(further > 10_000 && certain == further, "\(certain) of \(further)")
  }
}
