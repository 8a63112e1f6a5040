// SPDX-License-Identifier: Apache-2.0
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
    for threads in [1, 4] {
      let resolved = try ResolvedRefs(refs, threads: threads)
      #expect(resolved.nodes.count == sorted.count)
      #expect((0..<sorted.count).allSatisfy { resolved.nodes[$0] == sorted[$0] })
      #expect(zip(resolved.nodeIndices, all).allSatisfy { resolved.nodes[Int($0)] == $1 })
      #expect(resolved.nodeIndices.count == all.count)
    }
  }

  @Test("a cursor finds ids in any order")
  func cursor() throws {
    let ids: [Int64] = [-5, 0, 1, 2, 10, 1000, .max]
    let nodes = try ResolvedRefs([ids], threads: 1).nodes
    var cursor = NeededNodes.Cursor(nodes)
    let searched: [Int64] = [
      .min, -5, -5, -4, 0, 1, 2, 3, 11, 1000, 1001, .max, .max, .max - 1, 10, -6, 10, 0, 1000,
    ]
    for id in searched { #expect(cursor.index(of: id) == ids.firstIndex(of: id), "\(id)") }
    var empty = NeededNodes.Cursor(try ResolvedRefs([], threads: 1).nodes)
    #expect(empty.index(of: .max) == nil)
    #expect(empty.index(of: 0) == nil)
  }
}
