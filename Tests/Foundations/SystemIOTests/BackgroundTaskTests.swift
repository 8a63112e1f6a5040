// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
import Testing

@testable import SystemIO

@Suite("Background tasks")
struct BackgroundTaskTests {
  @Test("a value is computed once, however many ask for it", arguments: [1, 2])
  func once(threads: Int) throws {
    let (counter, calls) = (Counter(), Counter())
    let task = BackgroundTask(threads: threads) { _ throws(CairnError) in counter.next() }
    try withWorkers(4) { _ in
      let value = try task.value()
      #expect(value == 1)
      _ = calls.next()
    }
    #expect(counter.next() == 2)
    #expect(calls.next() == 5)
  }

  @Test("all who ask get the error", arguments: [1, 2])
  func failure(threads: Int) {
    let task = BackgroundTask<Int>(threads: threads) { _ throws(CairnError) in
      throw CairnError("test", .dataError, "a message")
    }
    for _ in 0..<2 { #expect(throws: CairnError.self) { try task.value() } }
  }

  @Test("a value that nobody asks for is not computed on one thread")
  func unasked() {
    let counter = Counter()
    do {
      let task = BackgroundTask(threads: 1) { _ throws(CairnError) in counter.next() }
      withExtendedLifetime(task) {}
    }
    #expect(counter.next() == 1)
  }

  @Test("a task that nobody can ask any more is told so, and has ended when it is gone")
  func unwanted() {
    let counter = Counter()
    do {
      let task = BackgroundTask(threads: 2) { isWanted throws(CairnError) in
        while isWanted() {}
        return counter.next()
      }
      withExtendedLifetime(task) {}
    }
    #expect(counter.next() == 2)
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }
}
