// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TestSupport
import Testing

@Suite("Distances")
struct DistanceTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test("known distances come out on the sphere of 6 371 000 m")
  func knownDistances() {
    let quarter = earthRadiusMetres * Double.pi / 2
    #expect(abs(haversineDistance(place(0, 0), place(0, 90)) - quarter) < 1e-6)
    #expect(abs(haversineDistance(place(90, 0), place(0, 123)) - quarter) < 1e-6)
    #expect(abs(haversineDistance(place(0, 0), place(0, 180)) - 2 * quarter) < 1e-6)
    #expect(abs(haversineDistance(place(90, 0), place(-90, 0)) - 2 * quarter) < 1e-6)
    // One degree of a great circle.
    #expect(abs(haversineDistance(place(0, 0), place(1, 0)) - 111_194.926_645) < 1e-6)
    // On the parallel of 60° one degree of longitude is a little less than half of that.
    #expect(abs(haversineDistance(place(60, 0), place(60, 1)) - 55_597.4) < 5)
  }

  @Test("the short way round is taken across the antimeridian")
  func crossesTheAntimeridian() {
    let across = haversineDistance(place(-17, 179.5), place(-17, -179.5))
    let elsewhere = haversineDistance(place(-17, 10), place(-17, 11))
    #expect(abs(across - elsewhere) < 1e-6)
    #expect(haversineDistance(place(12, 180), place(12, -180)) < 1e-6)
  }

  @Test("centimetres are not lost to rounding")
  func resolvesCentimetres() {
    let step = haversineDistance(place(47, 10), place(47.000_000_1, 10))
    #expect(abs(step - 0.011_119_5) < 1e-6)
  }

  @Test("a distance is symmetric, never negative and never more than half way round")
  func isAMetric() {
    var random = SeededGenerator(seed: 1)
    func anywhere() -> Coordinate {
      place(
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

  @Test("the distance to what is not a number is not a number")
  func passesNaNOn() {
    #expect(haversineDistance(place(.nan, 0), place(0, 0)).isNaN)
    #expect(haversineDistance(place(0, 0), place(0, .nan)).isNaN)
  }
}
