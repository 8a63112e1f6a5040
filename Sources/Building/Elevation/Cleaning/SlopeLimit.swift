// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

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

  let steps: NetworkSteps
  let threads: Int
  /// The most positions to lower while grouping steps: a number per step, and a fixed one in
  /// addition.
  var grouping = (perStep: 64, least: 100_000)

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
    /// The links along which elevations were changed, ascending.
    var links: [UInt32] = []
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
    func elevation(_ position: Int) -> Double {
      Double(elevations[steps.point(at: position)])
    }
    let lowered = spread(
      found.map { ($0.high, elevation($0.low) + $0.run * Self.steepest) }, under: elevations,
      sign: 1)
    let raised = spread(
      found.map { ($0.low, $0.run * Self.steepest - elevation($0.high)) }, under: elevations,
      sign: -1)
    // In the order of the network, which may lie in a file.
    for (position, below) in lowered.sorted(by: { $0.key < $1.key })
    where raised[position] == nil {
      elevations[steps.point(at: position)] = Float((below + elevation(position)) / 2)
    }
    for (position, above) in raised.sorted(by: { $0.key < $1.key }) {
      elevations[steps.point(at: position)] = Float(
        ((lowered[position] ?? elevation(position)) - above) / 2)
    }
    let links = Set((Array(lowered.keys) + raised.keys).flatMap { steps.links(at: $0) })
    return Outcome(count: found.count, links: links.sorted())
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
  private typealias Start = (position: Int, metres: Double)

  /// Lowers the given positions of a surface, and all others as far as the limit requires; returns
  /// those that were lowered. The surface is the elevations times `sign`.
  ///
  /// Positions are lowered one neighbourhood after the other: lowering all at once, lowest first,
  /// would jump about in the network, which may be in a file.
  private func spread(_ starts: [Start], under elevations: Numbers<Float>, sign: Double)
    -> [Int: Double]
  {
    guard let groups = groups(starts, under: elevations, sign: sign) else {
      return spreadTogether(starts, under: elevations, sign: sign) ?? [:]
    }
    var lowered: [Int: Double] = [:]
    for group in groups {
      let own = spreadTogether(group, under: elevations, sign: sign) ?? [:]
      lowered.merge(own) { min($0, $1) }
    }
    return lowered
  }

  /// The starts in groups of which no two lower the same position; nil if grouping would take long
  /// because each start lowers very many positions.
  private func groups(_ starts: [Start], under elevations: Numbers<Float>, sign: Double)
    -> [[Start]]?
  {
    var work = grouping.least + grouping.perStep * starts.count
    var owners: [Int: Int] = [:]
    var groups = DisjointSets(count: starts.count)
    for (index, start) in starts.enumerated() {
      guard let own = spreadTogether([start], under: elevations, sign: sign, work: work) else {
        return nil
      }
      work -= own.count
      for position in own.keys {
        if let other = owners.updateValue(index, forKey: position) { groups.join(other, index) }
      }
    }
    var members: [Int: [Start]] = [:]
    for (index, start) in starts.enumerated() {
      members[groups.find(index), default: []].append(start)
    }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Lowers positions, lowest first (Dijkstra’s algorithm); nil if there are more than `work`.
  private func spreadTogether(
    _ starts: [Start], under elevations: Numbers<Float>, sign: Double, work: Int = .max
  ) -> [Int: Double]? {
    var lowered: [Int: Double] = [:]
    var queue = PriorityQueue()
    for start in starts { queue.push(start.position, priority: start.metres) }
    while let (position, metres) = queue.pop() {
      if lowered.count > work { return nil }
      let known = lowered[position] ?? sign * Double(elevations[steps.point(at: position)])
      guard metres < known else { continue }
      lowered[position] = metres
      steps.forEachNeighbour(of: position) { neighbour, run in
        let limit = metres + run * Self.steepest
        let known = lowered[neighbour] ?? sign * Double(elevations[steps.point(at: neighbour)])
        if limit + Self.tolerance < known { queue.push(neighbour, priority: limit) }
      }
    }
    return lowered
  }
}
