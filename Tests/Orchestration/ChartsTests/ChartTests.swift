// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Charts

@Suite("Charts of elevation profiles")
struct ChartTests {
  private func document(
    _ points: [(Double, Double?)], title: String? = nil, totals: ElevationChart.Totals? = nil,
    via: [Double] = []
  ) throws -> SVGDocument {
    try SVGDocument(
      ElevationChart(
        points: points.map { (distanceMetres: $0.0, elevationMetres: $0.1) }, title: title,
        totals: totals, viaMetres: via
      ).svg)
  }

  /// Up at 10 %, over a top at 2 km, and down again.
  private let hill: [(Double, Double?)] = [(0, 1000), (2000, 1200), (4000, 1000)]

  @Test("a chart is one SVG with a title, a description and a light background")
  func frame() throws {
    let document = try document(hill, title: "Over the hill")
    let root = try #require(document.elements.first)
    #expect(root.name == "svg" && root.attributes["viewBox"] == "0 0 900 360")
    #expect(document.all("title").map(\.text) == ["Over the hill"])
    #expect(
      document.all("desc").map(\.text) == ["Elevation profile from 1\u{A0}000 m to 1\u{A0}200 m."])
    let paper = try #require(document.all("rect").first)
    #expect(paper.attributes["fill"] == "#ffffff" && paper.attributes["width"] == "900")
    #expect(root.attributes["font-family"]?.hasSuffix("sans-serif") == true)
  }

  @Test("a chart has no scripts, and no ids that could clash with other charts in a page")
  func inert() throws {
    let document = try document(hill, title: "javascript:alert(1)")
    #expect(document.all("script").isEmpty && document.all("style").isEmpty)
    for element in document.elements {
      for name in element.attributes.keys {
        #expect(!name.hasPrefix("on") && name != "id" && !name.contains("href"))
      }
    }
  }

  @Test("the head of a chart shows distance, ascent, descent and time")
  func head() throws {
    let totals = ElevationChart.Totals(
      distanceMetres: 8110, ascentMetres: 1116.4, descentMetres: 17.6, seconds: 12_180)
    let texts = try document(hill, title: "Over the hill", totals: totals).texts
    for text in ["Over the hill", "8.1 km", "↑", "1\u{A0}116 m", "↓", "18 m", "3 h 23 min"] {
      #expect(texts.contains(text), "\(text)")
    }
  }

  @Test("the highest point, both ends and the lowest point are labelled, the highest in bold")
  func labels() throws {
    let document = try document([(0, 1000), (500, 900), (1000, 1210), (1500, 1005)])
    let heights = document.texts.filter { $0.hasSuffix(" m") }
    for text in ["1\u{A0}000 m", "1\u{A0}210 m", "1\u{A0}005 m", "900 m"] {
      #expect(heights.contains(text), "\(text)")
    }
    #expect(document.all("circle").count == 4)
    let bold = document.all("g").filter { $0.attributes["font-weight"] == "bold" }
    #expect(bold.count == 1)
  }

  @Test("an unknown climb has neither an arrow nor a dash in the head")
  func unknownClimb() throws {
    let totals = ElevationChart.Totals(
      distanceMetres: 8110, ascentMetres: nil, descentMetres: .nan, seconds: 12_180)
    let texts = try document(hill, title: "Somewhere", totals: totals).texts
    #expect(texts.contains("8.1 km") && texts.contains("3 h 23 min"))
    #expect(!texts.contains { "↑↓–".contains($0) })
  }

  @Test("the lowest point is labelled, however little it lies below an end or beside one")
  func lowest() throws {
    let shallow = try document([(0, 1000), (2000, 996), (4000, 1400), (6000, 1300)])
    #expect(shallow.texts.contains("996 m"))
    let beside = try document([(0, 1010), (200, 990), (4000, 1400)])
    #expect(beside.texts.contains("990 m"), "the end makes way for it")
  }

  @Test("each via point on the route has a dashed line and a label with its number")
  func viaPoints() throws {
    let document = try document(hill, via: [1000, 3000, 1e9, .nan])
    let lines = document.all("path").filter { $0.attributes["stroke-dasharray"] != nil }
    #expect(lines.map { $0.attributes["d"] ?? "" } == ["M267.5 74V290", "M670.5 74V290"])
    #expect(document.texts.contains("via 1") && document.texts.contains("via 2"))
    #expect(!document.texts.contains("via 3"))
  }

  @Test("the gaps between the entries of the legend are even")
  func legend() throws {
    let document = try document(hill + [(5000, nil)])
    let boxes = try document.all("rect").filter { $0.attributes["width"] == "22" }
      .map { try $0.number("x") }
    #expect(boxes.count == SlopeShade.allCases.count + 1)
    // Widths of the labels in Liberation Sans, 12 pixels.
    let widths = [34.0, 40.7, 47.4, 47.4, 54.0]
    let gaps = zip(zip(boxes, boxes.dropFirst()), widths).map { $0.1 - $0.0 - 29 - $1 }
    #expect(try #require(gaps.max()) - (try #require(gaps.min())) < 4, "\(gaps)")
  }

  @Test("an end that is the lowest point has one label")
  func lowEnd() throws {
    #expect(try document(hill).all("circle").count == 3)
    #expect(try document([(0, 1000), (2000, 1300)]).all("circle").count == 2)
  }

  @Test("an end at the highest point has no label, one farther away has it below the curve")
  func crowdedEnd() throws {
    let close = try document([(0, 1000), (8000, 1303), (8050, 1300)])
    #expect(!close.texts.contains("1\u{A0}300 m\n") && close.all("circle").count == 2)
    let far = try document([(0, 1000), (7600, 1302), (8000, 1270)])
    let ends = far.all("circle")
    #expect(ends.count == 3)
    let label = try #require(far.labelHeight("1\u{A0}270 m"))
    #expect(try label > #require(ends.last).number("cy"))
  }

  @Test("the curve runs from edge to edge, higher where the land is higher")
  func curve() throws {
    let curves = try document(hill).curves
    #expect(curves.count == 1)
    let corners = try corners(try #require(curves.first))
    #expect(corners.map(\.x) == [66, 469, 872])
    #expect(corners[0].y == corners[2].y && corners[1].y < corners[0].y - 100)
  }

  @Test("areas have the colour of their slope, whichever way it goes")
  func slopes() throws {
    func colours(_ metres: Double) throws -> [String] {
      try document([(0, 1000), (1000, 1000 + metres), (2000, 1000)]).areaColours
    }
    let classes = SlopeShade.allCases.map(\.colour)
    // Around the top the mean of both sides is flatter.
    #expect(try colours(0) == [classes[0]])
    #expect(try colours(49) == [classes[0]])
    #expect(try colours(51).first == classes[1] && colours(51).last == classes[1])
    #expect(try colours(199).first == classes[2])
    #expect(try colours(-201).first == classes[3] && colours(-201).last == classes[3])
    #expect(try colours(301).first == classes[4])
    let legend = try document(hill).texts
    for slope in SlopeShade.allCases { #expect(legend.contains(slope.label)) }
  }

  @Test("unknown elevations leave a gap in the curve, shaded and explained in the legend")
  func gaps() throws {
    let document = try document([
      (0, nil), (1000, 500), (2000, 600), (3000, nil), (4000, 700), (5000, nil), (6000, 650),
      (7000, 640), (8000, nil),
    ])
    #expect(document.curves.count == 2)
    let shades = document.all("rect").filter {
      $0.attributes["fill"] == "#ececea" && $0.attributes["height"] == "216"
    }
    #expect(try shades.map { try $0.number("x") } == [66, 267.5, 469, 771.3])
    #expect(try shades.map { try $0.number("width") } == [100.8, 201.5, 201.5, 100.8])
    #expect(document.texts.contains("elevation unknown"))
    // A single known point between two gaps is a dot.
    #expect(document.all("circle").contains { $0.attributes["cx"] == "469" })
    #expect(try !self.document(hill).texts.contains("elevation unknown"))
  }

  @Test("a chart without any elevation says so, and still shows the distance")
  func nothingKnown() throws {
    let document = try document([(0, nil), (2500, nil)])
    #expect(document.texts.contains("no elevation data"))
    #expect(document.texts.contains("2.5 km"))
    #expect(document.curves.isEmpty && document.areaColours.isEmpty)
    #expect(
      document.all("desc").map(\.text) == ["Elevation profile without known elevations."])
  }

  @Test("profiles without points or with a single one are drawn")
  func small() throws {
    #expect(try document([]).curves.isEmpty)
    let single = try document([(0, 1234.4)])
    #expect(single.texts.contains("1\u{A0}234 m"))
    #expect(single.all("circle").allSatisfy { $0.attributes["cx"] == "469" })
    #expect(try document([(0, nil)]).texts.contains("no elevation data"))
  }

  @Test("a flat route looks flat")
  func flat() throws {
    let document = try document([(0, 900), (1000, 903), (2000, 901)])
    let rows = try corners(try #require(document.curves.first)).map(\.y)
    #expect(try #require(rows.max()) - (try #require(rows.min())) < 8)
    #expect(document.areaColours == [SlopeShade.gentle.colour])
  }

  @Test("elevations below sea level have a minus sign, and sea level has a line")
  func belowSea() throws {
    let document = try document([(0, -420.4), (1000, -200), (3000, 50)])
    #expect(document.texts.contains("\u{2212}420 m"))
    #expect(document.texts.contains("\u{2212}400"))
    #expect(document.all("path").contains { $0.attributes["stroke"] == "#7fa8c9" })
    let coast = try self.document([(0, 2), (1000, 40)])
    #expect(!coast.all("path").contains { $0.attributes["stroke"] == "#7fa8c9" })
    #expect(!coast.texts.contains { $0.hasPrefix("\u{2212}") })
  }

  @Test("a chart of 300 km is a small file, and no summit is lost")
  func long() throws {
    var random = SeededGenerator(seed: 5)
    var elevation = 1000.0
    var points: [(Double, Double?)] = []
    for index in 0...30_000 {
      elevation += .random(in: -8...8, using: &random)
      points.append((Double(index) * 10, elevation))
    }
    points[17_345].1 = 4810
    let svg = ElevationChart(points: points.map { ($0.0, $0.1) }).svg
    #expect(svg.utf8.count < 200_000)
    let document = try SVGDocument(svg)
    #expect(document.texts.contains("4\u{A0}810 m") && document.texts.contains("300 km"))
    let corners = try corners(try #require(document.curves.first))
    let top = try #require(corners.min { $0.y < $1.y })
    #expect(abs(top.x - (66 + 806 * 17_345 / 30_000.0)) < 0.1)
    for (one, next) in zip(corners, corners.dropFirst()) { #expect(one.x <= next.x) }
  }

  @Test("markup in a title is escaped, and characters that XML forbids are replaced")
  func escaping() throws {
    let title = "<b>\"Tom\" & 'Ann'</b> ]]> \u{0}\u{1B}[2J\u{FFFE} Ü 山"
    let document = try document(hill, title: title)
    #expect(
      document.all("title").map(\.text)
        == ["<b>\"Tom\" & 'Ann'</b> ]]> \u{FFFD}\u{FFFD}[2J\u{FFFD} Ü 山"])
    #expect(document.all("b").isEmpty)
  }

  @Test("a title that is too long for its line is cut", arguments: [("ä", 90), ("山", 45)])
  func longTitle(letter: String, room: Int) throws {
    for (count, shown) in [(room, room), (room + 1, room), (5000, room)] {
      let texts = try document(hill, title: String(repeating: letter, count: count)).texts
      let end = count > room ? "…" : ""
      #expect(texts.contains(String(repeating: letter, count: shown) + end), "\(count)")
    }
  }

  @Test("the same points give the same bytes")
  func deterministic() {
    let chart = ElevationChart(points: hill.map { ($0.0, $0.1) }, title: "x")
    #expect((0..<5).allSatisfy { _ in chart.svg == chart.svg })
  }

  @Test("implausible numbers are dropped or unknown, and never fatal")
  func senseless() throws {
    let points: [(Double, Double?)] = [
      (.nan, 1), (-1, 2), (0, 100), (.infinity, 3), (10, .nan), (20, 1e300), (15, 4), (30, 140),
      (1e300, 5),
    ]
    let chart = ElevationChart(points: points.map { ($0.0, $0.1) })
    #expect(chart.points.map(\.distance) == [0, 10, 20, 30])
    #expect(chart.points.map(\.elevation) == [100, nil, nil, 140])
    let totals = ElevationChart.Totals(
      distanceMetres: .nan, ascentMetres: .infinity, descentMetres: -1e300, seconds: .nan)
    #expect(try document(points, totals: totals).texts.contains("–"))
    #expect(try !document([(0, 1), (4e8, 2)]).texts.isEmpty)
    #expect(try !document([(5, 1), (5, 2), (5, 3)]).texts.isEmpty)
  }

  @Test("whatever the points, every coordinate lies within the chart")
  func withinFrame() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var distance = 0.0
      let scale: Double = [1, 50, 5000][Int.random(in: 0..<3, using: &random)]
      let points: [(Double, Double?)] = (0..<Int.random(in: 1...40, using: &random)).map {
        _ -> (Double, Double?) in
        distance += .random(in: 0...scale, using: &random)
        let isKnown = Int.random(in: 0..<4, using: &random) > 0
        return (distance, isKnown ? Double.random(in: -400...8800, using: &random) : nil)
      }
      let document = try document(points)
      for path in document.curves where path.attributes["d"]?.contains("L") == true {
        for corner in try corners(path) {
          #expect((66...872).contains(corner.x) && (74...290).contains(corner.y), "seed \(seed)")
        }
      }
      for circle in document.all("circle") {
        let (x, y) = (try circle.number("cx"), try circle.number("cy"))
        #expect((66...872).contains(x) && (74...290).contains(y), "seed \(seed)")
      }
    }
  }
}
