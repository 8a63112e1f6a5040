// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Charts

@Suite("Contour lines")
struct ContourLinesTests {
  /// A grid of 21 by 21 elevations.
  private func grid(_ height: (_ column: Int, _ row: Int) -> Float) -> ContourLines {
    var values: [Float] = []
    for row in 0..<21 { for column in 0..<21 { values.append(height(column, row)) } }
    return ContourLines(values, columns: 21)
  }

  private func cone(_ column: Int, _ row: Int) -> Float {
    let (x, y) = (Float(column) - 10, Float(row) - 10)
    return 1000 - 10 * (x * x + y * y).squareRoot()
  }

  @Test("around a cone they are closed, and as far from the top as their height says")
  func cone() {
    let lines = grid(cone).lines(every: 20).filter { (901..<1000).contains($0.level) }
    #expect(lines.map(\.level) == [920, 940, 960, 980])
    for line in lines {
      #expect(line.isClosed && line.points.first == line.points.last)
      let wanted = Double(1000 - line.level) / 10
      let distances = line.points.map { point in
        let offset = point - SIMD2(10, 10)
        return (offset * offset).sum().squareRoot()
      }
      #expect(distances.allSatisfy { abs($0 - wanted) < 0.2 })
    }
  }

  @Test("on a slope they are straight from edge to edge, one for each level")
  func slope() {
    let lines = grid { column, _ in Float(column) * 10 }.lines(every: 50)
    #expect(lines.map(\.level) == [50, 100, 150, 200])
    for line in lines {
      #expect(!line.isClosed && line.points.count == 21)
      #expect(line.points.allSatisfy { abs($0.x - Double(line.level) / 10) < 1e-6 })
    }
  }

  @Test("unknown ground has none, and ends those around it")
  func unknown() {
    #expect(grid { _, _ in .nan }.lines(every: 10).isEmpty)
    let lines = grid { column, row in row == 10 ? .nan : Float(column) * 10 }.lines(every: 100)
    #expect(lines.filter { $0.level == 100 }.count == 2)
    #expect(lines.allSatisfy { line in line.points.allSatisfy { $0.y <= 9 || $0.y >= 11 } })
  }

  @Test("flat ground, no ground, and heights that cannot be")
  func degenerate() {
    #expect(grid { _, _ in 100 }.lines(every: 100).count <= 1)
    #expect(ContourLines([], columns: 0).lines(every: 10).isEmpty)
    #expect(ContourLines([1, 2], columns: 2).lines(every: 10).isEmpty)
    #expect(grid(cone).lines(every: 0).isEmpty)
    let wild = grid { column, _ in column == 3 ? 3e38 : Float(column) }
    #expect(wild.lines(every: 10).count < 100)
  }

  @Test("two hilltops at a saddle are joined or apart as the mean says, and no line crosses itself")
  func saddle() {
    let values: [Float] = [10, 0, 0, 10]
    let low = ContourLines(values, columns: 2).lines(every: 6)
    #expect(low.count == 2 && low.allSatisfy { $0.points.count == 2 && $0.level == 6 })
  }

  @Test("the interval follows the relief")
  func interval() {
    #expect(grid(cone).interval(most: 20) == 10)
    #expect(grid { column, _ in Float(column) * 100 }.interval(most: 20) == 100)
    #expect(grid { _, _ in .nan }.interval(most: 20) == 100)
  }

  @Test("a picture has contours with their heights below the line, and names that cover nothing")
  func picture() throws {
    let line = [(47.0, 10.0), (47.02, 10.03)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    var picture = RoutePicture(
      line: line, via: [], steps: [],
      chart: ElevationChart(
        points: [], title: "Tour",
        totals: .init(distanceMetres: 3000, ascentMetres: nil, descentMetres: nil, seconds: 3600)))
    let plain = picture.svg
    picture.terrain = { point in Float(1000 + (point.latitude - 47) * 30_000) }
    let hut = "Hütte <script>\u{202E}"
    let place = Coordinate(latitude: 47.005, longitude: 10.02)
    picture.names = [
      .init(text: hut, coordinate: place, isStrong: true),
      .init(text: "Beside it", coordinate: place, isStrong: false),
      .init(text: "Far", coordinate: Coordinate(latitude: 48, longitude: 10), isStrong: true),
    ]
    picture.credits = "© OpenStreetMap contributors"
    let document = try SVGDocument(picture.svg)
    #expect(picture.svg == picture.svg && plain != picture.svg)
    let texts = document.texts
    #expect(texts.contains(hut) && texts.contains("© OpenStreetMap contributors"))
    #expect(!texts.contains("Far"))
    #expect(texts.contains { Int($0).map { (1000...2000).contains($0) && $0 % 100 == 0 } ?? false })
  }
}
