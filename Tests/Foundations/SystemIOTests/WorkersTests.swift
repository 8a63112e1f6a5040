// SPDX-License-Identifier: Apache-2.0
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Workers")
struct WorkersTests {
  @Test("each index is handed out once, whatever the number of workers", arguments: [1, 2, 7, 64])
  func handsOutEachIndexOnce(workers: Int) throws {
    let queue = WorkQueue(count: 10_000)
    let taken = Mutex<[Int]>([])
    try withWorkers(workers) { _ in
      var mine: [Int] = []
      while let index = queue.next() { mine.append(index) }
      #expect(mine == mine.sorted())
      taken.withLock { $0 += mine }
    }
    #expect(taken.withLock { $0.sorted() } == Array(0..<10_000))
    #expect(queue.next() == nil)
  }

  @Test("workers have their turns in the order of the indices", arguments: [1, 2, 5])
  func turns(workers: Int) throws {
    let (queue, turns) = (WorkQueue(count: 2000), Turns())
    let taken = Mutex<[Int]>([])
    try withWorkers(workers) { _ in
      while let index = queue.next() {
        #expect(turns.wait(for: index))
        taken.withLock { $0.append(index) }
        turns.end(index)
      }
    }
    #expect(taken.withLock { $0 } == Array(0..<2000))
  }

  @Test("nobody waits for a turn that was cancelled")
  func cancelledTurns() throws {
    let (queue, turns) = (WorkQueue(count: 100), Turns())
    let refused = Atomic<Int>(0)
    try withWorkers(4) { _ in
      while let index = queue.next() {
        if index == 10 { return turns.cancel() }
        guard turns.wait(for: index) else {
          refused.wrappingAdd(1, ordering: .relaxed)
          continue
        }
        turns.end(index)
      }
    }
    // Those before the tenth may have had their turns already.
    #expect(refused.load(ordering: .relaxed) >= 89)
  }

  @Test("nobody goes on before a milestone, and all see what was done before it")
  func milestones() throws {
    let (queue, milestone) = (WorkQueue(count: 4000), Milestone())
    nonisolated(unsafe) let done = UnsafeMutableBufferPointer<Int>.allocate(capacity: 4000)
    defer { done.deallocate() }
    done.initialize(repeating: 0)
    try withWorkers(4) { _ in
      while let index = queue.next() {
        // Rounds of a hundred, each of which needs all of the one before.
        let start = index / 100 * 100
        milestone.wait(for: start)
        done[index] = 1 + (done[max(0, start - 100)..<start].min() ?? 0)
        milestone.add(1)
      }
    }
    #expect(done.indices.allSatisfy { done[$0] == 1 + $0 / 100 })
  }

  @Test("workers may use every processor, wherever they begin", arguments: [1, 2, 5])
  func processors(workers: Int) throws {
    @Sendable func allowed() -> Substring? {
      systemText("/proc/thread-self/status").split(separator: "\n")
        .first { $0.hasPrefix("Cpus_allowed:") }
    }
    let before = try #require(allowed())
    try withWorkers(workers) { _ in #expect(allowed() == before) }
    #expect(allowed() == before)
  }

  @Test("every worker runs once, and there is always the calling thread")
  func runsEachWorkerOnce() throws {
    for (count, expected) in [(-1, [0]), (0, [0]), (1, [0]), (5, [0, 1, 2, 3, 4])] {
      let seen = Mutex<[Int]>([])
      try withWorkers(count) { worker in seen.withLock { $0.append(worker) } }
      #expect(seen.withLock { $0.sorted() } == expected)
    }
  }

  @Test("of several errors that of the first worker is thrown, after all workers have ended")
  func throwsTheFirstError() {
    for _ in 0..<20 {
      let ended = Atomic<Int>(0)
      let error = #expect(throws: TestFailure.self) {
        try withWorkers(8) { worker in
          defer { ended.wrappingAdd(1, ordering: .relaxed) }
          if worker >= 3 { throw TestFailure("worker \(worker)") }
        }
      }
      #expect(error?.description == "worker 3")
      #expect(ended.load(ordering: .relaxed) == 8)
    }
  }

  @Test("a cancelled or empty queue hands out nothing")
  func cancels() {
    let queue = WorkQueue(count: 10)
    #expect(queue.next() == 0)
    #expect(queue.next() == 1)
    queue.cancel()
    #expect(queue.next() == nil)
    #expect(queue.next() == nil)
    #expect(WorkQueue(count: 0).next() == nil)
    #expect(WorkQueue(count: -1).next() == nil)
  }

  @Test("there is a processor, and this process has used time and memory")
  func measures() {
    #expect(availableProcessors() >= 1)
    let use = ResourceUse.current()
    #expect(use.cpuSeconds > 0)
    #expect(use.peakBytes > 1 << 20)
    let start = monotonicSeconds()
    #expect(monotonicSeconds() >= start)
  }
}
