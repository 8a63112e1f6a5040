// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Testing

@Suite("Priority queue")
struct PriorityQueueTests {
  @Test("items come out by priority and then by number, as if sorted")
  func sorts() {
    var random = SplitMix64(seed: 7)
    for count in [0, 1, 2, 3, 10, 100, 1000] {
      var queue = PriorityQueue()
      // Few priorities, so that many are equal.
      let entries = (0..<count).map { _ in
        (priority: Double(random.next() % 16), item: Int(random.next() % 8))
      }
      for entry in entries { queue.push(entry.item, priority: entry.priority) }
      var popped: [(priority: Double, item: Int)] = []
      while let next = queue.pop() { popped.append((next.priority, next.item)) }
      #expect(popped.elementsEqual(entries.sorted(by: <), by: ==))
      #expect(queue.pop() == nil)
    }
  }
}
