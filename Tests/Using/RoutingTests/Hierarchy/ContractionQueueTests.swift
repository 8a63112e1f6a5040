// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CairnRouting

@Suite("The queue of nodes to contract")
struct ContractionQueueTests {
  @Test(
    "the least important node comes first, then the lowest index, whatever was raised or put back")
  func order() {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      // Few importances, so that many are equal.
      var importances = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Int.random(in: 0..<10, using: &random)
      }
      var queue = ContractionQueue(importances)
      var isOut = importances.map { _ in false }
      func least() -> Int32? {
        importances.indices.filter { !isOut[$0] }.min {
          (importances[$0], $0) < (importances[$1], $1)
        }
        .map { Int32($0) }
      }
      while let expected = least() {
        for node in importances.indices where Int.random(in: 0..<4, using: &random) == 0 {
          let difference = Int.random(in: 0..<6, using: &random)
          queue.raise(Int32(node), by: difference)
          if !isOut[node] { importances[node] += difference }
          let other = Int.random(in: importances.indices, using: &random)
          let importance = Int.random(in: 0..<10, using: &random)
          queue.update(Int32(other), importance)
          if !isOut[other] { importances[other] = importance }
        }
        let next = least()
        #expect(queue.pop() == next, "seed \(seed), \(expected) before nodes were raised")
        guard let node = next.map(Int.init) else { continue }
        isOut[node] = true
        let importance = Int.random(in: 0..<20, using: &random)
        let others = least().map { (importances[Int($0)], Int($0)) }
        let isNext = others.map { (importance, node) < $0 } ?? true
        #expect(queue.wouldPop(Int32(node), importance) == isNext, "seed \(seed)")
        if !isNext {
          importances[node] = importance
          isOut[node] = false
          queue.insert(Int32(node), importance)
        }
      }
      #expect(queue.pop() == nil)
    }
  }
}
