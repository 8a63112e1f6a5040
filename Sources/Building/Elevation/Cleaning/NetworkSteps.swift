// SPDX-License-Identifier: Apache-2.0

/// The steps between neighbouring nodes and samples of the links that are not of a steep kind.
///
/// Positions are numbered consecutively: refs of nodes that are not knots, knots, and samples.
struct NetworkSteps: Sendable {
  let network: WayNetwork
  let samplePoints: SamplePoints
  let rule: SampleRule

  init(_ network: WayNetwork, _ samplePoints: SamplePoints) {
    self.network = network
    self.samplePoints = samplePoints
    rule = SampleRule(stepMetres: samplePoints.stepMetres)
  }

  /// Whether the elevations along a link are those of the ground, so that it is no steeper than a
  /// path.
  @inline(__always)
  func isLimited(_ link: Int) -> Bool {
    let links = network.links.elements
    return links[link].kind.isEmpty && Int(links[link].original) == link
  }

  private var firstKnot: Int { network.columns.refs.count }
  private var firstSample: Int { firstKnot + network.knots.count }

  /// The position of a ref of a link.
  func position(ofRef ref: Int, _ link: WayNetwork.Link) -> Int {
    if ref == Int(link.first) { return firstKnot + Int(link.from) }
    return ref == Int(link.last) ? firstKnot + Int(link.to) : ref
  }

  /// The position of a sample.
  func position(ofSample sample: Int) -> Int { firstSample + sample }

  /// The node or sample at a position, as an index into the elevations.
  func point(at position: Int) -> Int {
    if position < firstKnot { return Int(network.columns.refs[position]) }
    if position < firstSample { return Int(network.knotNodes[position - firstKnot]) }
    return network.nodeCount + position - firstSample
  }

  /// The links with steps that begin or end at a position.
  func links(at position: Int) -> [UInt32] {
    if position < firstKnot { return [UInt32(network.link(ofRef: position))] }
    if position >= firstSample { return [UInt32(link(ofSample: position - firstSample))] }
    return links(atKnot: UInt32(position - firstKnot))
  }

  /// The links with steps that begin or end at a knot.
  func links(atKnot knot: UInt32) -> [UInt32] {
    network.ends(ofKnot: knot).filter { isLimited($0.link) }.map { UInt32($0.link) }
  }

  /// Calls `body` with each neighbouring position and the length of the step to it in metres.
  func forEachNeighbour(of position: Int, _ body: (_ position: Int, _ run: Double) -> Void) {
    if position >= firstSample {
      forEachNeighbour(ofSample: position - firstSample, body)
    } else if position >= firstKnot {
      for end in network.ends(ofKnot: UInt32(position - firstKnot)) {
        guard isLimited(end.link) else { continue }
        let link = network.links[end.link]
        let isForward = end.index & 1 == 0
        let segment = isForward ? Int(link.first) : Int(link.last) - 1
        step(alongSegment: segment, forward: isForward, end.link, body)
      }
    } else {
      let index = network.link(ofRef: position)
      step(alongSegment: position - 1, forward: false, index, body)
      step(alongSegment: position, forward: true, index, body)
    }
  }

  /// The first step from one of the ends of a segment.
  private func step(
    alongSegment ref: Int, forward: Bool, _ index: Int, _ body: (Int, Double) -> Void
  ) {
    let link = network.links[index]
    let count = rule.count(network.run(ref))
    let run = network.run(ref) / Double(count + 1)
    guard count > 0 else {
      return body(position(ofRef: forward ? ref + 1 : ref, link), run)
    }
    let first = (Int(link.first)..<ref).reduce(Int(link.firstSample)) {
      $0 + rule.count(network.run($1))
    }
    body(position(ofSample: forward ? first : first + count - 1), run)
  }

  private func forEachNeighbour(ofSample sample: Int, _ body: (Int, Double) -> Void) {
    let index = link(ofSample: sample)
    let link = network.links[index]
    var first = Int(link.firstSample)
    for ref in Int(link.first)..<Int(link.last) {
      let count = rule.count(network.run(ref))
      if sample < first + count {
        let run = network.run(ref) / Double(count + 1)
        let (before, after) = (position(ofRef: ref, link), position(ofRef: ref + 1, link))
        body(sample == first ? before : position(ofSample: sample - 1), run)
        body(sample + 1 == first + count ? after : position(ofSample: sample + 1), run)
        return
      }
      first += count
    }
  }

  /// The last link whose first sample is no later; those after it that have none begin later.
  private func link(ofSample sample: Int) -> Int {
    var (low, high) = (0, network.links.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(network.links[middle].firstSample) > sample { high = middle } else { low = middle + 1 }
    }
    return low - 1
  }
}
