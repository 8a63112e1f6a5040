// SPDX-License-Identifier: Apache-2.0
/// The parts of a graph within which every node is reachable from every other.
///
/// Nearly all edges are open in both directions, so a union-find structure joins their ends without
/// a search (Tarjan 1975, *Efficiency of a good but not linear set union algorithm*). Each joined
/// set counts as one node for ``StronglyConnected``, which only examines the edges open in one
/// direction.
struct GraphParts {
  /// A lesser node of each node's set, or the node itself; in the end its part.
  private var links: [UInt32]
  /// Whether an edge touches a node.
  private var isTouched: [Bool]
  /// The edges open in one direction only.
  private var arcs: [(tail: UInt32, head: UInt32)] = []

  /// A graph without edges.
  init(nodeCount: Int) {
    links = (0..<UInt32(nodeCount)).map { $0 }
    isTouched = [Bool](repeating: false, count: nodeCount)
  }

  /// The number of nodes.
  var nodeCount: Int { links.count }

  /// Adds an edge open in one direction or both.
  @inline(__always)
  mutating func join(_ from: UInt32, _ to: UInt32, forward: Bool, backward: Bool) {
    isTouched[Int(from)] = true
    isTouched[Int(to)] = true
    if !backward { return arcs.append((from, to)) }
    if !forward { return arcs.append((to, from)) }
    let (one, other) = (first(of: from), first(of: to))
    if one < other { links[Int(other)] = one } else { links[Int(one)] = other }
  }

  /// The first node of a node's set.
  @inline(__always)
  private mutating func first(of node: UInt32) -> UInt32 {
    var node = node
    while links[Int(node)] != node {
      // Path halving.
      links[Int(node)] = links[Int(links[Int(node)])]
      node = links[Int(node)]
    }
    return node
  }

  /// Ends adding edges, and returns the number of parts.
  mutating func finish() -> Int {
    let (firsts, joined) = oneWayParts()
    var count = joined.count
    var next = 0
    for node in links.indices {
      let link = Int(links[node])
      if link != node {
        // The links of lesser nodes are parts already.
        links[node] = links[link]
      } else if next < firsts.count, firsts[next] == node {
        links[node] = joined.components[next]
        next += 1
      } else if isTouched[node] {
        links[node] = UInt32(count)
        count += 1
      }
    }
    return count
  }

  /// The first nodes of the sets joined by one-way edges, ascending, and their parts.
  private mutating func oneWayParts() -> (firsts: [UInt32], parts: StronglyConnected) {
    var joined: [(tail: UInt32, head: UInt32)] = []
    var ends: [UInt32] = []
    for arc in arcs {
      let (tail, head) = (first(of: arc.tail), first(of: arc.head))
      guard tail != head else { continue }
      joined.append((tail, head))
      ends.append(tail)
      ends.append(head)
    }
    arcs = []
    ends.sort()
    var firsts: [UInt32] = []
    for node in ends where firsts.last != node { firsts.append(node) }
    func index(_ node: UInt32) -> UInt32 { UInt32(firsts.partitioningIndex { $0 >= node }) }
    let indices = joined.map { (tail: index($0.tail), head: index($0.head)) }
    let lists = ArcsByTail(nodeCount: firsts.count) { add in
      for arc in indices { add(arc.tail, arc.head) }
    }
    return (firsts, StronglyConnected(lists))
  }

  /// The part of a node, after ``finish()``; nil if no edge touches it.
  @inline(__always)
  func part(of node: UInt32) -> Int? { isTouched[Int(node)] ? Int(links[Int(node)]) : nil }
}
