// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CairnRouting

/// Replaces a piece of a path by a straight line across country.
package struct CountryCuts {
  private static let chordMetres = 150.0...600.0
  /// Points of the cut this far from both of its ends …
  private static let insideMetres = 90.0
  /// … are at least so far from every edge.
  private static let clearMetres = 60.0
  /// Points this far from an end are at least so far from every edge: it leaves the way at an angle.
  private static let nearMetres = 60.0
  private static let nearClearMetres = 40.0
  private static let attempts = 2000

  private let graph: ProfileGraph

  package init(_ graph: ProfileGraph) { self.graph = graph }

  /// The path with one cut; nil where none is found.
  package func cut(_ path: WalkedPath, seed: UInt64) -> WalkedPath? {
    guard path.length > 1000 else { return nil }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Self.attempts {
      let start = Double.random(in: 200...path.length - 400, using: &random)
      let end = start + Double.random(in: 150...2500, using: &random)
      guard end < path.length - 200 else { continue }
      let (one, other) = (path.point(at: start), path.point(at: end))
      let chord = segmentMetres(one, other)
      guard Self.chordMetres.contains(chord), isClear(one, other, chord) else { continue }
      return path.cut(from: start, to: end)
    }
    return nil
  }

  private func isClear(_ one: Coordinate, _ other: Coordinate, _ chord: Double) -> Bool {
    for along in stride(from: Self.nearMetres, through: chord - Self.nearMetres, by: 10) {
      let fromEnd = min(along, chord - along)
      let clear = fromEnd < Self.insideMetres ? Self.nearClearMetres : Self.clearMetres
      let point = interpolated(one, other, along / chord)
      if graph.hasEdge(near: point, radiusMetres: clear) { return false }
    }
    return true
  }
}

extension ProfileGraph {
  /// Whether any edge, open or closed, comes within a radius of a point.
  fileprivate func hasEdge(near point: Coordinate, radiusMetres: Double) -> Bool {
    var isFound = false
    let projection = LineProjection(point)
    var line: [Coordinate] = []
    network.forEachEdge(near: point, radiusMetres: radiusMetres) { edge in
      guard !isFound else { return }
      line.removeAll(keepingCapacity: true)
      network.appendLine(of: edge, to: &line)
      isFound = projection.nearest(on: line).map { $0.distanceMetres <= radiusMetres } ?? false
    }
    return isFound
  }
}
