// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import Testing

@Suite struct MutexTests {
  private struct Refusal: Error, Equatable {}

  @Test("of many tasks one at a time changes the value")
  func oneAtATime() async {
    let counts = Mutex((sum: 0, inside: 0, most: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<5000 {
            counts.withLock { counts in
              counts.inside += 1
              counts.most = max(counts.most, counts.inside)
              counts.sum += 1
              counts.inside -= 1
            }
          }
        }
      }
    }
    #expect(counts.withLock { $0.sum } == 40_000)
    #expect(counts.withLock { $0.most } == 1)
  }

  @Test("what the body throws comes out, and the lock is free")
  func throwing() {
    let text = Mutex("before")
    #expect(throws: Refusal()) {
      try text.withLock { text throws(Refusal) in
        text = "after"
        throw Refusal()
      }
    }
    #expect(text.withLock { $0 } == "after")
  }

  @Test("the value goes with the lock")
  func ending() {
    final class Guest: Sendable {}
    weak var guest: Guest?
    do {
      let created = Guest()
      guest = created
      let mutex = Mutex<Guest?>(created)
      #expect(mutex.withLock { $0 != nil })
    }
    #expect(guest == nil)
  }
}
