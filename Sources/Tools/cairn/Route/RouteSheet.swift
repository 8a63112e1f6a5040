// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Routing
import RoutingDatabase

/// A route as text: totals, then one line per stretch with the same name and kind of way.
struct RouteSheet {
  private struct Stretch {
    var name: String
    var kind: String
    var startMetres: Double
    var startElevation: Double?
    var metres = 0.0
    var gain = 0.0
    var loss = 0.0
  }

  private let route: ComputedRoute

  init(_ route: ComputedRoute) { self.route = route }

  var text: String {
    let isClimbKnown = route.nodes.contains { $0.elevation != nil }
    let climb =
      isClimbKnown
      ? "\(metres(route.elevationGain)) up, \(metres(route.elevationLoss)) down" : "climb unknown"
    let totals =
      "\(kilometres(route.totalDistance)), \(climb), \(duration(route.estimatedDuration))"
    guard !route.edges.isEmpty else { return totals + "\n\n" + arrival }
    let rows = stretches().map { stretch in
      [
        kilometres(stretch.startMetres), stretch.startElevation.map { metres($0) } ?? "",
        stretch.name, stretch.kind, kilometres(stretch.metres),
        "+\(Int(stretch.gain.rounded()))", "-\(Int(stretch.loss.rounded()))",
      ]
    }
    let header = ["at", "elevation", "along", "kind", "length", "up", "down"]
    let table = TextTable(
      [.right, .right, .left, .left, .right, .right, .right], indent: 2, rows: [header] + rows)
    return totals + "\n\n" + table.text + arrival
  }

  private var arrival: String {
    guard let end = route.nodes.last else { return "" }
    let coordinate = "\(decimal(end.latitude, 5)),\(decimal(end.longitude, 5))"
    return "Arrival at \(coordinate)" + (end.elevation.map { ", \(metres($0))" } ?? "") + "\n"
  }

  private func stretches() -> [Stretch] {
    var stretches: [Stretch] = []
    var travelled = 0.0
    // The edges of barriers have no length and get no line.
    for (edge, node) in zip(route.edges, route.nodes) where edge.distance > 0 {
      let name = edge.name.map { printable($0) } ?? "(unnamed)"
      let kind = printable(
        [edge.highwayType, edge.sacScale].compactMap { $0 }.joined(separator: ", "))
      if stretches.last?.name != name || stretches.last?.kind != kind {
        stretches.append(
          Stretch(
            name: name, kind: kind, startMetres: travelled, startElevation: node.elevation))
      }
      let last = stretches.count - 1
      stretches[last].metres += edge.distance
      stretches[last].gain += edge.elevationGain
      stretches[last].loss += edge.elevationLoss
      travelled += edge.distance
    }
    return stretches
  }
}
