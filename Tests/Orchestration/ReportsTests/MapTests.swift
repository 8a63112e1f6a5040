// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Charts
@testable import Reports

@Suite("Maps and charts of pages")
struct MapTests {
  private let line = [
    Coordinate(latitude: 42.5, longitude: 1.5), Coordinate(latitude: 42.55, longitude: 1.6),
  ]

  @Test("a point is where it was projected from")
  func projection() throws {
    let frame = try #require(MapFrame(around: [line]))
    for point in line {
      let place = frame.position(point)
      #expect((0...frame.width).contains(place.x) && (0...frame.height).contains(place.y))
      let back = frame.point(x: place.x, y: place.y)
      #expect(abs(back.latitude - point.latitude) < 1e-9)
      #expect(abs(back.longitude - point.longitude) < 1e-9)
    }
  }

  @Test("north is up, east is to the right, and the longer side has 10,000 units")
  func orientation() throws {
    let frame = try #require(MapFrame(around: [line]))
    let (first, last) = (frame.position(line[0]), frame.position(line[1]))
    #expect(last.x > first.x && last.y < first.y)
    #expect(max(frame.width, frame.height) == MapFrame.units)
  }

  @Test("lines without points have no frame, and a point has one")
  func degenerate() throws {
    #expect(MapFrame(around: [[], []]) == nil)
    let frame = try #require(MapFrame(around: [[line[0]]]))
    #expect(frame.width > 0 && frame.height > 0)
    #expect(frame.path([line[0]]).isEmpty && frame.path([]).isEmpty)
  }

  @Test("work at the same time stands in several rows, and no two bars of a row overlap")
  func rows() {
    func bar(_ start: Double, _ seconds: Double) -> GanttChart.Bar? {
      GanttChart.Bar(name: "a", detail: "b", kind: 0, start: start, seconds: seconds)
    }
    let bars = [bar(0, 2), bar(1, 2), bar(2, 1), bar(3.5, 1), bar(2.5, 3)].compactMap { $0 }
    let chart = GanttChart(bars)
    #expect(chart.rows.count == 3)
    for row in chart.rows {
      for (before, after) in zip(row, row.dropFirst()) {
        #expect(before.start + before.seconds <= after.start + 0.002)
      }
    }
    #expect(bar(.nan, 1) == nil && bar(0, -1) == nil)
  }

  @Test("a histogram counts every finite value once, those of no difference in the middle")
  func histogram() {
    let values = [0, 0, 0, 12, -12, 55, 1e300, -1e300, .nan, .infinity]
    let histogram = Histogram(values)
    #expect(histogram.counts.reduce(0, +) == 8)
    #expect(histogram.counts.count == 11 && Histogram([]).counts.allSatisfy { $0 == 0 })
    #expect(Histogram([0, 1, -1, 4]).counts == [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0])
  }
}
