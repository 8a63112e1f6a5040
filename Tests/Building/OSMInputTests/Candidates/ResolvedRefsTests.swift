// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import OSMInput

@Suite("Resolving refs")
struct ResolvedRefsTests {
  @Test(
    "the indices of refs are those of a plain sort",
    arguments: [
      [], [[7]], [[5, 5, 5]], [[3, 1], [], [2, 3]], [[.min, .max, 0, -1]],
      [[1 << 40, 0, (1 << 40) - 1]], [[-3, 12_000_000_000, -3]],
    ] as [[[Int64]]])
  func small(refs: [[Int64]]) throws { try check(refs) }

  @Test("the indices of many refs are those of a plain sort", arguments: [1, 20, 33, 40, 41, 64])
  func many(bits: UInt64) throws {
    var state: UInt64 = 42 + bits
    let refs: [Int64] = (0..<120_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(bitPattern: state >> (64 - bits)) &- 1000
    }
    try check([Array(refs.prefix(70_001)), Array(refs.dropFirst(70_001))])
  }

  private func check(_ refs: [[Int64]]) throws {
    let all = refs.flatMap { $0 }
    let sorted = Set(all).sorted()
    for (threads, pools) in [(1, 1), (4, 1), (1, 2), (4, 3)] {
      let resolved = try resolve(refs, threads: threads, pools: pools)
      #expect(resolved.nodes.count == sorted.count)
      #expect((0..<sorted.count).allSatisfy { resolved.nodes[$0] == sorted[$0] })
      #expect(zip(resolved.nodeIndices, all).allSatisfy { sorted[Int($0)] == $1 })
      #expect(resolved.nodeIndices.count == all.count)
    }
  }

  /// Resolves refs whose pieces are spread over the pools of several workers.
  private func resolve(
    _ refs: [[Int64]], threads: Int = 1, pools: Int = 1, maximumWords: Int = NodePool.maximumWords
  ) throws -> ResolvedRefs {
    var workers = [NodePools](repeating: NodePools(maximumWords: maximumWords), count: pools)
    var pieces: [(worker: Int, piece: ResolvedRefs.Piece)] = []
    for (index, refs) in refs.enumerated() {
      for piece in workers[index % pools].pieces(of: refs) {
        pieces.append((index % pools, piece))
      }
    }
    let shifted = pieces.map { worker, piece in
      let before = workers[..<worker].reduce(0) { $0 + $1.pools.count }
      return ResolvedRefs.Piece(codes: piece.codes, pool: before + piece.pool)
    }
    return try ResolvedRefs(shifted, workers.flatMap(\.pools), threads: threads)
  }

  @Test("a worker begins a further pool before codes exceed their bits")
  func furtherPools() throws {
    let refs: [Int64] = (0..<1000).map { $0 % 100 * 1000 }
    var pools = NodePools(maximumWords: 64)
    let pieces = pools.pieces(of: refs)
    #expect(pools.pools.count > 1)
    #expect(pools.pools.allSatisfy { $0.count <= 64 })
    #expect(
      pieces.flatMap { piece in piece.codes.map { pools.pools[piece.pool].id(of: $0) } } == refs)
    let resolved = try resolve([refs], maximumWords: 64)
    #expect(Array(resolved.nodeIndices) == refs.map { UInt32($0 / 1000) })
  }

  @Test("a cursor finds ids in any order")
  func cursor() throws {
    let ids: [Int64] = [-5, 0, 1, 2, 10, 1000, .max]
    let nodes = try resolve([ids]).nodes
    var cursor = NeededNodes.Cursor(nodes)
    let searched: [Int64] = [
      .min, -5, -5, -4, 0, 1, 2, 3, 11, 1000, 1001, .max, .max, .max - 1, 10, -6, 10, 0, 1000,
    ]
    for id in searched { #expect(cursor.index(of: id) == ids.firstIndex(of: id), "\(id)") }
    let none = try resolve([]).nodes
    var empty = NeededNodes.Cursor(none)
    #expect(empty.index(of: .max) == nil)
    #expect(empty.index(of: 0) == nil)
    // Cursors do not keep the nodes that they point into.
    withExtendedLifetime((nodes, none)) {}
  }

  @Test("a cursor finds out whether a range has a needed id", arguments: 0..<20 as Range<UInt64>)
  func ranges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ids = (0..<50).map { _ in Int64.random(in: -300...300, using: &random) }
    let nodes = try resolve([ids]).nodes
    var cursor = NeededNodes.Cursor(nodes)
    var low: Int64 = -400
    while low < 400 {
      let high = low + Int64.random(in: 0...90, using: &random)
      #expect(
        cursor.hasAny(in: low...high) == ids.contains { (low...high).contains($0) },
        "\(low)...\(high)")
      low += Int64.random(in: 0...40, using: &random)
    }
    withExtendedLifetime(nodes) {}
  }

  @Test("selected nodes are listed from any index on")
  func selection() {
    let nodes = [0, 1, 63, 64, 200, 201, 255, 256, 299]
    var selection = NodeSelection(count: 300)
    for node in nodes { selection.insert(UInt32(node)) }
    #expect(selection.finish() == nodes.count)
    for start in nodes.indices {
      for end in start...nodes.count {
        var found: [Int] = []
        selection.forEach(in: start..<end) { index, node in
          #expect(index == start + found.count)
          found.append(node)
        }
        #expect(found == Array(nodes[start..<end]))
      }
    }
  }
}
