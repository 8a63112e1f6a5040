// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules

/// A slope that a route warns of.
package enum SteepSlope {
  /// Steeper than this, in percent, up or down, is said.
  package static let noticePercent = 50.0
  /// Steeper than this needs care.
  package static let cautionPercent = 80.0
  /// Less than this many metres are not a stretch: elevations are not as exact.
  package static let leastMetres = 30.0
}

extension RoutingView {
  /// A route with the times of the profile and its warnings.
  func finished(_ route: ComputedRoute, mode: RoutingMode) throws(RoutingError) -> ComputedRoute {
    var route = route.timed(by: try formula(mode: mode))
    route.warnings = try warnings(on: route, mode: mode)
    let regions = try regions(ofEdges: route.edges.map(\.id))
    route.regions = regions.regions
    route.warnings = (route.warnings + route.seams(regions)).merged()
    route.origin = RouteOrigin(store: database, profile: profile)
    return route
  }

  /// The warnings of a route, in the order of travel.
  func warnings(on route: ComputedRoute, mode: RoutingMode) throws(RoutingError) -> [RouteWarning] {
    var warnings: [RouteWarning] = []
    var steep: [RouteWarning] = []
    var travelled = 0.0
    var passed = 0
    for (index, found) in try hazards(ofEdges: route.edges, mode: mode) {
      while passed < index {
        travelled += route.edges[passed].distance
        passed += 1
      }
      let edge = route.edges[index]
      guard edge.distance > 0 || edge.isBarrier else { continue }
      let place = EdgeOnRoute(edge, at: travelled)
      for hazard in found.way ?? (edge.isBarrier ? [] : Hazard.all(edge.knownTags, of: .way)) {
        warnings.append(place.warning(hazard, edge.object))
      }
      // The rows of its ends are those of its neighbours, too.
      if edge.isBarrier { continue }
      for range in found.ranges {
        for hazard in range.hazards {
          if let warning = place.warning(hazard, range) { warnings.append(warning) }
        }
      }
      // Steps are as steep as they are, and climbing has warnings of its own.
      guard found.slopePercent > SteepSlope.noticePercent,
        !EdgeTraits.isSteps(highway: edge.highwayType)
      else { continue }
      if let climb = try elevations(ofEdge: edge.id) { place.addSteep(climb, to: &steep) }
    }
    return (warnings + steep.filter { $0.toMetres - $0.fromMetres >= SteepSlope.leastMetres })
      .merged()
  }
}

extension ComputedRoute {
  /// A warning wherever the route comes from the data of one date into that of another: what has
  /// changed meanwhile may be missing there, or lead nowhere.
  fileprivate func seams(_ regions: RegionsOfEdges) -> [RouteWarning] {
    guard Set(regions.regions.map(\.dataDate)).count > 1 else { return [] }
    var warnings: [RouteWarning] = []
    var metres = edges.first?.distance ?? 0
    for index in edges.indices.dropFirst() {
      let sides = [index - 1, index].map { regions.regions[regions.ofEdges[$0]] }
      if sides[0].dataDate != sides[1].dataDate {
        let names = sides.map {
          "\($0.title ?? "one region") (\($0.dataDate ?? "of unknown date"))"
        }
        warnings.append(
          RouteWarning(
            kind: .mixedData, severity: .notice, fromMetres: metres, toMetres: metres, osm: nil,
            tag: nil, text: "map data of different dates: \(names[0]) and \(names[1])"))
      }
      metres += edges[index].distance
    }
    return warnings
  }
}

extension RoutingEdge {
  /// The object of OpenStreetMap that has its tags, such as `way/123`; nil where that is unknown.
  fileprivate var object: String? {
    isBarrier
      ? "node/\(RoutingNode.openStreetMapID(fromNode))" : osmWayID.map { "way/\($0)" }
  }

  /// The tags of its way that the core columns have.
  fileprivate var knownTags: TagList {
    var tags: [String: String] = [:]
    tags["highway"] = highwayType
    tags["sac_scale"] = sacScale
    tags["trail_visibility"] = trailVisibility
    return TagList(tags)
  }
}

/// Where an edge, or a part of one, lies on a route.
private struct EdgeOnRoute {
  private let travelled: Double
  private let length: Double
  private let isReversed: Bool
  /// Metres of the whole edge, and where the part begins, in the direction of travel.
  private let whole: Double
  private let start: Double

  init(_ edge: RoutingEdge, at travelled: Double) {
    self.travelled = travelled
    length = edge.distance
    isReversed = edge.isReversed
    whole = edge.part?.wholeDistance ?? edge.distance
    start = whole * (edge.part?.start ?? 0)
  }

  func warning(_ hazard: Hazard, _ object: String?) -> RouteWarning {
    RouteWarning(
      kind: hazard.kind, severity: hazard.severity, fromMetres: travelled,
      toMetres: travelled + length, osm: object, tag: hazard.tag, text: hazard.text)
  }

  /// The warning of a range of the edge; nil where the route does not touch it.
  func warning(_ hazard: Hazard, _ range: HazardsOfEdge.Range) -> RouteWarning? {
    guard let stretch = stretch(range.start, range.end) else { return nil }
    var warning = warning(hazard, range.object)
    (warning.fromMetres, warning.toMetres) = stretch
    return warning
  }

  /// Metres along the route between two positions of the edge in the direction of its row; nil where
  /// the route does not touch them.
  private func stretch(_ from: Double, _ to: Double) -> (from: Double, to: Double)? {
    let (first, last) = isReversed ? (whole - to, whole - from) : (from, to)
    // Positions are rounded to a decimetre, and so may lie beyond the end.
    let slack = 1 / EdgeHazard.unitsPerMetre
    guard first <= start + length + slack, last >= start - slack else { return nil }
    let low = min(max(first - start, 0), length)
    return (travelled + low, travelled + max(low, min(last - start, length)))
  }

  /// Adds the steep stretches of the edge, joined with one that ends where it begins.
  func addSteep(_ climb: EdgeElevation, to steep: inout [RouteWarning]) {
    let heights = isReversed ? climb.elevations.reversed() : climb.elevations
    let step = whole / Double(heights.count - 1)
    guard step > 0 else { return }
    for index in 1..<heights.count {
      let slope = Double(heights[index] - heights[index - 1]) / step * 100
      guard abs(slope) > SteepSlope.noticePercent else { continue }
      let low = max(Double(index - 1) * step - start, 0)
      let high = min(Double(index) * step - start, length)
      guard low < high else { continue }
      let severity: HazardSeverity = abs(slope) > SteepSlope.cautionPercent ? .caution : .notice
      let warning = RouteWarning(
        kind: .steep, severity: severity, fromMetres: travelled + low, toMetres: travelled + high,
        osm: nil, tag: nil, text: slope > 0 ? "steep ascent" : "steep descent")
      if let last = steep.last, last.text == warning.text,
        warning.fromMetres - last.toMetres < 0.01
      {
        steep[steep.count - 1].toMetres = warning.toMetres
        steep[steep.count - 1].severity = max(last.severity, severity)
      } else {
        steep.append(warning)
      }
    }
  }
}
