// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import FoundationEssentials
import TestSupport
import Testing

@testable import CairnTracks

@Suite("Simplifying routes")
struct RouteSimplifierTests {
  private func walk(_ count: Int, _ random: inout SeededGenerator) -> [Coordinate] {
    var (x, y, direction) = (0.0, 0.0, 0.0)
    return (0..<count).map { _ in
      direction += (random.nextShare() - 0.5) * 2
      x += 20 * cosine(direction)
      y += 20 * cosine(direction - .pi / 2)
      return TrackDrawing.coordinate(x, y)
    }
  }

  /// Good enough for a drawing.
  private func cosine(_ angle: Double) -> Double {
    let turns = (angle / (2 * .pi)).rounded()
    let square = (angle - turns * 2 * .pi) * (angle - turns * 2 * .pi)
    return 1 - square / 2 + square * square / 24 - square * square * square / 720
  }

  /// The algorithm as it is written in books.
  private func naive(_ line: [Coordinate], _ first: Int, _ last: Int, _ tolerance: Double) -> [Int]
  {
    guard last > first + 1 else { return [] }
    let arc = SphereArc(SphereVector(line[first]), SphereVector(line[last]))
    let distances = (first + 1..<last).map { arc.squaredChord(to: SphereVector(line[$0])) }
    guard let greatest = distances.max(), let offset = distances.firstIndex(of: greatest),
      greatest > SphereVector.squaredChord(ofMetres: tolerance)
    else { return [] }
    let middle = first + 1 + offset
    return naive(line, first, middle, tolerance) + [middle] + naive(line, middle, last, tolerance)
  }

  @Test("it keeps what the recursive algorithm keeps")
  func sameAsNaive() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let line = walk(3 + Int(random.next() % 300), &random)
      for tolerance in [0.0, 1, 5, 20, 100, 10_000] {
        let expected = [0] + naive(line, 0, line.count - 1, tolerance) + [line.count - 1]
        #expect(
          RouteSimplifier.indices(line, toleranceMetres: tolerance) == expected,
          "seed \(seed), \(tolerance) m")
      }
    }
  }

  @Test("points that are left out are within the tolerance in metres on a plane, too")
  func tolerance() {
    for seed in 0..<20 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let line = walk(400, &random)
      let kept = RouteSimplifier.indices(line, toleranceMetres: 15)
      #expect(kept.count < line.count / 2)
      for (first, last) in zip(kept, kept.dropFirst()) {
        for index in first...last {
          #expect(planeDistance(line[index], line[first], line[last]) < 15.01, "seed \(seed)")
        }
      }
    }
  }

  private func planeDistance(_ point: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double
  {
    let shrinking = longitudeShrinking(atLatitude: start.latitude)
    func plane(_ other: Coordinate) -> (x: Double, y: Double) {
      (
        (other.longitude - start.longitude) * shrinking * TrackDrawing.metresPerDegree,
        (other.latitude - start.latitude) * TrackDrawing.metresPerDegree
      )
    }
    let (p, e) = (plane(point), plane(end))
    let square = e.x * e.x + e.y * e.y
    let share = square > 0 ? min(max((p.x * e.x + p.y * e.y) / square, 0), 1) : 0
    let (dx, dy) = (p.x - share * e.x, p.y - share * e.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test(
    "a detour across the antimeridian is measured in metres, and a closed line keeps its far end")
  func antimeridian() {
    let east = Coordinate(latitude: 0, longitude: 179.9995)
    let west = Coordinate(latitude: 0, longitude: -179.9995)
    let beside = Coordinate(latitude: 0.00005, longitude: 180)
    #expect(RouteSimplifier.simplify([east, beside, west], toleranceMetres: 6) == [east, west])
    #expect(RouteSimplifier.simplify([east, beside, west], toleranceMetres: 5).count == 3)
    let loop = [east, beside, west, beside, east]
    #expect(RouteSimplifier.indices(loop, toleranceMetres: 50) == [0, 2, 4])
  }

  @Test("lines that never divide evenly take no longer than others")
  func lopsided() {
    // Each division cuts off one point.
    let line = (0..<20_000).map { (index: Int) -> Coordinate in
      let aside: Double = index % 2 == 0 ? 0 : 1e-3 * Double(index)
      return TrackDrawing.coordinate(Double(index) / 50, aside)
    }
    let kept = RouteSimplifier.indices(line, toleranceMetres: 0.0001)
    #expect(kept.count > 9_000 && kept.count <= line.count)
  }

  @Test("short lines, equal points and odd tolerances are no problem")
  func edges() {
    let here = Coordinate(latitude: 1, longitude: 1)
    for count in 0...2 {
      let line = Array(repeating: here, count: count)
      #expect(RouteSimplifier.simplify(line, toleranceMetres: 1) == line)
    }
    let same = Array(repeating: here, count: 100)
    #expect(RouteSimplifier.simplify(same, toleranceMetres: 0).count == 2)
    for odd in [Double.nan, -5, .infinity] {
      #expect(RouteSimplifier.indices(same, toleranceMetres: odd) == [0, 99])
    }
    let fixes = same.map {
      LocationFix(latitude: $0.latitude, longitude: $0.longitude, timestamp: TrackDrawing.epoch)
    }
    #expect(RouteSimplifier.simplify(fixes, toleranceMetres: 1).count == 2)
    #expect(
      RouteSimplifier.simplify(fixes.map { GPXFile.Point($0) }, toleranceMetres: 1).count == 2)
  }
}
