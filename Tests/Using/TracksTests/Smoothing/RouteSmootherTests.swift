// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import FoundationEssentials
import Testing

@Suite("Smoothing routes")
struct RouteSmootherTests {
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test("one round puts points at a quarter and three quarters of each side, and keeps the ends")
  func oneRound() {
    let line = [place(0, 0), place(4, 0), place(4, 8)]
    #expect(
      RouteSmoother.smooth(line, iterations: 1) == [
        place(0, 0), place(1, 0), place(3, 0), place(4, 2), place(4, 6), place(4, 8),
      ])
  }

  @Test("two rounds unless others are asked for; none or a negative number changes nothing")
  func rounds() {
    let line = [place(0, 0), place(4, 0), place(4, 8)]
    let once = RouteSmoother.smooth(line, iterations: 1)
    #expect(RouteSmoother.smooth(line) == RouteSmoother.smooth(once, iterations: 1))
    #expect(RouteSmoother.smooth(line).count == 12)
    #expect(RouteSmoother.smooth(line, iterations: 0) == line)
    #expect(RouteSmoother.smooth(line, iterations: -3) == line)
    for short in [[], [place(1, 1)]] {
      #expect(RouteSmoother.smooth(short, iterations: 5) == short)
    }
  }

  @Test("a line of two points gets the points between them, too, and stays straight")
  func twoPoints() {
    #expect(
      RouteSmoother.smooth([place(0, 0), place(4, 8)], iterations: 1) == [
        place(0, 0), place(1, 2), place(3, 6), place(4, 8),
      ])
    #expect(RouteSmoother.smooth([place(0, 0), place(4, 8)]).count == 8)
  }

  @Test("any number of rounds ends, with no more points than allowed")
  func manyRounds() {
    let line = [place(0, 0), place(4, 0), place(4, 8)]
    let many = RouteSmoother.smooth(line, iterations: .max)
    #expect(many.count <= RouteSmoother.maximumPoints && many.count > 1_000_000)
    #expect(many.first == line.first && many.last == line.last)
  }

  @Test("altitudes, times and accuracies have the same weights; what is unknown stays so")
  func values() {
    let fixes = [0.0, 100, 300].enumerated().map { index, second in
      LocationFix(
        latitude: Double(index), longitude: 0, altitude: index == 2 ? nil : 1000 + second,
        horizontalAccuracy: 4 + second, course: index == 0 ? 350 : 30,
        speed: index == 0 ? nil : 2, timestamp: Date(timeIntervalSince1970: second))
    }
    let smooth = RouteSmoother.smooth(fixes, iterations: 1)
    #expect(smooth.first == fixes.first && smooth.last == fixes.last)
    #expect(smooth.map(\.altitude) == [1000, 1025, 1075, nil, nil, nil])
    #expect(smooth.map(\.timestamp.timeIntervalSince1970) == [0, 25, 75, 150, 250, 300])
    #expect(smooth.map(\.horizontalAccuracy) == [4, 29, 79, 154, 254, 304])
    #expect(smooth.map(\.course) == [350, 0, 20, 30, 30, 30])
    #expect(smooth.map(\.speed) == [nil, nil, nil, 2, 2, 2])

    let points = RouteSmoother.smooth(fixes.map { GPXFile.Point($0) }, iterations: 1)
    #expect(points.map(\.elevation) == smooth.map(\.altitude))
    #expect(points.map(\.time) == smooth.map(\.timestamp))
    var untimed = fixes.map { GPXFile.Point($0) }
    untimed[1].time = nil
    #expect(RouteSmoother.smooth(untimed, iterations: 1)[1].time == nil)
  }

  @Test("a line across the antimeridian stays there")
  func antimeridian() {
    let line = [place(0, 179.9), place(0, -179.9), place(0, 179.9)]
    for point in RouteSmoother.smooth(line, iterations: 3) {
      #expect(abs(point.longitude) > 179.8 && point.isValid)
    }
    let eastward = RouteSmoother.smooth(
      [place(0, 179), place(1, -179), place(2, -177)], iterations: 1)
    let expected = [179, 179.5, -179.5, -178.5, -177.5, -177]
    #expect(zip(eastward, expected).allSatisfy { abs($0.longitude - $1) < 1e-9 })
  }
}
