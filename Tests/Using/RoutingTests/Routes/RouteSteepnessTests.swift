// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CairnRouting

@Suite("How steep a route is")
struct RouteSteepnessTests {
  private func steepness(_ points: [(Double, Double?)]) -> RouteSteepness {
    var profile = ElevationProfile()
    profile.points = points.map { .init(distanceMetres: $0.0, elevationMetres: $0.1) }
    return RouteSteepness(profile)
  }

  private func metres(_ steepness: RouteSteepness) -> [String: Double] {
    Dictionary(
      uniqueKeysWithValues: zip(RouteSteepness.classNames, steepness.classMetres).filter {
        $0.1 > 0
      })
  }

  @Test("each stretch counts in the class of its slope, and the sum is the length")
  func classes() {
    let rises = [-50.0, -30, -20, 0, 20, 30, 50]
    var points: [(Double, Double?)] = [(0, 1000)]
    for (index, rise) in rises.enumerated() {
      let last = points[index]
      // Each stretch is longer than the one before it, so that they cannot be exchanged.
      let length = Double(100 + 10 * index)
      points.append((last.0 + length, last.1.map { $0 + rise * length / 100 }))
    }
    let found = steepness(points)
    #expect(
      RouteSteepness.classNames == [
        "below -40", "-40 to -25", "-25 to -10", "-10 to 10", "10 to 25", "25 to 40", "above 40",
      ])
    #expect(found.classMetres == [100, 110, 120, 130, 140, 150, 160])
    #expect(found.knownMetres == 910 && found.unknownMetres == 0)
  }

  @Test("a slope on a bound belongs to the gentler class")
  func bounds() {
    #expect(metres(steepness([(0, 25), (100, 0)])) == ["-25 to -10": 100])
    #expect(metres(steepness([(0, 0), (100, 25)])) == ["10 to 25": 100])
    #expect(metres(steepness([(0, 40), (100, 0)])) == ["-40 to -25": 100])
    #expect(metres(steepness([(0, 0), (100, 10)])) == ["-10 to 10": 100])
  }

  @Test("the way back climbs where the way there descends")
  func wayBack() throws {
    let line: [(Double, Double?)] = [(0, 1000), (200, 930), (300, 930), (450, 960)]
    let there = steepness(line)
    let back = steepness(line.reversed().map { (450 - $0.0, $0.1) })
    #expect(back.classMetres == there.classMetres.reversed())
    #expect(there.steepestDescentPercent == 35 && there.steepestAscentPercent == 20)
    #expect(back.steepestDescentPercent == 20 && back.steepestAscentPercent == 35)
    #expect(there.metres(.downhill, steeperThan: 30) == 200)
    #expect(there.metres(.downhill, steeperThan: 35) == 0)
    #expect(
      there.metres(.uphill, steeperThan: 15) == 150 && back.metres(.uphill, steeperThan: 30) == 200)
  }

  @Test("the steepest 100 m may begin and end between points")
  func window() throws {
    // A ramp of 40 m that climbs 20 m, between gentle ones of 5 %: any 100 m around it climb 23 m.
    let ramp = steepness([(0, 0), (200, 10), (240, 30), (433, 39.65)])
    #expect(abs(try #require(ramp.steepestAscentPercent) - 23) < 1e-9)
    #expect(ramp.steepestDescentPercent == 0)
    // Two ramps 70 m apart, so that a window holds only parts of both.
    let two = steepness([(0, 0), (100, 0), (140, 20), (180, 20), (220, 40), (400, 40)])
    #expect(abs(try #require(two.steepestAscentPercent) - 30) < 1e-9)
  }

  @Test("the steepest 100 m are those that trying every metre finds")
  func reference() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      // Points at whole metres, so that every metre is every place where an extreme may begin.
      var points: [(Double, Double?)] = [(0, 500)]
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let last = points[points.count - 1]
        points.append(
          (
            last.0 + Double(Int.random(in: 1...60, using: &random)),
            Double(Int.random(in: 400...600, using: &random))
          ))
      }
      var profile = ElevationProfile()
      profile.points = points.map { .init(distanceMetres: $0.0, elevationMetres: $0.1) }
      let found = RouteSteepness(profile)
      var elevations: [Double] = []
      for (one, next) in zip(points, points.dropFirst()) {
        guard let from = one.1, let to = next.1 else { continue }
        for metre in 0..<Int(next.0 - one.0) {
          elevations.append(from + Double(metre) * (to - from) / (next.0 - one.0))
        }
      }
      elevations.append(try #require(points[points.count - 1].1))
      guard elevations.count > 100 else {
        #expect(found.steepestAscentPercent == nil && found.steepestDescentPercent == nil)
        continue
      }
      let rises = (0..<elevations.count - 100).map { elevations[$0 + 100] - elevations[$0] }
      let (highest, lowest) = (try #require(rises.max()), try #require(rises.min()))
      #expect(abs(try #require(found.steepestAscentPercent) - max(0, highest)) < 1e-6)
      #expect(abs(try #require(found.steepestDescentPercent) - max(0, -lowest)) < 1e-6)
    }
  }

  @Test("what is unknown is neither flat nor steep")
  func unknown() {
    let gap = steepness([(0, 1000), (60, 980), (100, nil), (200, 700), (260, 680)])
    #expect(gap.unknownMetres == 140 && gap.knownMetres == 120)
    #expect(metres(gap) == ["-40 to -25": 120])
    // Neither side of the gap is 100 m long, and nothing leads over it.
    #expect(gap.steepestDescentPercent == nil && gap.steepestAscentPercent == nil)
    let nothing = steepness([(0, nil), (500, nil)])
    #expect(nothing.unknownMetres == 500 && nothing.knownMetres == 0)
    let none = steepness([])
    #expect(none.unknownMetres == 0 && none.steepestAscentPercent == nil)
    // Without length there is no slope.
    let barrier = steepness([(0, 10), (0, 20), (100, 20)])
    #expect(metres(barrier) == ["-10 to 10": 100] && barrier.steepestAscentPercent == 0)
  }
}
