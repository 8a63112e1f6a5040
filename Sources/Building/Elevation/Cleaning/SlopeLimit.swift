// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Synchronization

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
  var threads = 1

  /// A step that is too steep: its ends and its length in metres.
  private struct Step {
    let low: Int
    let high: Int
    let run: Double
  }

  /// Limits the elevations of all nodes and samples; returns how many steps were too steep.
  func apply(to elevations: inout [Double]) -> Int {
    let steps = tooSteepSteps(&elevations)
    guard !steps.isEmpty else { return 0 }
    let lowered = spread(
      steps.map { ($0.high, elevations[$0.low] + $0.run * Self.steepest) }, under: elevations,
      sign: 1)
    let raised = spread(
      steps.map { ($0.low, $0.run * Self.steepest - elevations[$0.high]) }, under: elevations,
      sign: -1)
    for (point, below) in lowered where raised[point] == nil {
      elevations[point] = (below + elevations[point]) / 2
    }
    for (point, above) in raised {
      elevations[point] = ((lowered[point] ?? elevations[point]) - above) / 2
    }
    return steps.count
  }

  /// The steps that are too steep, in the order of the segments.
  private func tooSteepSteps(_ elevations: inout [Double]) -> [Step] {
    let found = Mutex<[(firstSegment: Int, steps: [Step])]>([])
    elevations.withUnsafeMutableBufferPointer { elevations in
      let shared = SharedBuffer(elevations)
      forEachPiece(of: network.lower.count, threads: threads) { segments in
        let steps = self.tooSteepSteps(segments, shared)
        if !steps.isEmpty { found.withLock { $0.append((segments.lowerBound, steps)) } }
      }
    }
    return found.withLock { $0.sorted { $0.firstSegment < $1.firstSegment }.flatMap(\.steps) }
  }

  private func tooSteepSteps(_ segments: Range<Int>, _ elevations: SharedBuffer<Double>) -> [Step] {
    var steps: [Step] = []
    for segment in segments where network.kinds[segment].isEmpty {
      let samples = samplePoints.samples(ofSegment: segment, network)
      let run = network.metres[segment] / Double(samples.count + 1)
      var previous = Int(network.lower[segment])
      for index in samples.lowerBound..<samples.upperBound + 1 {
        let point = index == samples.upperBound ? Int(network.upper[segment]) : index
        let rise = elevations[point] - elevations[previous]
        if abs(rise) > run * Self.steepest + Self.tolerance {
          steps.append(
            rise > 0
              ? Step(low: previous, high: point, run: run)
              : Step(low: point, high: previous, run: run))
        }
        previous = point
      }
    }
    return steps
  }

  /// Lowers the given points of a surface, and all others as far as the limit requires, lowest first
  /// (Dijkstra’s algorithm); returns those that were lowered. The surface is that of the elevations
  /// times `sign`.
  private func spread(
    _ starts: [(point: Int, metres: Double)], under elevations: [Double], sign: Double
  ) -> [Int: Double] {
    var lowered: [Int: Double] = [:]
    var queue = PriorityQueue()
    for start in starts { queue.push(start.point, priority: start.metres) }
    while let (point, metres) = queue.pop() {
      guard metres < lowered[point] ?? sign * elevations[point] else { continue }
      lowered[point] = metres
      forEachNeighbour(of: point) { neighbour, run in
        let limit = metres + run * Self.steepest
        if limit + Self.tolerance < lowered[neighbour] ?? sign * elevations[neighbour] {
          queue.push(neighbour, priority: limit)
        }
      }
    }
    return lowered
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
