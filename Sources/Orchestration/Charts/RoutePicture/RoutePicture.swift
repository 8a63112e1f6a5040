// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// A picture of a route: its line with start, end, via points and numbered turns, its elevation
/// profile, and the instructions.
///
/// North is up, and a bar gives the scale. The same route gives the same bytes.
package struct RoutePicture: Sendable {
  /// An instruction at a point of the route.
  package struct Step: Sendable {
    /// Whether it is the start, the end, or a turn; turns are numbered.
    package enum Kind: Sendable { case start, turn, end }
    package var kind: Kind
    package var coordinate: Coordinate
    /// Its position on the route: `1.20 km`.
    package var position: String
    package var text: String

    package init(kind: Kind, coordinate: Coordinate, position: String, text: String) {
      self.kind = kind
      self.coordinate = coordinate
      self.position = position
      self.text = text
    }
  }

  /// A place with its name.
  package struct Name: Sendable {
    package var text: String
    package var coordinate: Coordinate
    /// Whether it is prominent for walkers: a hut, a settlement.
    package var isStrong: Bool

    package init(text: String, coordinate: Coordinate, isStrong: Bool) {
      self.text = text
      self.coordinate = coordinate
      self.isStrong = isStrong
    }
  }

  /// The line, in the order of travel.
  package var line: [Coordinate]
  /// The via points as they were requested.
  package var via: [Coordinate]
  /// The instructions, in the order of travel.
  package var steps: [Step]
  /// The elevation profile with the title and the totals of the route.
  package var chart: ElevationChart
  /// Places around it, the most important first.
  package var names: [Name] = []
  /// Metres above sea level at a point, for contours; nil if unknown.
  package var terrain: (@Sendable (Coordinate) -> Float?)?
  /// The credits to show with the picture, such as licences.
  package var credits: String?

  package init(line: [Coordinate], via: [Coordinate], steps: [Step], chart: ElevationChart) {
    self.line = line
    self.via = via
    self.steps = steps
    self.chart = chart
  }

  private typealias Ink = ElevationDrawing.Ink

  /// The space between the map and the chart, and between that and the steps.
  private static let gap = 30.0

  /// The picture as a standalone SVG 1.1 file, 900 wide, without scripts, ids or references to other
  /// files.
  package var svg: String {
    let profile = ElevationDrawing(chart)
    let map = RouteMap(self)
    let hasChart = profile.elevations != nil && profile.length > 0
    let chartTop = map.bottom + Self.gap - Double(ElevationDrawing.Plot.top)
    let list = StepList(
      steps, top: hasChart ? chartTop + ElevationChart.height + 10 : map.bottom + Self.gap)
    return SVGText.picture(
      width: ElevationChart.width, height: list.bottom, title: chart.title ?? "Route",
      description: description(hasChart: hasChart)
    ) { drawing in
      profile.addHead(to: &drawing)
      map.add(to: &drawing)
      if hasChart {
        drawing.group("g", ["transform": "translate(0 \(pixels(chartTop)))"]) {
          profile.addChart(to: &$0)
        }
      }
      list.add(to: &drawing)
      if let credits {
        drawing.add(
          "text",
          [
            "x": pixels(RouteMap.Frame.right), "y": pixels(map.bottom + 13), "text-anchor": "end",
            "font-size": "9.5", "fill": ElevationDrawing.Ink.faintText,
          ], text: credits)
      }
    }
  }

  private func description(hasChart: Bool) -> String {
    let turns = steps.count { $0.kind == .turn }
    let map = "Map of a route with \(turns) \(turns == 1 ? "turn" : "turns")"
    return hasChart ? "\(map). \(chart.description)" : "\(map); its elevations are unknown."
  }
}
