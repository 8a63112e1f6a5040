// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// The edge that is being cut: its length, its points, and the elevations along it.
struct EdgeWalk {
  /// A point that has an elevation (NaN if unknown), and its distance from the edge's start.
  struct Station {
    var metres: Double
    var elevation: Float
  }

  /// The stations so far, the first one at the start.
  private(set) var stations: [Station] = []
  /// The length so far.
  private(set) var metres = 0.0
  /// How many nodes were reached, without those that directly follow themselves.
  private var nodeCount = 0
  /// Whether the node that was reached last is another one than that before it.
  private var hasMoved = false

  /// Starts an edge at a node.
  mutating func begin(elevation: Float) {
    stations.removeAll(keepingCapacity: true)
    stations.append(Station(metres: 0, elevation: elevation))
    metres = 0
    nodeCount = 0
    hasMoved = false
  }

  /// Goes on to the next ref.
  ///
  /// - Parameters:
  ///   - node: Its node.
  ///   - length: The metres to it.
  ///   - samples: The elevations on the way, evenly spaced.
  ///   - isSame: Whether it has the node of the ref before it.
  @inline(__always)
  mutating func advance(
    to node: UInt32, length: Double, samples: Range<Int>, in columns: WayColumns, isSame: Bool
  ) {
    if !samples.isEmpty {
      let step = length / Double(samples.count + 1)
      for sample in samples {
        let ordinal = Double(sample - samples.lowerBound + 1)
        stations.append(
          Station(metres: metres + step * ordinal, elevation: columns.sample(sample)))
      }
    }
    metres += length
    stations.append(Station(metres: metres, elevation: columns.elevation(node)))
    nodeCount += isSame ? 0 : 1
    hasMoved = !isSame
  }

  /// How many points lie between the start and the ref that was reached last.
  var pointCount: Int { nodeCount - (hasMoved ? 1 : 0) }
}
