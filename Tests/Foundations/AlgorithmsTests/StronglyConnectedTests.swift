// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@testable import CairnAlgorithms

@Suite("Strongly connected components")
struct StronglyConnectedTests {
  private func components(_ nodeCount: Int, _ arcs: [(Int, Int)]) -> [UInt32] {
    StronglyConnected(
      ArcsByTail(nodeCount: nodeCount) { add in
        for arc in arcs { add(UInt32(arc.0), UInt32(arc.1)) }
      }
    ).components
  }

  @Test("are those of a slow search that is plainly right")
  func againstSearch() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...12, using: &random)
      let arcs = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
      }
      var reaches = (0..<count).map { node in (0..<count).map { $0 == node } }
      for _ in 0..<count {
        for (tail, head) in arcs {
          for start in 0..<count where reaches[start][tail] { reaches[start][head] = true }
        }
      }
      let found = components(count, arcs)
      for one in 0..<count {
        for other in 0..<count {
          let areTogether = reaches[one][other] && reaches[other][one]
          #expect(
            (found[one] == found[other]) == areTogether, "seed \(seed): \(one) and \(other)")
        }
      }
    }
  }

  @Test("of a chain or a ring of a million nodes need no depth of calls")
  func deep() {
    let count = 1_000_000
    let chain = (0..<count - 1).map { ($0, $0 + 1) }
    #expect(Set(components(count, chain)).count == count)
    #expect(Set(components(count, chain + [(count - 1, 0)])).count == 1)
  }

  @Test("of no nodes are none")
  func empty() { #expect(components(0, []).isEmpty) }
}
