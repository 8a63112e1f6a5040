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

  /// The links with steps that begin or end at a position, or some of them twice.
  func links(at positions: [Int]) -> [UInt32] {
    var links: [UInt32] = []
    var near = 0
    for position in positions {
      if position >= firstKnot, position < firstSample {
        links += self.links(atKnot: UInt32(position - firstKnot))
        continue
      }
      near =
        position < firstKnot
        ? link(ofRef: position, near: near) : link(ofSample: position - firstSample, near: near)
      if links.last != UInt32(near) { links.append(UInt32(near)) }
    }
    return links
  }

  /// The links with steps that begin or end at a knot.
  func links(atKnot knot: UInt32) -> [UInt32] {
    network.ends(ofKnot: knot).filter { isLimited($0.link) }.map { UInt32($0.link) }
  }

  /// Calls `body` with each neighbouring position and the length of the step to it in metres.
  ///
  /// - Parameter near: A link that may be close, and afterwards is the position's unless this is a
  ///   knot.
  @inline(__always)
  func forEachNeighbour(
    of position: Int, near: inout Int, _ body: (_ position: Int, _ run: Double) -> Void
  ) {
    if position >= firstSample {
      near = link(ofSample: position - firstSample, near: near)
      forEachNeighbour(ofSample: position - firstSample, near, body)
    } else if position >= firstKnot {
      for end in network.ends(ofKnot: UInt32(position - firstKnot)) {
        guard isLimited(end.link) else { continue }
        let link = network.links[end.link]
        let isForward = end.index & 1 == 0
        let segment = isForward ? Int(link.first) : Int(link.last) - 1
        step(alongSegment: segment, forward: isForward, end.link, body)
      }
    } else {
      near = link(ofRef: position, near: near)
      step(alongSegment: position - 1, forward: false, near, body)
      step(alongSegment: position, forward: true, near, body)
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

  private func forEachNeighbour(ofSample sample: Int, _ link: Int, _ body: (Int, Double) -> Void) {
    let link = network.links[link]
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

  /// The link of a ref that is not a knot: the last one that begins at or before it.
  private func link(ofRef ref: Int, near guess: Int) -> Int {
    network.lastLink(near: guess) { Int($0.first) > ref }
  }

  /// The last link whose first sample is no later; those after it that have none begin later.
  private func link(ofSample sample: Int, near guess: Int) -> Int {
    network.lastLink(near: guess) { Int($0.firstSample) > sample }
  }
}
