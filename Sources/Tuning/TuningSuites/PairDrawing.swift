// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Draws pairs of nodes from a network: equally many for each combination of a band of distance and
/// one of rise.
///
/// A start is any node; the destination is the node nearest to a point in a random direction at a
/// random distance within the band, so that in a large country most pairs are close together. Nodes
/// come from the network of the profile with which the database was built first, off its islands;
/// so the pairs depend on the database and the seed, and not on the candidates.
package struct PairDrawing {
  /// The number of consecutive points without a pair after which a combination is exhausted.
  private static let mostFailures = 2_000
  /// The greatest distance of a destination from its random point, in metres.
  private static let reachMetres = 400.0

  private let graph: ProfileGraph
  /// For each node whether routes lead to it and away from it, off the islands.
  private let isUsable: [Bool]
  private let nodes: [Int32]

  /// Draws from the network of a profile's graph.
  package init(_ graph: ProfileGraph) {
    self.graph = graph
    var isReached = [Bool](repeating: false, count: graph.network.nodeIDs.count)
    for arc in graph.outgoing.arcs { isReached[Int(arc.node)] = true }
    isUsable = isReached.enumerated().map { index, isReached in
      let node = Int32(index)
      return isReached && !graph.outgoing.range(node).isEmpty && !graph.isOnIsland(node)
    }
    nodes = zip(0..., isUsable).filter(\.1).map(\.0)
  }

  /// The trips, fewer than wanted if there are no more.
  package func trips(_ wanted: TuningSuite.DrawnPairs) -> [TuningSuite.Trip] {
    guard !nodes.isEmpty else { return [] }
    let distances = Self.bands(wanted.distanceBoundsMetres)
    let rises: [ClosedRange<Double>?] = wanted.riseBoundsMetres.map { Self.bands($0) } ?? [nil]
    let combinations = distances.flatMap { distance in rises.map { (distance, $0) } }
    var known: Set<UInt64> = []
    var trips: [TuningSuite.Trip] = []
    for (index, (distance, rise)) in combinations.enumerated() {
      // The first ones have one more if the count cannot be divided.
      let count = (wanted.count + combinations.count - 1 - index) / combinations.count
      var random = SplitMix64(seed: SplitMix64.mix(wanted.seed &+ 1) &+ UInt64(index))
      var (found, failures) = (0, 0)
      while found < count, failures < Self.mostFailures {
        guard let (start, end) = pair(distance, rise, &random),
          known.insert(UInt64(UInt32(start)) << 32 | UInt64(UInt32(end))).inserted
        else {
          failures += 1
          continue
        }
        (found, failures) = (found + 1, 0)
        let network = graph.network
        trips.append(
          .init(
            dataset: wanted.dataset,
            points: [network.coordinates[Int(start)], network.coordinates[Int(end)]],
            location: wanted.location))
      }
    }
    return trips
  }

  private static func bands(_ bounds: [Double]) -> [ClosedRange<Double>] {
    zip(bounds, bounds.dropFirst()).map { $0...$1 }
  }

  private func pair(
    _ distance: ClosedRange<Double>, _ rise: ClosedRange<Double>?, _ random: inout SplitMix64
  ) -> (Int32, Int32)? {
    let start = nodes[min(Int(random.nextShare() * Double(nodes.count)), nodes.count - 1)]
    let metres =
      distance.lowerBound + random.nextShare() * (distance.upperBound - distance.lowerBound)
    let bearing = random.nextShare() * 2 * .pi
    let origin = graph.network.coordinates[Int(start)]
    guard let target = Self.point(from: origin, metres: metres, bearing: bearing),
      let end = nearestNode(to: target), end != start,
      distance.contains(haversineDistance(origin, graph.network.coordinates[Int(end)]))
    else { return nil }
    if let rise {
      guard let from = graph.network.node(start).elevation,
        let to = graph.network.node(end).elevation, rise.contains(to - from)
      else { return nil }
    }
    return (start, end)
  }

  private static func point(from origin: Coordinate, metres: Double, bearing: Double)
    -> Coordinate?
  {
    let degrees = metres / (earthRadiusMetres * .pi / 180)
    let shrinking = max(longitudeShrinking(atLatitude: origin.latitude), 0.01)
    let point = Coordinate(
      latitude: origin.latitude + degrees * cos(bearing),
      longitude: origin.longitude + degrees * sin(bearing) / shrinking)
    return point.isValid ? point : nil
  }

  private func nearestNode(to point: Coordinate) -> Int32? {
    var best: (metres: Double, node: Int32)?
    let network = graph.network
    network.forEachEdge(near: point, radiusMetres: Self.reachMetres) { index in
      let edge = network.edges[index]
      for node in [edge.from, edge.to] {
        let metres = haversineDistance(point, network.coordinates[Int(node)])
        guard metres <= Self.reachMetres, isUsable[Int(node)] else { continue }
        if let known = best, (known.metres, known.node) <= (metres, node) { continue }
        best = (metres, node)
      }
    }
    return best?.node
  }
}
