// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// Flattens steps that are steeper than any path.
///
/// If a step rises by more than its length, the data are wrong: a spike, a badly filled void, a cliff
/// beside the path. The elevation becomes the mean of two surfaces over the whole network that are
/// nowhere steeper than the limit: the highest one below it and the lowest one above it. Where the
/// data are plausible, both equal the elevation and nothing changes.
struct SlopeLimit {
  /// Rise over run.
  static let steepest = 1.0
  /// The effect of rounding on a rise, in metres.
  private static let tolerance = 1e-6

  let network: WayNetwork
  let samplePoints: SamplePoints

  /// Limits the elevations of all nodes and samples; returns how many steps were too steep.
  func apply(to elevations: inout [Double]) -> Int {
    var steps: [(low: Int, high: Int, run: Double)] = []
    for segment in network.lower.indices where network.kinds[segment].isEmpty {
      let samples = samplePoints.samples(ofSegment: segment, network)
      let run = network.metres[segment] / Double(samples.count + 1)
      var previous = Int(network.lower[segment])
      for index in samples.lowerBound..<samples.upperBound + 1 {
        let point = index == samples.upperBound ? Int(network.upper[segment]) : index
        let rise = elevations[point] - elevations[previous]
        if abs(rise) > run * Self.steepest + Self.tolerance {
          steps.append(rise > 0 ? (previous, point, run) : (point, previous, run))
        }
        previous = point
      }
    }
    guard !steps.isEmpty else { return 0 }
    var below = elevations
    spread(
      steps.map { ($0.high, elevations[$0.low] + $0.run * Self.steepest) }, over: &below)
    var above = elevations.map { -$0 }
    spread(
      steps.map { ($0.low, $0.run * Self.steepest - elevations[$0.high]) }, over: &above)
    for index in elevations.indices where below[index] != -above[index] {
      // Unknown elevations are NaN, differ as well, and stay NaN.
      elevations[index] = (below[index] - above[index]) / 2
    }
    return steps.count
  }

  /// Lowers the given points, and all others as far as the limit requires, lowest first (Dijkstra’s
  /// algorithm).
  private func spread(_ starts: [(point: Int, metres: Double)], over elevations: inout [Double]) {
    var queue = PriorityQueue()
    for start in starts { queue.push(start.point, priority: start.metres) }
    while let (point, metres) = queue.pop() {
      guard metres < elevations[point] else { continue }
      elevations[point] = metres
      forEachNeighbour(of: point) { neighbour, run in
        let limit = metres + run * Self.steepest
        if limit + Self.tolerance < elevations[neighbour] {
          queue.push(neighbour, priority: limit)
        }
      }
    }
  }

  private func forEachNeighbour(of point: Int, _ body: (_ point: Int, _ run: Double) -> Void) {
    if point >= network.nodeCount {
      let segment = segment(ofSample: point - network.nodeCount)
      let samples = samplePoints.samples(ofSegment: segment, network)
      let run = network.metres[segment] / Double(samples.count + 1)
      body(point == samples.lowerBound ? Int(network.lower[segment]) : point - 1, run)
      body(point + 1 == samples.upperBound ? Int(network.upper[segment]) : point + 1, run)
      return
    }
    for segment in network.segments(ofNode: point).lazy.map({ Int($0) })
    where network.kinds[segment].isEmpty {
      let samples = samplePoints.samples(ofSegment: segment, network)
      let run = network.metres[segment] / Double(samples.count + 1)
      if samples.isEmpty {
        body(network.other(segment, point), run)
      } else {
        let isLower = Int(network.lower[segment]) == point
        body(isLower ? samples.lowerBound : samples.upperBound - 1, run)
      }
    }
  }

  private func segment(ofSample sample: Int) -> Int {
    samplePoints.offsets.partitioningIndex { Int($0) > sample } - 1
  }
}
