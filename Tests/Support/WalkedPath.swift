// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnMapMatching
import CairnRouting

/// What somebody walks: parts of edges, and perhaps a cut across country in between.
package struct WalkedPath: Sendable {
  /// A part of an edge in the direction of travel.
  package struct Part: Sendable {
    /// The id of the edge.
    package var edge: Int64
    /// Whether it is walked against its row.
    package var isReversed: Bool
    /// Metres from the beginning of the edge to where the part begins, less than `to`, whatever the
    /// direction.
    package var from: Double
    /// … and to where it ends.
    package var to: Double
  }

  /// The line, with the cut.
  package var line: [Coordinate]
  /// Metres along the line to each of its points.
  package var metres: [Double]
  /// What lies on the network.
  package var parts: [Part]
  /// The metres along the line between which it is off the network.
  package var cut: ClosedRange<Double>?

  /// The length in metres.
  package var length: Double { metres.last ?? 0 }

  /// The path of a route.
  package init(_ route: ComputedRoute) {
    self.init(line: route.coordinates, parts: route.edges.map { Part($0) })
  }

  private init(line: [Coordinate], parts: [Part]) {
    self.line = line
    self.parts = parts
    metres = [0]
    for (one, other) in zip(line, line.dropFirst()) {
      metres.append(metres[metres.count - 1] + segmentMetres(one, other))
    }
  }

  /// The point at a distance along the line.
  package func point(at along: Double) -> Coordinate {
    guard along > 0, line.count > 1 else { return line[0] }
    let next = min(max(metres.partitioningIndex { $0 > along }, 1), line.count - 1)
    let span = metres[next] - metres[next - 1]
    let share = span > 0 ? min((along - metres[next - 1]) / span, 1) : 1
    return interpolated(line[next - 1], line[next], share)
  }

  /// The path with the way between two distances replaced by a straight line.
  package func cut(from start: Double, to end: Double) -> WalkedPath {
    let head = zip(line, metres).filter { $0.1 < start }.map(\.0) + [point(at: start)]
    let tail = [point(at: end)] + zip(line, metres).filter { $0.1 > end }.map(\.0)
    // The parts are measured by the lengths of their rows, the line by its segments.
    let scale = parts.reduce(0) { $0 + $1.to - $1.from } / max(length, 1)
    var path = WalkedPath(
      line: head + tail,
      parts: Self.parts(parts, 0...start * scale) + Self.parts(parts, end * scale...Double.infinity)
    )
    let startOfCut = path.metres[head.count - 1]
    path.cut = startOfCut...path.metres[head.count]
    return path
  }

  private static func parts(_ parts: [Part], _ range: ClosedRange<Double>) -> [Part] {
    var along = 0.0
    return parts.compactMap { part in
      let length = part.to - part.from
      let low = max(range.lowerBound - along, 0)
      let high = min(range.upperBound - along, length)
      along += length
      guard high > low else { return nil }
      var piece = part
      (piece.from, piece.to) =
        part.isReversed ? (part.to - high, part.to - low) : (part.from + low, part.from + high)
      return piece
    }
  }
}

extension WalkedPath.Part {
  /// An edge of a route, or the part of it that the route uses.
  init(_ edge: RoutingEdge) {
    let whole = edge.part?.wholeDistance ?? edge.distance
    let (start, end) = (edge.part?.start ?? 0, edge.part?.end ?? 1)
    self.init(
      edge: edge.id, isReversed: edge.isReversed,
      from: (edge.isReversed ? 1 - end : start) * whole,
      to: (edge.isReversed ? 1 - start : end) * whole)
  }

  /// What a matched track says.
  init(_ edge: MatchedEdge) {
    let span = abs(edge.toShare - edge.fromShare)
    let whole = span > 0 ? edge.lengthMetres / span : 0
    self.init(
      edge: edge.edge, isReversed: edge.isReversed,
      from: min(edge.fromShare, edge.toShare) * whole,
      to: max(edge.fromShare, edge.toShare) * whole)
  }
}
