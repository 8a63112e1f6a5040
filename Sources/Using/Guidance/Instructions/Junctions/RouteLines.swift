// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The lines of a route's edges except barriers; edge `i` lies between junction
/// `i − 1` and junction `i`.
struct RouteLines {
  private var lines: [[Coordinate]] = []

  init(_ route: ComputedRoute) {
    for (index, edge) in route.edges.enumerated()
    where !edge.isBarrier && index + 1 < route.nodes.count {
      lines.append(
        [route.nodes[index].coordinate] + edge.geometry + [route.nodes[index + 1].coordinate])
    }
  }

  /// The bearing at the end of the edge that leads to a junction.
  func arriving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard lines.indices.contains(index) else { return 0 }
    if config.announcesEveryTurn { return Self.lastBearing(lines[index]) }
    var line: [Coordinate] = lines[index].reversed()
    var edge = index
    while edge > 0, !junctions[edge - 1].isChoice, line.count < Self.enoughPoints {
      edge -= 1
      line += lines[edge].reversed()
    }
    let back = BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres)
    return BearingCalculator.normalized((back ?? 180) + 180)
  }

  /// The bearing at the beginning of the edge after a junction.
  func leaving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard lines.indices.contains(index) else { return 0 }
    if config.announcesEveryTurn { return Self.firstBearing(lines[index]) }
    var line = lines[index]
    var edge = index
    while edge < junctions.count, !junctions[edge].isChoice, line.count < Self.enoughPoints {
      edge += 1
      line += lines[edge]
    }
    return BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres) ?? 0
  }

  /// The bearing of the last segment with a length; 0 if there is none.
  private static func lastBearing(_ line: [Coordinate]) -> Double {
    guard let end = line.last, let before = line.last(where: { $0 != end }) else { return 0 }
    return BearingCalculator.bearing(from: before, to: end)
  }

  /// The bearing of the first segment with a length; 0 if there is none.
  private static func firstBearing(_ line: [Coordinate]) -> Double {
    guard let start = line.first, let next = line.first(where: { $0 != start }) else { return 0 }
    return BearingCalculator.bearing(from: start, to: next)
  }

  /// Enough points, which lie metres apart, for any bearing.
  private static let enoughPoints = 200
}
