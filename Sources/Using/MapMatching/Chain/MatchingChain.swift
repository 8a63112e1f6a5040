// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The model's result for an observation.
struct ChainState {
  /// The link from the previous state to this one.
  enum Link: UInt8 {
    /// It is the first one, or one of the two is off the network.
    case none
    /// Along the network.
    case hop
    /// By a gap without an observation in it.
    case gap
  }

  /// The position; nil off the network.
  var position: DirectedPosition?
  var link: Link
}

/// The hidden Markov model: finds the most likely sequence of states by Viterbi's algorithm.
///
/// It keeps a window of observations. When the window is full, all states except the latest are
/// settled by the most likely sequence so far, which bounds memory.
struct MatchingChain {
  private static let windowSize = 4096
  /// The observations that stay undecided when a window is full.
  private static let undecided = 512

  /// The states of one observation: each candidate in both directions, and last the state off the
  /// network.
  private struct Layer {
    var candidates: [Candidate]
    /// The index of each state's predecessor.
    var before: [Int16]
    var links: [ChainState.Link]

    var off: Int { 2 * candidates.count }

    @inline(__always)
    func position(_ state: Int) -> DirectedPosition {
      let candidate = candidates[state / 2]
      return DirectedPosition(
        edge: candidate.edge, along: candidate.along, isReversed: state % 2 == 1)
    }
  }

  private let parameters: MatchingParameters
  private let finder: HopFinder
  private var layers: [Layer] = []
  private var costs: [Float] = []
  private var settled: [ChainState] = []
  private var previous: Observation?

  init(_ parameters: MatchingParameters, _ finder: HopFinder) {
    self.parameters = parameters
    self.finder = finder
  }

  /// Adds an observation with its candidates.
  ///
  /// - Parameter scale: The requirements on the way from the previous observation; nil for the
  ///   first one.
  mutating func add(_ observation: Observation, _ candidates: [Candidate], _ scale: HopScale?) {
    let off = 2 * candidates.count
    var layer = Layer(
      candidates: candidates, before: Array(repeating: 0, count: off + 1),
      links: Array(repeating: .none, count: off + 1))
    var costs = [Float](repeating: .infinity, count: off + 1)
    if let scale, let last = layers.last {
      advance(from: last, to: &layer, &costs, scale)
    } else {
      for state in costs.indices { costs[state] = 0 }
    }
    costs[off] += Float(parameters.offCost)
    let weight = Float(
      parameters.emissionWeight / 2 / observation.deviation / observation.deviation)
    for (index, candidate) in candidates.enumerated() {
      var emission = weight * candidate.distance * candidate.distance
      if finder.network.isClosed[Int(candidate.edge)] { emission += Float(parameters.closedCost) }
      costs[2 * index] += emission
      costs[2 * index + 1] += emission
    }
    // Only differences count, and small numbers keep their digits.
    let least = costs.min() ?? 0
    for state in costs.indices { costs[state] -= least }
    self.costs = costs
    layers.append(layer)
    if layers.count == Self.windowSize { settle() }
  }

  /// The states of all observations.
  mutating func finish() -> [ChainState] {
    if let best = costs.indices.min(by: { costs[$0] < costs[$1] }) {
      append(upTo: layers.count, endingAt: best)
    }
    return settled
  }

  private func advance(
    from last: Layer, to layer: inout Layer, _ costs: inout [Float], _ scale: HopScale
  ) {
    func improve(_ state: Int, _ cost: Float, _ before: Int, _ link: ChainState.Link) {
      guard cost < costs[state] else { return }
      costs[state] = cost
      layer.before[state] = Int16(before)
      layer.links[state] = link
    }
    let whole = Float(parameters.gapCost)
    let half = whole / 2
    improve(layer.off, self.costs[last.off], last.off, .none)
    var best = 0
    for state in 0..<last.off where self.costs[state] < self.costs[best] { best = state }
    if last.off > 0 { improve(layer.off, self.costs[best] + half, best, .none) }
    guard layer.off > 0 else { return }
    for state in 0..<layer.off {
      improve(state, self.costs[last.off] + half, last.off, .none)
      if last.off > 0 { improve(state, self.costs[best] + whole, best, .gap) }
    }
    // Every state can be reached at this cost, so more expensive hops do not matter.
    let limit = costs[..<layer.off].max() ?? 0
    for before in 0..<last.off where self.costs[before] < limit {
      let ends = finder.ends(
        of: last.position(before), scale, limit: limit - self.costs[before])
      for state in 0..<layer.off {
        let hop = finder.hop(ends, to: layer.position(state), scale)
        improve(state, self.costs[before] + hop.cost, before, .hop)
      }
    }
  }

  /// Settles the states of all layers except the latest, and rules out the states that do not
  /// follow from them.
  private mutating func settle() {
    guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return }
    let kept = layers.count - Self.undecided
    let origin = ancestor(of: best, inLayer: kept - 1)
    for state in costs.indices where ancestor(of: state, inLayer: kept - 1) != origin {
      costs[state] = .infinity
    }
    append(upTo: kept, endingAt: origin)
    layers.removeSubrange(..<(kept))
  }

  private func ancestor(of state: Int, inLayer goal: Int) -> Int {
    var state = state
    for layer in stride(from: layers.count - 1, to: goal, by: -1) {
      state = Int(layers[layer].before[state])
    }
    return state
  }

  private mutating func append(upTo count: Int, endingAt last: Int) {
    var state = last
    var found: [ChainState] = []
    for layer in layers[..<count].reversed() {
      found.append(
        ChainState(
          position: state == layer.off ? nil : layer.position(state), link: layer.links[state]))
      state = Int(layer.before[state])
    }
    settled += found.reversed()
  }
}
