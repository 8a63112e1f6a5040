// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Charts

@Suite("Pictures of routes")
struct RoutePictureTests {
  private static let line = [(47.0, 10.0), (47.01, 10.0), (47.01, 10.02), (47.0, 10.02)].map {
    Coordinate(latitude: $0.0, longitude: $0.1)
  }

  private func picture(
    _ line: [Coordinate] = line, via: [Coordinate] = [], turns: [Int] = [1, 2],
    hasElevations: Bool = true, title: String = "Tour"
  ) -> RoutePicture {
    let points: [(distanceMetres: Double, elevationMetres: Double?)] =
      hasElevations ? [(0, 500), (1500, 700), (3700, 500)] : []
    var steps = [
      RoutePicture.Step(
        kind: .start, coordinate: line.first ?? Self.line[0], position: "0.00 km",
        text: "Head north")
    ]
    for turn in turns where turn < line.count {
      steps.append(
        .init(kind: .turn, coordinate: line[turn], position: "1.11 km", text: "Turn \(turn)"))
    }
    return RoutePicture(
      line: line, via: via, steps: steps,
      chart: ElevationChart(
        points: points, title: title,
        totals: .init(distanceMetres: 3700, ascentMetres: 200, descentMetres: 200, seconds: 3600)))
  }

  @Test("a picture has a title, totals, the line, marks, a scale, north and the steps")
  func parts() throws {
    let via = Coordinate(latitude: 47.01, longitude: 10.01)
    let document = try SVGDocument(picture(via: [via]).svg)
    let texts = document.texts
    for text in [
      "Tour", "3.7 km", "Start", "End", "via 1", "N", "1", "2", "500 m", "0.00 km", "Head north",
      "Turn 2", "Slope",
    ] { #expect(texts.contains(text), "\(text)") }
    #expect(
      document.all("desc").map(\.text)
        == ["Map of a route with 2 turns. Elevation profile from 500 m to 700 m."])
  }

  @Test("north is up and east is right, at one scale, and everything lies inside")
  func projection() throws {
    let map = RouteMap(picture())
    let pixels = Self.line.map(map.pixel)
    #expect(pixels[1].y < pixels[0].y && pixels[2].x > pixels[1].x)
    let north = haversineDistance(Self.line[0], Self.line[1]) / pixels[0].distance(to: pixels[1])
    let east = haversineDistance(Self.line[1], Self.line[2]) / pixels[1].distance(to: pixels[2])
    #expect(abs(north - map.metresPerPixel) < 0.01 && abs(east / north - 1) < 0.001)
    #expect(pixels.allSatisfy(map.isInside))
  }

  @Test("a route across the antimeridian is as narrow as it is")
  func antimeridian() throws {
    let map = RouteMap(
      picture([179.99, -179.99].map { Coordinate(latitude: 0, longitude: $0) }, turns: []))
    #expect(map.line.allSatisfy(map.isInside) && map.metresPerPixel < 5)
  }

  @Test("a route of one point, one without elevations, and one without points are drawn")
  func degenerate() throws {
    let one = try SVGDocument(picture([Self.line[0]], turns: [], hasElevations: false).svg)
    #expect(one.texts.contains("Start and end"))
    let none = try SVGDocument(picture(hasElevations: false).svg)
    #expect(!none.texts.contains("Slope") && none.texts.contains("Turn 1"))
    #expect(none.all("desc").first?.text.contains("elevations are unknown") == true)
    _ = try SVGDocument(picture([], turns: []).svg)
  }

  @Test("names are escaped, and the same route gives the same bytes")
  func escaped() throws {
    let title = "<b>A & B</b> \"x\""
    #expect(try SVGDocument(picture(title: title).svg).texts.contains(title))
    #expect(picture().svg == picture().svg)
  }

  @Test("numbers on the map do not cover each other, and crowded ones are left out")
  func crowded() throws {
    let close = (0..<200).map { Coordinate(latitude: 47 + Double($0) * 1e-6, longitude: 10) }
    let map = RouteMap(
      picture(Self.line + close, turns: Array(4..<204)))
    var labels = MarkLabels(map)
    let discs = close.compactMap { labels.number(radius: 8.5, at: map.pixel($0)) }
    #expect(discs.count > 5 && discs.count < 60)
    for (index, disc) in discs.enumerated() {
      #expect(!discs[(index + 1)...].contains { $0.overlaps(disc) })
    }
  }

  @Test(
    "the scale bar is 1, 2 or 5 times a power of ten, and fits",
    arguments: [0.0001, 0.003, 0.01, 0.4, 3.0, 40.0])
  func scale(_ degrees: Double) {
    let end = Coordinate(latitude: 47 + degrees, longitude: 10)
    let map = RouteMap(picture([Self.line[0], end], turns: []))
    let pixels = map.scaleMetres / map.metresPerPixel
    #expect(pixels <= 180 && pixels > 70)
    let digits = "\(Int(map.scaleMetres))"
    #expect("125".contains(digits.prefix(1)) && digits.dropFirst().allSatisfy { $0 == "0" })
  }

  @Test("a long text is wrapped, and cut after three lines")
  func wrapping() {
    #expect(StepList.wrapped("Turn left onto Weg", 10) == ["Turn left", "onto Weg"])
    #expect(StepList.wrapped("abcdefghijkl", 5) == ["abcde", "fghij", "kl"])
    #expect(StepList.wrapped("a b c d", 1) == ["a", "b", "c …"])
    #expect(StepList.wrapped("", 5) == [""])
  }
}
