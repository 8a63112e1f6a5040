// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SystemIO
import Testing

@Suite("Crews")
struct CrewTests {
  @Test("each part of each loop is done once, and loops follow one another", arguments: [1, 2, 7])
  func loops(threads: Int) {
    let order = Mutex<[Int]>([])
    let (aside, main) = Crew.run(threads: threads) {
      "aside"
    } main: { crew in
      for loop in 0..<20 {
        crew.forEach(10) { part in order.withLock { $0.append(loop * 10 + part) } }
      }
      crew.forEach(0) { _ in order.withLock { $0.append(-1) } }
      return crew.threads
    }
    #expect(aside == "aside" && main == threads)
    let parts = order.withLock { $0 }
    #expect(parts.sorted() == Array(0..<200))
    #expect(parts.map { $0 / 10 } == parts.map { $0 / 10 }.sorted())
  }

  @Test("a thread that is done with its own task helps with the loop", .timeLimit(.minutes(1)))
  func helps() {
    let begun = Monitor(0)
    _ = Crew.run(threads: 2) {
    } main: { crew in
      // Each of the two parts waits until the other one has begun.
      crew.forEach(2) { _ in
        begun.access { $0 += 1 }
        begun.wait { $0 == 2 ? () : nil }
      }
    }
    #expect(begun.access { $0 } == 2)
  }
}
