// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import CairnTracks

@Suite("Simplifying routes with elevations")
struct HeightSimplifierTests {
  private let metresNorth = 180 / (Double.pi * earthRadiusMetres)

  /// Points due north of each other, at these metres.
  private func line(_ metres: [Double]) -> [Coordinate] {
    metres.map { Coordinate(latitude: 47 + $0 * metresNorth, longitude: 10) }
  }

  private func kept(
    _ metres: [Double], _ elevations: [Double?], _ tolerance: Double = 3, keeping: [Int] = []
  ) -> [Int] {
    RouteSimplifier.indices(
      line(metres), elevations: elevations, toleranceMetres: tolerance, keeping: keeping)
  }

  @Test("a straight line of even slope needs its ends alone")
  func even() {
    #expect(kept([0, 100, 200, 300], [500, 510, 520, 530]) == [0, 3])
    #expect(kept([0, 100, 200, 300], [500, 512.9, 522.9, 530]) == [0, 3])
    #expect(kept([0, 100, 200, 300], []) == [0, 3])
  }

  @Test("a rise that an even slope would hide needs a point")
  func rise() {
    #expect(kept([0, 100, 200, 300], [500, 513.1, 520, 530]) == [0, 1, 3])
    #expect(kept([0, 100, 200, 300, 400], [500, 500, 540, 500, 500]) == [0, 1, 2, 3, 4])
    // Not halfway: an even slope is at 501 after 10 of 100 m.
    #expect(kept([0, 10, 100], [500, 505, 510]) == [0, 1, 2])
    #expect(kept([0, 10, 100], [500, 503, 510]) == [0, 2])
  }

  @Test(
    "points remain at which elevations begin or cease to be known, and those that are asked for")
  func fixed() {
    #expect(kept([0, 100, 200, 300, 400], [500, 500, nil, nil, nil]) == [0, 1, 2, 4])
    #expect(kept([0, 100, 200, 300, 400], [nil, 500, nil, 500, 500]) == [0, 1, 2, 3, 4])
    #expect(kept([0, 100, 200, 300], [nil, nil, nil, nil]) == [0, 3])
    #expect(kept([0, 100, 200, 300], [500, 500, 500, 500], keeping: [2]) == [0, 2, 3])
  }

  @Test("there and back on one way needs the farthest point, and heights on both ways")
  func hairpin() {
    #expect(kept([0, 100, 200, 100, 0], [500, 510, 520, 510, 500]) == [0, 2, 4])
    #expect(kept([0, 2, 0], [500, 504, 500]) == [0, 1, 2])
  }

  @Test("all points lie within the tolerance of the remaining line, in place and in height")
  func tolerance() {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (metres, elevation) = (0.0, 900.0)
      var (positions, elevations): ([Double], [Double?]) = ([], [])
      for _ in 0..<300 {
        metres += 1 + 40 * random.nextShare()
        elevation += 20 * (random.nextShare() - 0.5)
        positions.append(metres)
        elevations.append(elevation)
      }
      let left = kept(positions, elevations)
      #expect(left.count < 300)
      for (start, end) in zip(left, left.dropFirst()) {
        for index in start..<end {
          let share = (positions[index] - positions[start]) / (positions[end] - positions[start])
          guard let low = elevations[start], let high = elevations[end],
            let own = elevations[index]
          else { continue }
          #expect(abs(own - (low + share * (high - low))) < 3.001, "seed \(seed)")
        }
      }
    }
  }
}
