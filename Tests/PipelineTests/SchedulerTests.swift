// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import Pipeline

@Suite("Scheduler")
struct SchedulerTests {
  private final class Record: Sendable {
    let order = Mutex<[Int]>([])
    let running = Mutex((now: 0, most: 0))
  }

  @Test("everything is done once and after what it depends on", arguments: [1, 2, 5, 50])
  func order(jobs: Int) throws {
    let dependencies = (0..<60).map {
      $0 % 6 == 0 ? [] : $0 % 6 == 5 ? [$0 - 1, $0 - 5] : [$0 - 1]
    }
    let record = Record()
    try Scheduler(dependencies: dependencies).run(jobs: jobs, isStopped: { false }) {
      number, most in
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
    try Scheduler(dependencies: [[], [0], [1], [], [3], [4]])
      .run(jobs: 1, isStopped: { false }) { number, _ in
        record.order.withLock { $0.append(number) }
        return true
      }
    #expect(record.order.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test("what depends on a failure is left out, the rest is done")
  func failure() throws {
    let record = Record()
    try Scheduler(dependencies: [[], [0], [1], [], [3], [4, 1]])
      .run(jobs: 2, isStopped: { false }) { number, _ in
        record.order.withLock { $0.append(number) }
        return number != 1
      }
    #expect(record.order.withLock { $0 }.sorted() == [0, 1, 3, 4])
  }

  @Test("nothing begins after a stop")
  func stop() throws {
    let record = Record()
    try Scheduler(dependencies: [[], [0], [1], []])
      .run(jobs: 2, isStopped: { record.order.withLock { !$0.isEmpty } }) { number, _ in
        record.order.withLock { $0.append(number) }
        return true
      }
    #expect(record.order.withLock { $0.count } <= 2)
  }
}
