// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase

/// A route as text: totals, then one line per stretch with the same name and kind of way.
struct RouteSheet {
  private struct Stretch {
    var name: String
    var kind: String
    var startMetres: Double
    var startElevation: Double?
    var metres = 0.0
    /// Nil until the climb of an edge is known.
    var gain: Double?
    var loss: Double?
  }

  private let found: FoundRoute
  private let language: Language
  private var route: ComputedRoute { found.route }

  init(_ found: FoundRoute, in language: Language = .english) {
    (self.found, self.language) = (found, language)
  }

  func text(columns: Int?) -> String {
    let length = language.length(kilometresOf: route.totalDistance)
    let climb = climbText(route, in: language)
    let head = "\(length), \(climb), \(durationText(route, in: language))"
    let totals = ([head] + found.lines(in: language).map(language.capitalized))
      .chained(by: "\n")
    guard !route.edges.isEmpty else { return totals + "\n\n" + arrival }
    let rows = stretches().map { stretch in
      [
        language.length(kilometresOf: stretch.startMetres),
        stretch.startElevation.map { language.length(metres: $0) } ?? "",
        stretch.name, stretch.kind, language.length(kilometresOf: stretch.metres),
        stretch.gain.map { "+" + grouped(Int($0.rounded())) } ?? "–",
        stretch.loss.map { "\u{2212}" + grouped(Int($0.rounded())) } ?? "–",
      ]
    }
    let columnNames: [Phrase] = [
      .columnAt, .columnElevation, .columnAlong, .columnKind, .columnLength, .columnUp,
      .columnDown,
    ]
    let header = columnNames.map { language.text($0) }
    let table = TextTable(
      [.right, .right, .left, .left, .right, .right, .right], indent: 2, rows: [header] + rows)
    let along = found.along.map { "\n" + $0.text(columns: columns, in: language) } ?? ""
    return totals + "\n\n" + table.fitting(columns).text + arrival + along
  }

  private var arrival: String {
    guard let end = route.nodes.last else { return "" }
    let coordinate = "\(decimal(end.latitude, 5)),\(decimal(end.longitude, 5))"
    let name = found.names.last.flatMap { $0 }.map { printable($0) }
    return language.sentence(.arrivalAt, ["place": name ?? coordinate])
      + (end.elevation.map { ", \(language.length(metres: $0))" } ?? "") + "\n"
  }

  private func stretches() -> [Stretch] {
    var stretches: [Stretch] = []
    var travelled = 0.0
    // The edges of barriers have no length and get no line.
    for (index, (edge, node)) in zip(route.edges, route.nodes).enumerated()
    where edge.distance > 0 {
      let name = edge.name.map { printable($0) } ?? language.text(.unnamed)
      let kind = printable(
        [edge.highwayType, edge.sacScale].compactMap { $0 }.chained(by: ", "))
      if stretches.last?.name != name || stretches.last?.kind != kind {
        stretches.append(
          Stretch(
            name: name, kind: kind, startMetres: travelled, startElevation: node.elevation))
      }
      let last = stretches.count - 1
      stretches[last].metres += edge.distance
      if route.isClimbKnown(ofEdge: index) {
        stretches[last].gain = (stretches[last].gain ?? 0) + edge.elevationGain
        stretches[last].loss = (stretches[last].loss ?? 0) + edge.elevationLoss
      }
      travelled += edge.distance
    }
    return stretches
  }
}
