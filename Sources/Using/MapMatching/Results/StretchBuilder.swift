// SPDX-License-Identifier: Apache-2.0
import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a stretch of a path: its edges, its line with times, and where its fixes lie on it.
struct StretchBuilder {
  /// A shorter part of an edge at an end of the stretch is left out: it is less than geometries are
  /// precise to.
  private static let shortestEndMetres: Float = 1

  private let network: MatchingNetwork
  private let parts: [PathPart]
  private let anchors: [PathBuilder.Anchor]
  private let observations: [Observation]

  init(_ network: MatchingNetwork, _ path: PathBuilder, _ observations: [Observation]) {
    self.network = network
    self.observations = observations
    anchors = path.anchors
    var parts = path.parts.filter { $0.length > 0 }
    if parts.isEmpty, let only = path.parts.first { parts = [only] }
    while parts.count > 1, parts[parts.count - 1].length < Self.shortestEndMetres {
      parts.removeLast()
    }
    if let first = parts.firstIndex(where: { $0.length >= Self.shortestEndMetres }) {
      parts.removeSubrange(..<first)
    }
    self.parts = parts
  }

  var stretch: MatchedStretch {
    let first = observations[anchors[0].observation].first
    let last = observations[anchors[anchors.count - 1].observation].last
    return MatchedStretch(edges: parts.map(edge), line: line(), fixes: first...last)
  }

  private func edge(_ part: PathPart) -> MatchedEdge {
    let index = Int(part.edge)
    let texts = network.roads.texts(ofEdge: index)
    let length = Double(network.lines.length(part.edge))
    func share(_ along: Float) -> Double { length > 0 ? Double(along) / length : 0 }
    let (from, to) = (share(part.from), share(part.to))
    return MatchedEdge(
      edge: network.roads.edges[index].id, osmWayID: texts.osmWayID, name: texts.name,
      highwayType: texts.highway, isReversed: part.isReversed, fromShare: from, toShare: to,
      lengthMetres: abs(to - from) * network.roads.edges[index].distance)
  }

  private func line() -> [TimedPoint] {
    var line: [TimedPoint] = []
    var clock = PathClock(anchors, observations)
    func add(_ point: Coordinate, _ metres: Float) {
      guard line.last?.coordinate != point else { return }
      line.append(TimedPoint(coordinate: point, time: clock.time(at: metres)))
    }
    for part in parts {
      add(network.lines.point(part.edge, at: part.from), part.start)
      network.lines.forEachPoint(part.edge, from: part.from, to: part.to) { point, along in
        add(point, part.start + abs(along - part.from))
      }
      add(network.lines.point(part.edge, at: part.to), part.end)
    }
    return line
  }

  /// Notes for each fix of the stretch where it lies: at the nearest position between the observations
  /// before and after, and never behind the fix before.
  func placeFixes(_ fixes: [MatchingFix], _ places: inout [MatchedFix?]) {
    var reached = parts[0].start
    var first = 0
    for (number, anchor) in anchors.enumerated() {
      let observation = observations[anchor.observation]
      let before = number > 0 ? anchors[number - 1].metres : anchor.metres
      let after = number + 1 < anchors.count ? anchors[number + 1].metres : anchor.metres
      while first + 1 < parts.count, parts[first].end <= before { first += 1 }
      for index in observation.first...observation.last where fixes[index].coordinate.isValid {
        let (low, high) =
          observation.isRest
          ? (anchor.metres, anchor.metres) : (max(reached, before), max(reached, after))
        let place = nearest(fixes[index].coordinate, from: low, to: high, first)
        places[index] = place.fix
        reached = max(reached, place.metres)
      }
    }
  }

  /// The nearest position between two distances along the stretch.
  private func nearest(_ point: Coordinate, from low: Float, to high: Float, _ first: Int) -> (
    fix: MatchedFix, metres: Float
  ) {
    let plane = LocalPlane(point)
    var best = (part: parts[first], along: parts[first].from, square: Double.infinity)
    for part in parts[first...] {
      guard part.start <= high || best.square == .infinity else { break }
      guard part.end >= low || part.end == parts[parts.count - 1].end else { continue }
      let sign: Float = part.isReversed ? -1 : 1
      let from = part.from + sign * min(max(low - part.start, 0), part.length)
      let to = part.from + sign * min(max(high - part.start, 0), part.length)
      let found = network.lines.nearest(part.edge, plane, from: from, to: to)
      if found.squaredDistance < best.square { best = (part, found.along, found.squaredDistance) }
    }
    let length = network.lines.length(best.part.edge)
    let fix = MatchedFix(
      edge: network.roads.edges[Int(best.part.edge)].id,
      share: length > 0 ? Double(best.along / length) : 0,
      coordinate: network.lines.point(best.part.edge, at: best.along),
      distanceMetres: best.square.squareRoot())
    return (fix, best.part.start + abs(best.along - best.part.from))
  }
}

/// The times along a stretch, between those of its observations; asked in the order of distances.
private struct PathClock {
  private let anchors: [PathBuilder.Anchor]
  private let observations: [Observation]
  /// The last anchor that is not beyond the position.
  private var index = 0

  init(_ anchors: [PathBuilder.Anchor], _ observations: [Observation]) {
    self.anchors = anchors
    self.observations = observations
  }

  mutating func time(at metres: Float) -> Date? {
    while index + 1 < anchors.count, anchors[index + 1].metres <= metres { index += 1 }
    let here = observations[anchors[index].observation]
    // One leaves a rest at its end, and comes to it at its beginning.
    let isAtRest = here.isRest && metres <= anchors[index].metres
    let start = isAtRest ? here.start : here.isRest ? here.end : here.middle
    guard index + 1 < anchors.count, !isAtRest else { return date(start) }
    let next = observations[anchors[index + 1].observation]
    let end = next.isRest ? next.start : next.middle
    let span = anchors[index + 1].metres - anchors[index].metres
    let share = span > 0 ? Double((metres - anchors[index].metres) / span) : 0
    // Times that run backwards are not interpolated.
    return date(end >= start ? start + min(max(share, 0), 1) * (end - start) : start)
  }

  private func date(_ seconds: Double) -> Date? {
    seconds.isNaN ? nil : Date(timeIntervalSince1970: seconds)
  }
}
