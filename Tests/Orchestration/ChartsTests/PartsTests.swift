// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Charts

@Suite("Axis ticks")
struct AxisTicksTests {
  @Test(
    "ticks are multiples of 1, 2 or 5 times a power of ten, as fine as the limit allows",
    arguments: [
      (0.0, 1), (5, 1), (6, 1), (6.5, 2), (12, 2), (13, 5), (30, 5), (31, 10), (700, 200),
      (1300, 500), (3001, 1000), (1e300, 1_000_000_000),
    ])
  func step(length: Double, step: Int) {
    #expect(AxisTicks(length: length, atMost: 6).step == step)
  }

  @Test("ticks lie within their range including its ends, also below zero")
  func values() {
    let ticks = AxisTicks(length: 500, atMost: 6)
    #expect(ticks.values(in: -200...250) == [-200, -100, 0, 100, 200])
    #expect(ticks.values(in: 1...99) == [])
    #expect(ticks.values(in: 0...0) == [0])
    #expect(AxisTicks(length: 1, atMost: 1).values(in: 0...1e300) == [])
  }

  @Test(
    "distance ticks are in metres or kilometres, and the last one has the unit",
    arguments: [
      (0.0, ["0 m"]), (580, ["0", "50", "100"]), (1999, ["0", "200", "400"]),
      (2000, ["0", "0.2", "0.4"]), (8110, ["0", "1", "2"]), (4500, ["0", "0.5", "1.0"]),
      (23_000, ["0", "2", "4"]), (300_000, ["0", "50", "100"]),
    ] as [(Double, [String])])
  func distances(length: Double, first: [String]) {
    let drawing = ElevationDrawing(ElevationChart(points: [(0, 1), (length, 2)]))
    let labels = drawing.distanceMarks.map(\.label)
    #expect(Array(labels.prefix(first.count)) == first)
    #expect(labels.last?.hasSuffix(length < 2000 ? " m" : " km") == true)
    #expect(labels.count <= 13)
    #expect(labels.dropLast().allSatisfy { !$0.hasSuffix("m") })
  }
}

@Suite("Slopes along a route")
struct SlopeTests {
  private func stretch(_ points: [(Double, Double)]) -> KnownStretch {
    KnownStretch.stretches(
      of: points.map { ElevationChart.Point(distance: $0.0, elevation: $0.1) })[0]
  }

  @Test("the elevation is linear between two points, and constant beyond the ends")
  func interpolation() {
    let stretch = stretch([(100, 10), (200, 30), (200, 40), (300, 0)])
    #expect(stretch.elevation(at: 0) == 10 && stretch.elevation(at: 100) == 10)
    #expect(stretch.elevation(at: 150) == 20 && stretch.elevation(at: 250) == 20)
    #expect(stretch.elevation(at: 300) == 0 && stretch.elevation(at: 999) == 0)
  }

  @Test("a slope is the mean within a window, cut off at the ends")
  func window() {
    let stretch = stretch([(0, 0), (100, 10), (200, 10)])
    #expect(stretch.slope(at: 50, window: 100) == 0.1)
    #expect(stretch.slope(at: 100, window: 100) == 0.05)
    #expect(stretch.slope(at: 0, window: 100) == 0.1)
    #expect(stretch.slope(at: 50, window: 1000) == 0.05)
  }

  @Test("a very short run is merged into the neighbour with the closer class")
  func slivers() {
    func runs(_ classes: [SlopeShade]) -> [SlopeRun] {
      SlopeRun.runs(of: classes, from: 10, shortest: 3)
    }
    #expect(
      runs([.gentle, .gentle, .gentle, .moderate, .extreme, .extreme, .extreme]) == [
        SlopeRun(columns: 10..<14, slope: .gentle), SlopeRun(columns: 14..<17, slope: .extreme),
      ])
    #expect(
      runs([.steep, .steep, .steep, .gentle, .steep, .steep])
        == [SlopeRun(columns: 10..<16, slope: .steep)])
    #expect(runs([.gentle]) == [SlopeRun(columns: 10..<11, slope: .gentle)])
    #expect(runs([]) == [])
  }

  @Test("runs are contiguous, whatever the classes")
  func complete() {
    for count in 1..<200 {
      let classes = (0..<count).map { SlopeShade.allCases[($0 * $0 * count / 7) % 5] }
      let runs = SlopeRun.runs(of: classes, from: 0, shortest: 4)
      #expect(runs.first?.columns.lowerBound == 0 && runs.last?.columns.upperBound == count)
      for (one, next) in zip(runs, runs.dropFirst()) {
        #expect(one.columns.upperBound == next.columns.lowerBound && one.slope != next.slope)
      }
      #expect(runs.count == 1 || runs.allSatisfy { $0.columns.count >= 4 })
    }
  }
}
