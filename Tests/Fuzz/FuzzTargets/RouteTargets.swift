// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPX
import CairnGPXReading
import CairnGuidance
import Charts
import FoundationEssentials
import GPXInput
import Reports

/// Routes from elsewhere: GPX files and planned routes.
let routeTargets: [FuzzTarget] = [
  FuzzTarget("gpx") { bytes in
    // The reader of apps throws nothing but its own errors.
    do throws(GPXError) { _ = try GPXFile(data: Data(bytes)) } catch {}
    try withFile(bytes, named: "tour.gpx") { path in
      let read = try expectTypedError { try GPXFile(path) { _ in } }
      guard let file = read else { return }
      try expectSameWhenReadAgain(file, path)
      for line in file.tracks + file.routes {
        let points = line.points.map {
          PlannedRoute.LinePoint(coordinate: $0.coordinate, elevation: $0.elevation)
        }
        let route = PlannedRoute(line: points, name: line.name ?? "", mode: .hiking)
        try expect((route == nil) == points.isEmpty, "a line of \(points.count) points")
        if let route { try expectSameWhenReadAgain(route) }
      }
    }
  },
  FuzzTarget("planned") { bytes in
    let route: PlannedRoute
    do { route = try PlannedRoute(json: Data(bytes)) } catch is DecodingError { return }
    try expectSameWhenReadAgain(route)
    let json = try route.json()
    try expect(try PlannedRoute(json: json).json() == json, "written twice, the file differs")
    try expectDrawn(route)
  },
]

/// A comparison becomes a page whatever its numbers and names are.
let reportTargets: [FuzzTarget] = [
  FuzzTarget("comparison") { bytes in
    let read = try expectTypedError { try ComparisonPage.read(Array(bytes), "comparison.json") }
    guard let comparison = read else { return }
    let page = try ComparisonPage(comparison, ground: MapGround(), leaflet: nil).page().html
    try expect(page.hasSuffix("</html>\n"), "a page that does not end")
  }
]

/// A route can be drawn whatever its numbers are.
private func expectDrawn(_ route: PlannedRoute) throws {
  let steps = route.turnInstructions.map {
    RoutePicture.Step(
      kind: $0.direction == .arrive ? .end : .turn, coordinate: $0.coordinate,
      position: kilometres($0.cumulativeDistance), text: $0.description)
  }
  let chart = ElevationChart(
    points: (route.elevationProfile ?? []).map { ($0.distance, $0.elevation) }, title: route.name,
    totals: .init(
      distanceMetres: route.totalDistance, ascentMetres: route.elevationGain,
      descentMetres: route.elevationLoss, seconds: route.estimatedDuration),
    viaMetres: route.viaDistances ?? [])
  let picture = RoutePicture(
    line: route.coordinates, via: route.viaPoints, steps: steps, chart: chart)
  try expect(picture.svg.hasSuffix("</svg>\n"), "the drawing has no end")
}

private func expectSameWhenReadAgain(_ route: PlannedRoute) throws {
  let again = try PlannedRoute(json: try route.json())
  // The time of creation is kept in whole seconds.
  var expected = route
  expected.createdAt = again.createdAt
  try expect(again == expected, "written and read again, the route differs")
}

/// Writing leaves out what the schema has no room for, so the second time nothing changes any more.
private func expectSameWhenReadAgain(_ file: GPXFile, _ path: String) throws {
  let text = GPXExporter.text(file, creator: "fuzz")
  try Data(text.utf8).write(to: URL(filePath: path))
  let again = try GPXFile(path) { _ in }
  let second = GPXExporter.text(again, creator: "fuzz")
  try expect(second == text, "written and read again, the file differs")
}
