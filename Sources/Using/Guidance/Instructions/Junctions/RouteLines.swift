// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing

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
    var line: [Coordinate] = lines[index].reversed()
    var edge = index
    while edge > 0, !junctions[edge - 1].isChoice, line.count < Self.enoughPoints {
      edge -= 1
      line += lines[edge].reversed()
    }
    let back = BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres)
    return BearingCalculator.normalized((back ?? 180) + 180)
  }

  /// The bearing at the beginning of the edge that leads away from the junction before it.
  func leaving(_ index: Int, _ junctions: [Junction], _ config: TurnInstructionConfig) -> Double {
    guard lines.indices.contains(index) else { return 0 }
    var line = lines[index]
    var edge = index
    while edge < junctions.count, !junctions[edge].isChoice, line.count < Self.enoughPoints {
      edge += 1
      line += lines[edge]
    }
    return BearingCalculator.bearing(along: line, metres: config.bearingDistanceMetres) ?? 0
  }

  /// Points lie metres apart, so this many reach further than any bearing is measured over.
  private static let enoughPoints = 200
}
