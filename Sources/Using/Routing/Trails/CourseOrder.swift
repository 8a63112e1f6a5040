// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// A way of a course, or a piece of one: consecutive edges.
package struct CourseSegment: Sendable {
  /// The index of the way among those of the course.
  package var way: Int
  /// The edges in the direction of the way.
  package var steps: [CourseStep] = []
  /// The nodes between them, including both ends; the two sides of a barrier are one.
  package var nodes: [Int64]
  /// The length of each edge.
  package var metres: [Double] = []
  /// The direction in which it is followed.
  package var direction: CourseWay.Direction

  /// Makes a segment.
  package init(
    way: Int, steps: [CourseStep] = [], nodes: [Int64], metres: [Double] = [],
    direction: CourseWay.Direction
  ) {
    (self.way, self.steps, self.nodes) = (way, steps, nodes)
    (self.metres, self.direction) = (metres, direction)
  }

  var start: Int64 { nodes[0] }
  var end: Int64 { nodes[nodes.count - 1] }
  var isRing: Bool { start == end && steps.count > 1 }
  var length: Double { metres.reduce(0, +) }
}

/// An edge in a direction.
package struct CourseStep: Hashable, Sendable {
  /// The edge.
  package var edge: Int64
  /// Whether it leads against the edge.
  package var isReversed = false

  /// Makes a step.
  package init(edge: Int64, isReversed: Bool = false) {
    (self.edge, self.isReversed) = (edge, isReversed)
  }
}

/// Segments that join at their ends.
package struct CourseChain: Sendable {
  /// A segment in the direction of travel, or the part of a ring.
  package struct Link: Sendable {
    /// The index of the segment.
    package var segment: Int
    var steps: [CourseStep]
    var nodes: [Int64]
    /// The length of each step.
    var lengths: [Double]
    /// Whether it is a ring whose exit is not yet known.
    var isOpenRing = false
    /// Whether it can be followed in the other direction.
    var isReversible: Bool

    var start: Int64 { nodes[0] }
    /// The last node.
    package var end: Int64 { nodes[nodes.count - 1] }
    var metres: Double { lengths.reduce(0, +) }

    /// The part of some of its steps.
    func part(_ range: Range<Int>) -> Link {
      var link = self
      link.steps = Array(steps[range])
      link.nodes = Array(nodes[range.lowerBound...range.upperBound])
      link.lengths = Array(lengths[range])
      return link
    }

    func reversed() -> Link {
      var link = self
      link.lengths.reverse()
      link.steps = steps.reversed().map { CourseStep(edge: $0.edge, isReversed: !$0.isReversed) }
      link.nodes.reverse()
      return link
    }
  }

  /// Its links, at least one.
  package var links: [Link]

  /// The node at which it begins.
  package var head: Int64 { links[0].start }
  /// The node at which it ends.
  package var tail: Int64 { links[links.count - 1].end }
  var isClosed: Bool { head == tail }
  var isReversible: Bool { links.allSatisfy(\.isReversible) }
  var metres: Double { links.reduce(0) { $0 + $1.metres } }
  var steps: [CourseStep] { links.flatMap(\.steps) }
  var nodes: [Int64] { links.flatMap(\.nodes) }
  /// The first of its segments in the order of the course.
  var firstSegment: Int { links.reduce(.max) { min($0, $1.segment) } }

  /// Whether it returns to its beginning over the same edges, each of which it follows once in either
  /// direction.
  var isSpur: Bool {
    guard isClosed, links.count > 1 else { return false }
    var seen: Set<CourseStep> = []
    for step in steps where !seen.insert(step).inserted { return false }
    return seen.allSatisfy {
      seen.contains(CourseStep(edge: $0.edge, isReversed: !$0.isReversed))
    }
  }

  /// Inserts a closed chain at a node at which a link of both begins or ends.
  mutating func insert(_ closed: CourseChain, at node: Int64) {
    guard let first = closed.links.firstIndex(where: { $0.start == node }) else { return }
    let round = closed.links[first...] + closed.links[..<first]
    let place = head == node ? 0 : (links.firstIndex { $0.end == node } ?? links.count - 1) + 1
    links.insert(contentsOf: round, at: place)
  }

  mutating func reverse() { links = links.reversed().map { $0.reversed() } }
}

/// Segments put in order: in their listed order where they join, and otherwise joined at their
/// ends.
package struct CourseOrder {
  /// The main course in order of travel, with gaps between the pieces.
  package private(set) var pieces: [CourseChain] = []
  /// Chains that leave the pieces, or join them.
  private(set) var branches: [CourseChain] = []
  /// The segments that are only for the other direction.
  private(set) var opposite: [Int] = []

  /// The number of segments for one direction, and of chains at one node, that are examined.
  static let lookback = 64
  /// The most spurs that are joined to other chains.
  static let mostSpurs = 1000

  private let segments: [CourseSegment]
  private var chains: [CourseChain] = []
  /// The parts beyond the places at which others begin.
  private var trimmed: [CourseChain] = []
  private var current: [CourseChain.Link] = []

  /// Puts segments in order.
  ///
  /// - Parameter gap: The metres between two nodes.
  package init(_ segments: [CourseSegment], gap: (Int64, Int64) throws(RoutingError) -> Double)
    throws(RoutingError)
  {
    self.segments = segments
    for index in segments.indices where !segments[index].steps.isEmpty { add(index) }
    endChain()
    joinChains(trimming: false)
    joinSpurs()
    joinChains(trimming: true)
    divide()
    try orient(gap)
  }

  // MARK: In the order of the list

  private mutating func add(_ index: Int) {
    if continues(index) { return }
    if isForOtherDirection(index) {
      opposite.append(index)
      return
    }
    endChain()
    current = [link(index)]
    current[0].isOpenRing = segments[index].isRing
  }

  private mutating func endChain() {
    if !current.isEmpty { chains.append(CourseChain(links: current)) }
    current = []
  }

  /// Appends a segment to the current chain if it joins its end.
  private mutating func continues(_ index: Int) -> Bool {
    guard let last = current.last else { return false }
    if last.isOpenRing, let left = leaving(last, by: index) {
      current[current.count - 1] = left.ring
      current.append(left.next)
      return true
    }
    if let next = link(index, from: last.end) {
      current.append(next)
      return true
    }
    // The first one may have been listed against its direction.
    if current.count == 1, last.isReversible, let next = link(index, from: last.start) {
      current = [last.reversed(), next]
      return true
    }
    return replacesDirected(index)
  }

  /// A list may have the ways for the other direction first: if the segment joins the place at
  /// which the one-way segments began, they belong to the other direction.
  private mutating func replacesDirected(_ index: Int) -> Bool {
    var position = current.count
    while position > 1, current.count - position < Self.lookback,
      !current[position - 1].isReversible
    {
      position -= 1
      guard let next = link(index, from: current[position - 1].end) else { continue }
      opposite += current[position...].map(\.segment)
      current.removeSubrange(position...)
      current.append(next)
      return true
    }
    return false
  }

  /// Whether a segment leads to the current chain in its only direction.
  private func isForOtherDirection(_ index: Int) -> Bool {
    let segment = segments[index]
    guard segment.direction != .both, let last = current.last else { return false }
    let target = segment.direction == .forward ? segment.end : segment.start
    if target == last.end { return true }
    // It leads back to where the ways for this direction begin.
    let directed = current.suffix(Self.lookback).reversed().prefix { !$0.isReversible }
    if directed.contains(where: { $0.start == target }) { return true }
    // Further ones of the same branch.
    guard let other = opposite.last, let previous = segments[other].entry else { return false }
    return target == previous
  }

  /// A segment followed from one of its ends, or from an entry into a ring; nil if it does not
  /// begin there.
  private func link(_ index: Int, from node: Int64) -> CourseChain.Link? {
    let segment = segments[index]
    if segment.isRing {
      guard let entry = segment.nodes.firstIndex(of: node) else { return nil }
      return ring(index, from: entry, to: entry)
    }
    if segment.start == node, segment.direction != .backward { return link(index) }
    if segment.end == node, segment.direction != .forward {
      return segment.direction == .backward ? link(index) : link(index).reversed()
    }
    return nil
  }

  /// A whole segment in its own direction.
  private func link(_ index: Int) -> CourseChain.Link {
    let segment = segments[index]
    let link = CourseChain.Link(
      segment: index, steps: segment.steps, nodes: segment.nodes, lengths: segment.metres,
      isReversible: segment.direction == .both)
    return segment.direction == .backward ? link.reversed() : link
  }

  /// A ring between two of its nodes: the shorter way round, or that of its direction. All of it if
  /// they are the same.
  private func ring(_ index: Int, from entry: Int, to exit: Int) -> CourseChain.Link {
    let segment = segments[index]
    let count = segment.steps.count
    func part(_ start: Int, _ end: Int) -> CourseChain.Link {
      let length = (end - start + count - 1) % count + 1
      let range = (0..<length).map { (start + $0) % count }
      return CourseChain.Link(
        segment: index, steps: range.map { segment.steps[$0] },
        nodes: range.map { segment.nodes[$0] } + [segment.nodes[end]],
        lengths: range.map { segment.metres[$0] }, isOpenRing: start == end,
        isReversible: segment.direction == .both)
    }
    let (from, to) = (entry % count, exit % count)
    let ahead = part(from, to)
    let back = part(to, from).reversed()
    switch segment.direction {
    case .forward: return ahead
    case .backward: return back
    case .both: return back.metres < ahead.metres ? back : ahead
    }
  }

  /// The ring at the end of the chain up to where a segment leaves it, and that segment.
  private func leaving(_ last: CourseChain.Link, by index: Int) -> (
    ring: CourseChain.Link, next: CourseChain.Link
  )? {
    let nodes = segments[last.segment].nodes
    let segment = segments[index]
    for end in [segment.start, segment.end] {
      guard let exit = nodes.firstIndex(of: end), let next = link(index, from: end) else {
        continue
      }
      // A chain that begins with a ring begins where the ring is left.
      let entry = current.count == 1 ? exit : nodes.firstIndex(of: last.start) ?? exit
      var ring = ring(last.segment, from: entry, to: exit)
      ring.isOpenRing = false
      return (ring, next)
    }
    return nil
  }

  // MARK: There and back

  /// Joins spurs to the chains that they leave: ways that are listed twice, so that the route follows
  /// them there and back, may begin anywhere, and be listed anywhere.
  private mutating func joinSpurs() {
    var waiting = Array(chains.indices.filter { chains[$0].isSpur }.prefix(Self.mostSpurs))
    if waiting.isEmpty { return }
    // The chain of each node, best one that ends there.
    var chainOfNode: [Int64: Int] = [:]
    func enter(_ nodes: [Int64], _ chain: Int) {
      for node in nodes where chainOfNode[node] == nil { chainOfNode[node] = chain }
    }
    let rest = chains.indices.filter { !chains[$0].isSpur && !chains[$0].isClosed }
    for chain in rest { enter([chains[chain].head, chains[chain].tail], chain) }
    for chain in rest { enter(chains[chain].links.map(\.start), chain) }
    var joined: Set<Int> = []
    while !waiting.isEmpty {
      var left: [Int] = []
      for spur in waiting {
        let nodes = chains[spur].links.map(\.start)
        guard let node = nodes.first(where: { chainOfNode[$0] != nil }),
          let chain = chainOfNode[node]
        else {
          left.append(spur)
          continue
        }
        chains[chain].insert(chains[spur], at: node)
        enter(nodes, chain)
        joined.insert(spur)
      }
      if left.count == waiting.count {
        // One that leaves no other chain; further spurs may leave it.
        enter(chains[left[0]].links.map(\.start), left.removeFirst())
      }
      waiting = left
    }
    chains = chains.indices.filter { !joined.contains($0) }.map { chains[$0] }
  }

  // MARK: At the ends

  /// Joins chains whose ends meet, in order.
  ///
  /// - Parameter trimming: Whether a chain may lead slightly beyond the place at which another one
  ///   ends, as where a way is not divided there, and whether rings join chains.
  private mutating func joinChains(trimming: Bool) {
    var open = OpenChains(chains, trimming: trimming)
    var joined: [CourseChain] = []
    for index in chains.indices {
      guard var chain = open.take(index) else { continue }
      while !chain.isClosed {
        if let next = open.take(at: chain.tail) {
          chain.links += next.links
        } else if !trimming || !extend(&chain, &open) {
          break
        }
      }
      var before: [CourseChain] = []
      var head = chain.head
      while chain.tail != head, let previous = open.take(at: head, asNext: false) {
        before.append(previous)
        head = previous.head
      }
      chain.links = before.reversed().flatMap(\.links) + chain.links
      if trimming, chain.isReversible, !chain.isClosed {
        chain.reverse()
        while !chain.isClosed, extend(&chain, &open) {
          while !chain.isClosed, let next = open.take(at: chain.tail) { chain.links += next.links }
        }
        chain.reverse()
      }
      joined.append(chain)
    }
    chains = joined
  }

  /// Appends a chain that begins slightly before the end of this one, or that this one meets
  /// slightly after its beginning, or one on the other side of a ring; returns false if there is
  /// none.
  private mutating func extend(_ chain: inout CourseChain, _ open: inout OpenChains) -> Bool {
    if let (next, rest) = open.take(inside: chain.tail) {
      trimmed.append(rest)
      chain.links += next.links
      return true
    }
    if let segment = open.ring(at: chain.tail),
      let entry = segments[segment].nodes.firstIndex(of: chain.tail)
    {
      let nodes = segments[segment].nodes
      for exit in nodes.indices where nodes[exit] != chain.tail {
        guard let next = open.take(at: nodes[exit]) else { continue }
        open.useRing(at: chain.tail)
        chain.links.append(ring(segment, from: entry, to: exit))
        chain.links += next.links
        return true
      }
    }
    guard let last = chain.links.last else { return false }
    var metres = 0.0
    for step in last.steps.indices.reversed() where step > 0 {
      metres += last.lengths[step]
      guard metres <= Self.trimmedMetres else { return false }
      guard let next = open.take(at: last.nodes[step]) else { continue }
      trimmed.append(CourseChain(links: [last.part(step..<last.steps.count)]))
      chain.links[chain.links.count - 1] = last.part(0..<step)
      chain.links += next.links
      return true
    }
    return false
  }

  /// The length by which a chain may extend beyond the place at which the next one begins, in
  /// metres.
  static let trimmedMetres = 200.0

  /// Divides the chains into pieces and the branches that meet them, the longest ones first.
  private mutating func divide() {
    var nodes: Set<Int64> = []
    var ends: Set<Int64> = []
    let all = (chains + trimmed).map { (metres: $0.metres, first: $0.firstSegment, chain: $0) }
    for (_, _, chain) in all.sorted(by: { ($0.metres, $1.first) > ($1.metres, $0.first) }) {
      let own = chain.nodes
      let touches =
        nodes.contains(chain.head) || nodes.contains(chain.tail)
        || own.contains(where: chain.isClosed ? nodes.contains : ends.contains)
      if touches { branches.append(chain) } else { pieces.append(chain) }
      nodes.formUnion(own)
      ends.formUnion([chain.head, chain.tail])
    }
    pieces.sort { $0.firstSegment < $1.firstSegment }
    branches.sort { $0.firstSegment < $1.firstSegment }
  }

  /// Turns pieces so that they continue each other, and the whole as listed.
  private mutating func orient(_ gap: (Int64, Int64) throws(RoutingError) -> Double)
    throws(RoutingError)
  {
    for index in pieces.indices {
      let piece = pieces[index]
      if piece.isReversible, Self.isAgainstList(piece) { pieces[index].reverse() }
    }
    for index in pieces.indices.dropFirst() where pieces[index].isReversible {
      let (last, piece) = (pieces[index - 1], pieces[index])
      if index == 1, last.isReversible {
        let ahead = try min(gap(last.tail, piece.head), gap(last.tail, piece.tail))
        let back = try min(gap(last.head, piece.head), gap(last.head, piece.tail))
        if back < ahead { pieces[0].reverse() }
      }
      let tail = pieces[index - 1].tail
      if try gap(tail, piece.tail) < gap(tail, piece.head) { pieces[index].reverse() }
    }
  }

  /// Whether most of the segments are in the opposite order of the list.
  private static func isAgainstList(_ chain: CourseChain) -> Bool {
    var ahead = 0
    for (link, next) in zip(chain.links, chain.links.dropFirst()) {
      ahead += next.segment > link.segment ? 1 : -1
    }
    return ahead < 0
  }
}

extension CourseSegment {
  /// The entry, if it is for one direction.
  fileprivate var entry: Int64? {
    switch direction {
    case .both: nil
    case .forward: start
    case .backward: end
    }
  }
}
