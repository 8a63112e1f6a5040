// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
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

  @Test("names that would cover each other are not shown at once, and are escaped")
  func names() throws {
    let frame = try #require(MapFrame(around: [line]))
    let labels = [
      PlaceLabel(kind: .settlement, name: "First", coordinate: line[0]),
      PlaceLabel(kind: .peak, name: "Second", coordinate: line[0], elevation: 2941.6),
      PlaceLabel(kind: .hut, name: "</text><script>x</script>", coordinate: line[1]),
      PlaceLabel(
        kind: .hut, name: "Elsewhere", coordinate: Coordinate(latitude: 50, longitude: 1.5)),
    ]
    let names = MapNames(labels, frame)
    #expect(names.names.map(\.text) == ["First", "Second 2\u{A0}942", "</text><script>x</script>"])
    #expect(names.names.map(\.isShown) == [true, false, true])
    var page = SVGText()
    names.add(to: &page)
    #expect(!page.markup.contains("<script>") && page.markup.contains("peak crowded"))
  }

  @Test("names are read from a database of places, the most important first, within a box")
  func labels() throws {
    let folder = try TemporaryFolder()
    let path = try PlaceMap([
      .init(1, 47.0, 10.0, ["place": "village", "name": "Dorf"]),
      .init(2, 47.01, 10.0, ["place": "town", "name": "Stadt"]),
      .init(3, 47.02, 10.0, ["natural": "peak", "name": "Spitze", "ele": "2000"]),
      .init(4, 47.03, 10.0, ["amenity": "restaurant", "name": "Adler"]),
      .init(5, 49, 10.0, ["place": "town", "name": "Weit weg"]),
    ]).placesDatabase(in: folder)
    let box = BoundingBox(west: 9, south: 46, east: 11, north: 48)
    let labels = try PlaceLabel.read(path, in: box, limit: 10)
    #expect(Set(labels.map(\.name)) == ["Stadt", "Dorf", "Spitze"])
    let places = labels.filter { $0.kind == .settlement }.map(\.name)
    #expect(places == ["Stadt", "Dorf"])
    #expect(try PlaceLabel.read(path, in: box, limit: 1).count == 1)
    try folder.write("no database", to: "x.places.db")
    #expect(throws: CairnError.self) {
      try PlaceLabel.read(folder.file("x.places.db"), in: box, limit: 1)
    }
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

  @Test("the times of a run that took seconds are in seconds")
  func ticks() {
    func labels(_ seconds: Double) -> String {
      var page = SVGText()
      let bar = GanttChart.Bar(name: "a", detail: "b", kind: 0, start: 0, seconds: seconds)
      GanttChart([bar].compactMap { $0 }).add(to: &page, label: "x")
      return page.markup
    }
    #expect(labels(1.2).contains(">0.2 s<") && labels(1.2).contains(">1.0 s<"))
    #expect(labels(0.5).contains(">100 ms<") && labels(40).contains(">10 s<"))
  }

  @Test("shares beside each other have as many digits")
  func shares() {
    var page = SVGText()
    PairedBars([
      .init("a", base: 0.52, candidate: 0.581), .init("b", base: 0.0004, candidate: 0),
    ]).add(to: &page, label: "x")
    for text in [">52.0 %<", ">58.1 %<", ">&lt; 0.1 %<", ">0.0 %<"] {
      #expect(page.markup.contains(text), "\(text)")
    }
  }

  @Test("a histogram counts every finite value once, those of no difference in the middle")
  func histogram() {
    let values = [0, 0, 0, 12, -12, 55, 1e300, -1e300, .nan, .infinity]
    let histogram = Histogram(values)
    #expect(histogram.counts.reduce(0, +) == 8)
    #expect(histogram.counts.count == 11 && Histogram([]).counts.allSatisfy { $0 == 0 })
    func texts(_ values: [Double]) -> [String] {
      var page = SVGText()
      Histogram(values).add(to: &page, unit: "m", label: "x")
      return page.markup.components(separatedBy: "</text>").dropLast()
        .map { String($0.split(separator: ">").last ?? "") }
    }
    // Long names would run together.
    #expect(texts([-500, 500]).contains("−400") && !texts([-500, 500]).contains("−500"))
    #expect(texts([-50, 50]).contains("−50") && texts([-50, 50]).contains("+40"))
    #expect(Histogram([0, 1, -1, 4]).counts == [0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0])
  }
}
