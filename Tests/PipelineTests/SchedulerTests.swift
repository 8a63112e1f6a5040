// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import Testing

@testable import Pipeline

@Suite("Scheduler")
struct SchedulerTests {
  private final class Record: Sendable {
    let order = Mutex<[Int]>([])
    let running = Mutex((now: 0, most: 0))
  }

  /// Runs jobs of one action each.
  private func run(
    _ dependencies: [[Int]], limit: Int, isStopped: @escaping @Sendable () -> Bool = { false },
    _ perform: @escaping @Sendable (_ number: Int, _ concurrent: Int) -> Bool
  ) throws {
    let scheduler = Scheduler(jobs: dependencies.indices.map { [$0] }, dependencies: dependencies)
    try scheduler.run(limit: limit, isStopped: isStopped) { actions, concurrent, done in
      for action in actions where perform(action, concurrent) { done(action) }
    }
  }

  @Test("everything is done once and after what it depends on", arguments: [1, 2, 5, 50])
  func order(jobs: Int) throws {
    let dependencies = (0..<60).map {
      $0 % 6 == 0 ? [] : $0 % 6 == 5 ? [$0 - 1, $0 - 5] : [$0 - 1]
    }
    let record = Record()
    try run(dependencies, limit: jobs) { number, most in
      record.running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      #expect((1...jobs).contains(most))
      record.order.withLock { $0.append(number) }
      record.running.withLock { $0.now -= 1 }
      return true
    }
    let order = record.order.withLock { $0 }
    #expect(order.sorted() == Array(0..<60))
    #expect(record.running.withLock { $0.most } <= jobs)
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    for (number, list) in dependencies.enumerated() {
      for dependency in list {
        #expect(places[dependency, default: 99] < places[number, default: 0])
      }
    }
  }

  @Test("one job finishes what it began before it begins the next")
  func depthFirst() throws {
    let record = Record()
    try run([[], [0], [1], [], [3], [4]], limit: 1) { number, _ in
      record.order.withLock { $0.append(number) }
      return true
    }
    #expect(record.order.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test("what depends on a failure is left out, the rest is done")
  func failure() throws {
    let record = Record()
    try run([[], [0], [1], [], [3], [4, 1]], limit: 2) { number, _ in
      record.order.withLock { $0.append(number) }
      return number != 1
    }
    #expect(record.order.withLock { $0 }.sorted() == [0, 1, 3, 4])
  }

  @Test("nothing begins after a stop")
  func stop() throws {
    let record = Record()
    let isStopped: @Sendable () -> Bool = { record.order.withLock { !$0.isEmpty } }
    try run([[], [0], [1], []], limit: 2, isStopped: isStopped) { number, _ in
      record.order.withLock { $0.append(number) }
      return true
    }
    #expect(record.order.withLock { $0.count } <= 2)
  }

  @Test("a job of several actions hands each on as soon as it is done")
  func jobOfSeveral() throws {
    let record = Record()
    // 0, 1 and 2 are one job; 3, 4 and 5 wait for one of them each.
    let scheduler = Scheduler(
      jobs: [[0, 1, 2], [3], [4], [5]], dependencies: [[], [], [], [0], [1], [2]])
    try scheduler.run(limit: 2, isStopped: { false }) { actions, _, done in
      if actions.count > 1 {
        done(1)
        // The job goes on while another thread already builds on what is done.
        for _ in 0..<5000 where record.order.withLock({ !$0.contains(4) }) { usleep(1000) }
        done(0)
      }
      record.order.withLock { $0 += actions }
    }
    // 3 may run beside the end of the job, 4 has run before it, 5 never may.
    let order = record.order.withLock { $0 }
    #expect(order.first == 4)
    #expect(order.sorted() == [0, 1, 2, 3, 4])
  }
}
