// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Places the fixes of a stretch on it: each at the nearest position between the observations
/// before and after, and never behind the previous fix.
struct FixPlacement {
  private let network: MatchingNetwork
  private let parts: [PathPart]
  private let anchors: [PathBuilder.Anchor]
  private let observations: [Observation]

  init(_ network: MatchingNetwork, _ path: PathBuilder, _ observations: [Observation]) {
    self.network = network
    self.observations = observations
    parts = path.parts
    anchors = path.anchors
  }

  func placed(_ track: [MatchingFix]) -> [StretchBuilder.PlacedFix] {
    var placed: [StretchBuilder.PlacedFix] = []
    var reached = parts[0].start
    var first = 0
    for (number, anchor) in anchors.enumerated() {
      let observation = observations[anchor.observation]
      let before = number > 0 ? anchors[number - 1].metres : anchor.metres
      let after = number + 1 < anchors.count ? anchors[number + 1].metres : anchor.metres
      while first + 1 < parts.count, parts[first].end <= before { first += 1 }
      for index in observation.first...observation.last where track[index].coordinate.isValid {
        let (low, high) =
          observation.isRest
          ? (anchor.metres, anchor.metres) : (max(reached, before), max(reached, after))
        let nearest = self.nearest(track[index].coordinate, from: low, to: high, first)
        placed.append(.init(index: index, metres: nearest.metres, matched: nearest.fix))
        reached = max(reached, nearest.metres)
      }
    }
    return placed
  }

  /// The nearest position between two distances along the stretch, starting at a given part.
  private func nearest(_ point: Coordinate, from low: Float, to high: Float, _ first: Int) -> (
    fix: MatchedFix, metres: Float
  ) {
    let plane = LocalPlane(point)
    var best = (part: parts[first], along: parts[first].from, square: Double.infinity)
    for index in first..<parts.count {
      let part = parts[index]
      guard part.start <= high || best.square == .infinity else { break }
      guard part.end >= low || index == parts.count - 1 else { continue }
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
