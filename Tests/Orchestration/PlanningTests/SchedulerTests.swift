// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import SystemIO
import Testing

@testable import Planning

@Suite("Scheduler")
struct SchedulerTests {
  private final class Record: Sendable {
    let order = Mutex<[Int]>([])
    let running = Mutex((now: 0, most: 0))
  }

  /// Runs batches of one action each.
  private func run(
    _ dependencies: [[Int]], limit: Int, isStopped: @escaping @Sendable () -> Bool = { false },
    _ perform: @escaping @Sendable (_ number: Int, _ threads: Int) -> Bool
  ) throws {
    let scheduler = Scheduler(
      batches: dependencies.indices.map { [$0] }, dependencies: dependencies)
    try scheduler.run(capacity: .init(processors: limit), isStopped: isStopped) {
      actions, grant, done in
      for action in actions where perform(action, grant.threads) { done(action) }
      return nil
    }
  }

  @Test("everything is done once and after what it depends on", arguments: [1, 2, 5, 50])
  func order(processors: Int) throws {
    let dependencies = (0..<60).map {
      $0 % 6 == 0 ? [] : $0 % 6 == 5 ? [$0 - 1, $0 - 5] : [$0 - 1]
    }
    let record = Record()
    try run(dependencies, limit: processors) { number, most in
      record.running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      #expect((1...processors).contains(most))
      record.order.withLock { $0.append(number) }
      record.running.withLock { $0.now -= 1 }
      return true
    }
    let order = record.order.withLock { $0 }
    #expect(order.sorted() == Array(0..<60))
    #expect(record.running.withLock { $0.most } <= processors)
    let positions = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    for (number, list) in dependencies.enumerated() {
      for dependency in list {
        #expect(positions[dependency, default: 99] < positions[number, default: 0])
      }
    }
  }

  @Test(
    "what only waits needs no processor: the next stage begins meanwhile", .timeLimit(.minutes(1)))
  func waitingBatches() throws {
    // Two regions of a stage and a publication each.
    let scheduler = Scheduler(
      batches: [[0], [1], [2], [3]], dependencies: [[], [0], [], [2]], waiting: [1, 3])
    let begun = Monitor<Set<Int>>([])
    let running = Mutex((now: 0, most: 0))
    try scheduler.run(capacity: .init(processors: 1), isStopped: { false }) { actions, _, done in
      for action in actions {
        begun.access { _ = $0.insert(action) }
        if action % 2 == 0 {
          running.withLock { running in
            running.now += 1
            running.most = max(running.most, running.now)
          }
          // The second stage ends when the first publication has begun, and that when it has.
          begun.wait { action == 0 || $0.contains(1) ? () : nil }
          running.withLock { $0.now -= 1 }
        } else {
          begun.wait { $0.contains(2) ? () : nil }
        }
        done(action)
      }
      return nil
    }
    #expect(begun.access { $0 } == [0, 1, 2, 3])
    #expect(running.withLock { $0.most } == 1)
  }

  @Test("one processor finishes a region before it begins the next")
  func depthFirst() throws {
    let record = Record()
    try run([[], [0], [1], [], [3], [4]], limit: 1) { number, _ in
      record.order.withLock { $0.append(number) }
      return true
    }
    #expect(record.order.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test("what depends on a failure is left out, everything else is done")
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

  @Test("a batch hands over each of its actions as soon as it is done")
  func batchOfSeveral() throws {
    let record = Record()
    // 0, 1 and 2 are one batch, which is given all processors; 3, 4 and 5 wait for one of them each.
    let scheduler = Scheduler(
      batches: [[0, 1, 2], [3], [4], [5]], dependencies: [[], [], [], [0], [1], [2]])
    try scheduler.run(capacity: .init(processors: 3), isStopped: { false }) {
      actions, grant, done in
      if actions.count > 1 {
        #expect(grant.threads == 3)
        done(1)
        // The batch goes on while another thread already uses what is done.
        for _ in 0..<5000 where record.order.withLock({ !$0.contains(4) }) { usleep(1000) }
        done(0)
      }
      record.order.withLock { $0 += actions }
      return nil
    }
    // 3 may run beside the end of the batch, 4 has run before it, 5 never may.
    let order = record.order.withLock { $0 }
    #expect(order.first == 4)
    #expect(order.sorted() == [0, 1, 2, 3, 4])
  }

  @Test("of the batches that could begin, the one with the lowest priority value does")
  func priorities() throws {
    let record = Record()
    let scheduler = Scheduler(
      batches: [[0], [1], [2], [3]], dependencies: [[], [], [], [2]], priorities: [7, 5, 1, 1])
    try scheduler.run(capacity: .init(processors: 1), isStopped: { false }) { actions, _, done in
      record.order.withLock { $0 += actions }
      for action in actions { done(action) }
      return nil
    }
    #expect(record.order.withLock { $0 } == [2, 3, 1, 0])
  }

  @Test("processors are shared, and the last batch has all of them")
  func threads() throws {
    let threads = Mutex<[Int: Int]>([:])
    let barrier = Record()
    // 0…3 run together, 4 waits for all of them.
    try run([[], [], [], [], [0, 1, 2, 3]], limit: 6) { number, given in
      threads.withLock { $0[number] = given }
      barrier.order.withLock { $0.append(number) }
      for _ in 0..<5000 where number < 4 && barrier.order.withLock({ $0.count }) < 4 {
        usleep(1000)
      }
      return true
    }
    let given = threads.withLock { $0 }
    #expect((0..<4).map { given[$0] ?? 0 }.sorted() == [1, 1, 2, 2])
    #expect(given[4] == 6)
  }

  @Test("the longest batch has all processors if it outlasts those that have not started")
  func longest() throws {
    // 2 and 3 wait for 0 and 1, and 4 for 3; 5 is over before they start.
    for (weights, expected) in [
      ([1.0, 1, 3, 1, 9, 9], [2: 1, 3: 1]), ([1, 1, 3, 12, 5, 9], [2: 1, 3: 2]),
      ([1, 1, 5, 2, 2, 9], [2: 2, 3: 1]), ([1, 1, 5, 3, 2, 9], [2: 1, 3: 1]),
    ] {
      let threads = Mutex<[Int: Int]>([:])
      let yielding = Mutex<Set<Int>>([])
      let barrier = Record()
      let scheduler = Scheduler(
        batches: (0..<6).map { [$0] }, dependencies: [[5], [5], [0, 1], [0, 1], [3], []],
        weights: weights)
      try scheduler.run(capacity: .init(processors: 2), isStopped: { false }) {
        actions, grant, done in
        threads.withLock { $0[actions[0]] = grant.threads }
        if grant.yields { yielding.withLock { _ = $0.insert(actions[0]) } }
        barrier.order.withLock { $0.append(actions[0]) }
        // 0 and 1 run together, and so do 2 and 3.
        for _ in 0..<5000
        where (2...3).contains(actions[0]) && barrier.order.withLock({ $0.count }) < 5 {
          usleep(1000)
        }
        done(actions[0])
        return nil
      }
      let given = threads.withLock { $0 }
      #expect([2, 3].allSatisfy { given[$0] == expected[$0] }, "\(weights) \(given)")
      // Beyond its share, it takes what the other one leaves over.
      let beyond = Set([2, 3].filter { expected[$0] == 2 })
      #expect(yielding.withLock { $0 }.intersection([2, 3]) == beyond, "\(weights)")
    }
  }

  @Test(
    "batches that together need too much memory or disk run one after the other",
    arguments: 1...5, [Demand(memoryBytes: 40), Demand(diskBytes: 40)])
  func admission(processors: Int, demand: Demand) throws {
    let record = Record()
    let scheduler = Scheduler(
      batches: (0..<6).map { [$0] }, dependencies: Array(repeating: [], count: 6))
    try scheduler.run(
      capacity: .init(processors: processors, memoryBytes: 100), freeDisk: { 100 },
      isStopped: { false }
    ) { actions, grant, done in
      if grant.demand == nil { return Deferral(actions: actions, demand: demand) }
      record.running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      usleep(2000)
      record.running.withLock { $0.now -= 1 }
      record.order.withLock { $0 += actions }
      for action in actions { done(action) }
      return nil
    }
    #expect(record.order.withLock { $0 }.sorted() == Array(0..<6))
    #expect(record.running.withLock { $0.most } <= 2)
  }

  @Test("a batch that needs more than the machine has is tried alone")
  func tooMuch() throws {
    let record = Record()
    let scheduler = Scheduler(batches: [[0], [1]], dependencies: [[], []])
    try scheduler.run(
      capacity: .init(processors: 2, memoryBytes: 100), freeDisk: { 5 }, isStopped: { false }
    ) { actions, grant, done in
      guard let demand = grant.demand else {
        return Deferral(
          actions: actions, demand: Demand(memoryBytes: actions == [0] ? 999 : 10, diskBytes: 1000))
      }
      #expect(demand.memoryBytes <= 100)
      record.running.withLock { running in
        running.now += 1
        running.most = max(running.most, running.now)
      }
      usleep(2000)
      record.running.withLock { $0.now -= 1 }
      for action in actions { done(action) }
      return nil
    }
    #expect(record.running.withLock { $0.most } == 1)
  }

  @Test("a batch that returns to the queue keeps the actions that are left")
  func leftOver() throws {
    let calls = Mutex<[[Int]]>([])
    let scheduler = Scheduler(batches: [[0, 1, 2]], dependencies: [[], [], []])
    try scheduler.run(capacity: .init(processors: 1), isStopped: { false }) { actions, _, done in
      calls.withLock { $0.append(actions) }
      done(actions[0])
      let rest = Array(actions.dropFirst())
      return rest.isEmpty ? nil : Deferral(actions: rest, demand: Demand())
    }
    #expect(calls.withLock { $0 } == [[0, 1, 2], [1, 2], [2]])
  }
}
