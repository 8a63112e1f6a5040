// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import SystemIO

/// Flattens steps that are steeper than any path.
///
/// If a step rises by more than its length, the data are wrong: a spike, a badly filled void, a cliff
/// beside the path. The elevation becomes the mean of two surfaces over the whole network that are
/// nowhere steeper than the limit: the highest one below it and the lowest one above it. Where the
/// data are plausible, both equal the elevation and nothing changes.
struct SlopeLimit: Sendable {
  /// Rise over run.
  static let steepest = 1.0
  /// The effect of rounding elevations to `Float` on a rise, in metres.
  private static let tolerance = 1e-3
  private static let linksPerPiece = 2048
  /// The number of steps from which positions are lowered at a time.
  private static let stepsAtATime = 256

  let steps: NetworkSteps
  let threads: Int
  /// The most positions to lower some steps at a time: a number per step, and a fixed one in
  /// addition. Beyond that, those of all further steps are lowered together.
  var patience = (perStep: 64, least: 100_000)

  init(network: WayNetwork, samplePoints: SamplePoints, threads: Int = 1) {
    steps = NetworkSteps(network, samplePoints)
    self.threads = threads
  }

  /// A step that is too steep: its ends and its length in metres.
  private struct Step {
    let low: Int
    let high: Int
    let run: Double
    /// The ref at or before it.
    let ref: Int
  }

  /// A step that was too steep, as it was.
  struct Excess: Sendable {
    /// The ref at or before it.
    let ref: Int
    /// Its rise and its length in metres.
    let rise: Double
    let run: Double
  }

  /// The outcome for steps that were too steep.
  struct Outcome {
    /// Their number.
    var count = 0
    /// The steps in the order of the ways; not those of the further rounds.
    var steps: [Excess] = []
    /// The positions whose elevations were changed, some of them twice.
    var positions: [Int] = []
  }

  /// Limits the elevations of all nodes and samples.
  func apply(to elevations: Numbers<Float>) -> Outcome {
    let found = mapPieces(
      of: steps.network.links.count, threads: threads, size: Self.linksPerPiece
    ) { links in
      var found: [Step] = []
      for link in links { findTooSteep(link, elevations.elements, &found) }
      return found
    }
    let all = found.flatMap(\.self)
    let excess = all.map { step in
      Excess(
        ref: step.ref,
        rise: Double(elevations[steps.point(at: step.high)])
          - Double(elevations[steps.point(at: step.low)]),
        run: step.run)
    }
    var outcome = flatten(all, elevations)
    outcome.steps = excess
    return outcome
  }

  /// The same if only steps along these links can be too steep.
  func apply(to elevations: Numbers<Float>, along links: [UInt32]) -> Outcome {
    var found: [Step] = []
    for link in links { findTooSteep(Int(link), elevations.elements, &found) }
    return flatten(found, elevations)
  }

  private func flatten(_ found: [Step], _ elevations: Numbers<Float>) -> Outcome {
    guard !found.isEmpty else { return Outcome() }
    // In the order of the network, which may lie in a file.
    let (lowered, raised) = concurrently(threads: threads) {
      spread(
        found.map { step in
          let low = Double(elevations.elements[steps.point(at: step.low)])
          return Start(position: step.high, metres: low + step.run * Self.steepest)
        }, under: elevations, sign: 1)
    } _: {
      spread(
        found.map { step in
          let high = Double(elevations.elements[steps.point(at: step.high)])
          return Start(position: step.low, metres: step.run * Self.steepest - high)
        }, under: elevations, sign: -1)
    }
    for (position, below) in zip(lowered.positions, lowered.metres) where raised[position] == nil {
      let point = steps.point(at: position)
      elevations[point] = Float((below + Double(elevations[point])) / 2)
    }
    for (position, above) in zip(raised.positions, raised.metres) {
      let point = steps.point(at: position)
      elevations[point] = Float(((lowered[position] ?? Double(elevations[point])) - above) / 2)
    }
    return Outcome(count: found.count, positions: lowered.positions + raised.positions)
  }

  /// Finds the steps of a link that are too steep.
  private func findTooSteep(
    _ index: Int, _ elevations: UnsafeMutableBufferPointer<Float>, _ found: inout [Step]
  ) {
    guard steps.isLimited(index) else { return }
    let network = steps.network
    let link = network.links.elements[index]
    let (refs, runs) = (network.columns.refs, network.metres.elements)
    let step = steps.rule.stepMetres
    var sample = Int(link.firstSample)
    var start = Double(elevations[Int(refs[Int(link.first)])])
    for ref in Int(link.first)..<Int(link.last) {
      let end = Double(elevations[Int(refs[ref + 1])])
      let length = Double(runs[ref])
      if length <= step, abs(end - start) <= length * Self.steepest + Self.tolerance {
        start = end
        continue
      }
      let samples = steps.rule.count(length)
      if samples > 0 || abs(end - start) > length * Self.steepest + Self.tolerance {
        let run = length / Double(samples + 1)
        var low = (metres: start, position: steps.position(ofRef: ref, link))
        for part in 0...samples {
          let high =
            part == samples
            ? (metres: end, position: steps.position(ofRef: ref + 1, link))
            : (
              metres: Double(elevations[network.nodeCount + sample + part]),
              position: steps.position(ofSample: sample + part)
            )
          let rise = high.metres - low.metres
          if abs(rise) > run * Self.steepest + Self.tolerance {
            let ends = rise > 0 ? (low, high) : (high, low)
            found.append(
              Step(low: ends.0.position, high: ends.1.position, run: run, ref: ref))
          }
          low = high
        }
      }
      sample += samples
      start = end
    }
  }

  /// A position of a surface, and the elevation to lower it to.
  private struct Start {
    let position: Int
    let metres: Double
  }

  /// Lowers the given positions of a surface, and all others as far as the limit requires; returns
  /// those that were lowered. The surface is the elevations times `sign`.
  ///
  /// Positions are lowered from some starts at a time, lowest first (Dijkstra’s algorithm); those
  /// that further starts lower again are few. Lowering from all at once would jump about in the
  /// network, which may be in a file. The result is the same: each position has the least elevation
  /// that any way from any start gives it.
  private func spread(_ starts: [Start], under elevations: Numbers<Float>, sign: Double)
    -> LoweredPositions
  {
    let elevations = elevations.elements
    var patience = patience.least + patience.perStep * starts.count
    var lowered = LoweredPositions()
    var queue = PriorityQueue()
    var (next, near) = (0, 0)
    while next < starts.count {
      let end = patience > 0 ? min(next + Self.stepsAtATime, starts.count) : starts.count
      for start in starts[next..<end] { queue.push(start.position, priority: start.metres) }
      next = end
      while let (position, metres) = queue.pop() {
        guard
          metres < lowered[position] ?? sign * Double(elevations[steps.point(at: position)])
        else { continue }
        lowered.lower(position, to: metres)
        patience -= 1
        steps.forEachNeighbour(of: position, near: &near) { neighbour, run in
          let limit = metres + run * Self.steepest
          if let known = lowered[neighbour], known <= limit { return }
          let elevation = sign * Double(elevations[steps.point(at: neighbour)])
          if limit + Self.tolerance < elevation { queue.push(neighbour, priority: limit) }
        }
      }
    }
    return lowered
  }
}
