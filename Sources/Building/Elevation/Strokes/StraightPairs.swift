// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Finds the ends of links at a knot that continue each other. It is made once for many knots,
/// because allocating memory for each would take most of the time.
struct StraightPairs {
  /// The cosine of the sharpest bend, 60°, at which two of several ends are joined.
  private static let leastCosine = 0.5
  /// At knots with more ends than this none are joined.
  private static let largestDegree = 16

  /// The pairs that were found, straightest first.
  private(set) var found: [(UInt32, UInt32)] = []
  private var directions: [(east: Double, north: Double)] = []
  private var candidates: [(cosine: Double, first: Int, second: Int)] = []

  /// Finds the pairs of a knot.
  mutating func find(_ knot: UInt32, _ network: WayNetwork) {
    found.removeAll(keepingCapacity: true)
    let ends = network.ends(ofKnot: knot)
    guard ends.count > 1, ends.count <= Self.largestDegree else { return }
    if ends.count == 2 {
      found.append((ends[0].index, ends[1].index))
      return
    }
    findCandidates(ends, network.knotNodes.elements[Int(knot)], network)
    var isTaken: UInt32 = 0
    for pair in candidates {
      let both: UInt32 = 1 << pair.first | 1 << pair.second
      guard isTaken & both == 0 else { continue }
      isTaken |= both
      found.append((ends[pair.first].index, ends[pair.second].index))
    }
  }

  /// Finds the pairs that are straight enough, straightest first.
  private mutating func findCandidates(
    _ ends: UnsafeBufferPointer<LinkEnd>, _ node: UInt32, _ network: WayNetwork
  ) {
    directions.removeAll(keepingCapacity: true)
    candidates.removeAll(keepingCapacity: true)
    let start = network.columns.coordinate(node).degrees
    let shrinking = longitudeShrinking(atLatitude: start.latitude)
    for end in ends {
      let other = network.columns.coordinate(end.neighbour).degrees
      directions.append(Self.direction(start, other, shrinking))
    }
    for first in directions.indices {
      for second in first + 1..<directions.count {
        let cosine =
          -(directions[first].east * directions[second].east
          + directions[first].north * directions[second].north)
        guard cosine >= Self.leastCosine else { continue }
        // Straightest first, and of equal ones the first.
        var position = candidates.count
        while position > 0, candidates[position - 1].cosine < cosine { position -= 1 }
        candidates.insert((cosine, first, second), at: position)
      }
    }
  }

  /// The direction from one point to another as a unit vector; zero if the points coincide.
  ///
  /// - Parameter shrinking: The length of a degree of longitude at the start, as a share of one at
  ///   the equator.
  static func direction(_ start: Coordinate, _ end: Coordinate, _ shrinking: Double) -> (
    east: Double, north: Double
  ) {
    var degreesEast = end.longitude - start.longitude
    if abs(degreesEast) > 180 { degreesEast -= degreesEast > 0 ? 360 : -360 }
    let east = degreesEast * shrinking
    let north = end.latitude - start.latitude
    let length = (east * east + north * north).squareRoot()
    return length > 0 ? (east / length, north / length) : (0, 0)
  }

  /// The end that continues each end; ``WayNetwork/none`` where a stroke ends.
  static func mates(_ network: WayNetwork, _ threads: Int) -> Numbers<UInt32> {
    let mates = Numbers<UInt32>(count: 2 * network.links.count)
    mates.elements.update(repeating: WayNetwork.none)
    // Each end belongs to one knot.
    forEachPiece(of: network.knots.count, threads: threads, with: { StraightPairs() }) {
      pairs, knots in
      for knot in knots {
        pairs.find(UInt32(knot), network)
        for (first, second) in pairs.found {
          mates.elements[Int(first)] = second
          mates.elements[Int(second)] = first
        }
      }
    }
    return mates
  }
}
