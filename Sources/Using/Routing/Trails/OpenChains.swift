// SPDX-License-Identifier: Apache-2.0

/// The chains not yet joined to others, by their ends.
struct OpenChains {
  private var open: [CourseChain?]
  private var ends: [Int64: [Int]] = [:]
  /// The chains with a node slightly beyond one of their ends; empty unless that counts.
  private var insides: [Int64: [Int]] = [:]
  /// The chains that are rings, by their nodes; empty unless they join others.
  private var rings: [Int64: Int] = [:]

  init(_ chains: [CourseChain], trimming: Bool) {
    open = chains
    for (index, chain) in chains.enumerated() {
      if chain.isClosed {
        guard trimming, chain.links.count == 1 else { continue }
        for node in chain.nodes where rings[node] == nil { rings[node] = index }
        continue
      }
      ends[chain.head, default: []].append(index)
      ends[chain.tail, default: []].append(index)
      guard trimming else { continue }
      let (first, last) = (chain.links[0], chain.links[chain.links.count - 1])
      for node in Self.inner(first) + Self.inner(last.reversed()) {
        insides[node, default: []].append(index)
      }
    }
  }

  /// The nodes a little behind the beginning of a link.
  private static func inner(_ link: CourseChain.Link) -> [Int64] {
    var nodes: [Int64] = []
    var metres = 0.0
    for step in link.steps.indices.dropLast() {
      metres += link.lengths[step]
      guard metres <= CourseOrder.trimmedMetres else { break }
      nodes.append(link.nodes[step + 1])
    }
    return nodes
  }

  /// Takes a chain by its index; nil if it has been taken.
  mutating func take(_ index: Int) -> CourseChain? {
    defer { open[index] = nil }
    return open[index]
  }

  /// Takes the first chain that begins at a node, or ends there, turned as needed.
  mutating func take(at node: Int64, asNext: Bool = true) -> CourseChain? {
    for index in candidates(\.ends, node) {
      guard var chain = open[index] else { continue }
      if (asNext ? chain.head : chain.tail) != node {
        guard chain.isReversible else { continue }
        chain.reverse()
      }
      open[index] = nil
      return chain
    }
    return nil
  }

  /// Takes the first chain with a node slightly after its beginning, from there on, and the part
  /// before it.
  mutating func take(inside node: Int64) -> (next: CourseChain, rest: CourseChain)? {
    for index in candidates(\.insides, node) {
      guard let whole = open[index] else { continue }
      for isTurned in [false, true] {
        var chain = whole
        if isTurned {
          guard chain.isReversible else { continue }
          chain.reverse()
        }
        let first = chain.links[0]
        guard Self.inner(first).contains(node), let step = first.nodes.firstIndex(of: node) else {
          continue
        }
        open[index] = nil
        chain.links[0] = first.part(step..<first.steps.count)
        return (chain, CourseChain(links: [first.part(0..<step)]))
      }
    }
    return nil
  }

  /// The segment of the ring with a node; nil if there is none.
  func ring(at node: Int64) -> Int? {
    rings[node].flatMap { open[$0]?.links[0].segment }
  }

  /// Takes the ring with a node.
  mutating func useRing(at node: Int64) {
    if let index = rings[node] { open[index] = nil }
  }

  /// The open chains of a list, up to the number examined.
  private mutating func candidates(
    _ lists: WritableKeyPath<OpenChains, [Int64: [Int]]>, _ node: Int64
  ) -> ArraySlice<Int> {
    guard var list = self[keyPath: lists][node] else { return [] }
    list.removeAll { open[$0] == nil }
    self[keyPath: lists][node] = list
    return list.prefix(CourseOrder.lookback)
  }
}
