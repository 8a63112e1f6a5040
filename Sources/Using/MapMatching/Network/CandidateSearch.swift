// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A position on an edge that may explain an observation.
struct Candidate {
  var edge: Int32
  /// Metres from the beginning of the edge.
  var along: Float
  /// Metres from the observation.
  var distance: Float
}

/// Finds the candidates of observations.
final class CandidateSearch {
  private let network: MatchingNetwork
  private let most: Int
  /// The number of the search that looked at an edge last.
  private var stamps: [UInt32]
  private var stamp: UInt32 = 0

  init(_ network: MatchingNetwork, most: Int) {
    self.network = network
    self.most = most
    stamps = Array(repeating: 0, count: network.roads.edges.count)
  }

  /// The positions within a radius, nearest first: the nearest one of each edge, and further ones
  /// if the edge comes near again after at least `apartMetres`.
  func candidates(near point: Coordinate, radiusMetres: Double, apartMetres: Float) -> [Candidate] {
    var found: [Candidate] = []
    let plane = LocalPlane(point)
    let square = radiusMetres * radiusMetres
    forEachEdge(near: point, radiusMetres: radiusMetres) { edge in
      // The edge of a barrier has no extent.
      guard network.lines.length(edge) > 0 else { return }
      let first = found.count
      network.lines.forEachNearest(edge, plane, within: square) { along, squared in
        let distance = Float(squared.squareRoot())
        if found.count > first, along - found[found.count - 1].along < apartMetres {
          guard distance < found[found.count - 1].distance else { return }
          found.removeLast()
        }
        found.append(Candidate(edge: edge, along: along, distance: distance))
      }
    }
    found.sort { ($0.distance, $0.edge, $0.along) < ($1.distance, $1.edge, $1.along) }
    if found.count > most { found.removeSubrange(most...) }
    return found
  }

  /// The distance of the nearest edge within a radius; nil if there is none.
  func nearestMetres(to point: Coordinate, radiusMetres: Double) -> Double? {
    let plane = LocalPlane(point)
    var best = radiusMetres * radiusMetres
    var isFound = false
    forEachEdge(near: point, radiusMetres: radiusMetres) { edge in
      guard network.lines.length(edge) > 0 else { return }
      network.lines.forEachNearest(edge, plane, within: best) { _, squared in
        best = min(best, squared)
        isFound = true
      }
    }
    return isFound ? best.squareRoot() : nil
  }

  private func forEachEdge(
    near point: Coordinate, radiusMetres: Double, _ body: (Int32) -> Void
  ) {
    stamp &+= 1
    if stamp == 0 {
      for index in stamps.indices { stamps[index] = 0 }
      stamp = 1
    }
    network.roads.forEachEdge(near: point, radiusMetres: radiusMetres) { edge in
      guard stamps[edge] != stamp else { return }
      stamps[edge] = stamp
      body(Int32(edge))
    }
  }
}
