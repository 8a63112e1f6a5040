// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// The capacity of a machine for a run.
package struct Capacity: Equatable, Sendable {
  /// The most concurrent threads of all stages together, at least 1; see ``Scheduler`` for the end of
  /// a run.
  package var processors: Int
  /// Memory for the stages together, in bytes.
  package var memoryBytes: Int = .max
  /// The most threads for one batch.
  package var threadsPerBatch: Int = .max

  package init(processors: Int, memoryBytes: Int = .max, threadsPerBatch: Int = .max) {
    self.processors = processors
    self.memoryBytes = memoryBytes
    self.threadsPerBatch = threadsPerBatch
  }
}

/// The needs of a batch besides processors.
package struct Demand: Equatable, Sendable {
  /// Memory in bytes, at its peak.
  package var memoryBytes = 0
  /// Disk space in bytes, for its result.
  package var diskBytes = 0

  package init(memoryBytes: Int = 0, diskBytes: Int = 0) {
    self.memoryBytes = memoryBytes
    self.diskBytes = diskBytes
  }
}

/// The resources granted to a batch.
package struct Grant: Equatable, Sendable {
  /// The number of threads, at least 1.
  package var threads: Int
  /// The reservation: the requested amount, or as much of it as exists. Nil if nothing was
  /// requested yet; after a request, the batch must try before requesting again.
  package var demand: Demand?
  /// Whether it has threads beyond its share, for what others leave over.
  package var yields = false

  package init(threads: Int, demand: Demand? = nil) {
    self.threads = threads
    self.demand = demand
  }
}

/// Returns a batch to the queue.
package struct Deferral: Equatable, Sendable {
  /// The actions of the batch that are left.
  package var actions: [Int]
  /// Its needs; it starts again when that much is free, or when nothing else is running.
  package var demand: Demand

  package init(actions: [Int], demand: Demand) {
    self.actions = actions
    self.demand = demand
  }
}

/// Runs batches of interdependent actions, several at a time.
///
/// A batch starts without a reservation, since most find their results in the store. One with work
/// to do states its needs and returns to the queue until they are free. Among the batches that
/// could start, the one with the lowest priority value starts, then the one with the lowest index.
/// Processors are shared: with as many batches as processors each gets one, and the last batch gets
/// all; so does, beside others, the longest one that outlasts all that have not started, for what
/// these leave over. A batch that has finished one action of several keeps one of its processors.
/// Actions that depend on a failed one are left out.
///
/// Some batches only wait for the disk: they need no processor, and start as soon as possible.
package struct Scheduler: Sendable {
  private struct State {
    var missing: [Int]
    var ready: Set<Int>
    /// The rest of the batches that returned to the queue.
    var deferred: [Int: Deferral] = [:]
    var running: [Int: Grant] = [:]
    var isOver: [Bool]
  }

  /// For each action the batches that need it.
  private let dependents: [[Int]]
  private let batches: [[Int]]
  private let priorities: [Int]
  private let weights: [Double]
  /// The batches that need no processor.
  private let waiting: Set<Int>
  private let state: Monitor<State>

  /// - Parameters:
  ///   - batches: The actions of each batch; every action is in one.
  ///   - dependencies: The prerequisites of each action.
  ///   - priorities: The position of each batch in the order; their own order if empty.
  ///   - weights: The time of each batch in any unit. Without them, no more threads than processors run
  ///     at any time.
  ///   - waiting: The batches that need no processor.
  package init(
    batches: [[Int]], dependencies: [[Int]], priorities: [Int] = [], weights: [Double] = [],
    waiting: Set<Int> = []
  ) {
    self.batches = batches
    self.waiting = waiting
    self.weights = weights
    self.priorities = priorities.count == batches.count ? priorities : Array(batches.indices)
    var dependents = [[Int]](repeating: [], count: dependencies.count)
    var missing = [Int](repeating: 0, count: batches.count)
    for (batch, actions) in batches.enumerated() {
      for dependency in actions.flatMap({ dependencies[$0] }) {
        dependents[dependency].append(batch)
        missing[batch] += 1
      }
    }
    self.dependents = dependents
    let ready = batches.indices.filter { [missing] in missing[$0] == 0 }
    state = Monitor(
      State(
        missing: missing, ready: Set(ready),
        isOver: Array(repeating: false, count: batches.count)))
  }

  /// The number of concurrent batches that need no processor.
  private static let waitingLimit = 2

  /// Runs the batches and returns when nothing more can be done.
  ///
  /// - Parameters:
  ///   - freeDisk: The free bytes on the disk for results.
  ///   - isStopped: Whether no further batch may start.
  ///   - perform: Runs the actions of a batch, and calls `done` once for each successful one, as
  ///     early as possible, after which others may use its result. It is called again later with
  ///     its return value.
  package func run(
    capacity: Capacity, freeDisk: @escaping @Sendable () -> Int = { .max },
    isStopped: @escaping @Sendable () -> Bool,
    perform:
      @escaping @Sendable (
        _ actions: [Int], _ grant: Grant, _ done: (Int) -> Void
      ) -> Deferral?
  ) throws {
    let workers = min(capacity.processors, max(1, batches.count - waiting.count))
    try withWorkers(workers + min(waiting.count, Self.waitingLimit)) { _ in
      while let (batch, actions, grant) = next(capacity, freeDisk, isStopped) {
        var left = actions.count
        let deferral = perform(actions, grant) { action in
          left -= 1
          finish(action, of: batch, isLast: left == 0)
        }
        state.access { state in
          if left > 0 { state.running[batch] = nil }
          guard var deferral else { return state.isOver[batch] = true }
          deferral.demand.memoryBytes = min(deferral.demand.memoryBytes, capacity.memoryBytes)
          state.deferred[batch] = deferral
          state.ready.insert(batch)
        }
      }
    }
  }

  /// Makes the result of an action available. The last one of its batch releases all resources of
  /// the batch at the same time, so that a single successor gets all of them; others release all
  /// processors except one.
  private func finish(_ action: Int, of batch: Int, isLast: Bool) {
    state.access { state in
      if isLast {
        state.running[batch] = nil
        state.isOver[batch] = true
      } else {
        state.running[batch]?.threads = 1
      }
      for batch in dependents[action] {
        state.missing[batch] -= 1
        if state.missing[batch] == 0 { state.ready.insert(batch) }
      }
    }
  }

  private func next(
    _ capacity: Capacity, _ freeDisk: () -> Int, _ isStopped: () -> Bool
  ) -> (batch: Int, actions: [Int], grant: Grant)? {
    let next: (Int, [Int], Grant)?? = state.wait { state in
      if isStopped() || state.ready.isEmpty && state.running.isEmpty { return .some(nil) }
      if let batch = nextWaiting(state) {
        state.ready.remove(batch)
        state.running[batch] = Grant(threads: 0)
        return (batch, batches[batch], Grant(threads: 1))
      }
      let used = state.running.values.reduce(0) { $0 + $1.threads }
      guard used < capacity.processors, let batch = choose(state, capacity, freeDisk) else {
        return nil
      }
      let ready = state.ready.count { !waiting.contains($0) }
      let share = max(1, (capacity.processors - used) / max(1, ready))
      let deferral = state.deferred.removeValue(forKey: batch)
      var grant = Grant(
        threads: min(share, capacity.threadsPerBatch), demand: deferral?.demand)
      state.ready.remove(batch)
      // Others may start beside it as if it had no more than its share.
      state.running[batch] = grant
      if outlasts(batch, state) {
        let share = grant.threads
        grant.threads = min(capacity.processors, capacity.threadsPerBatch)
        grant.yields = grant.threads > share
      }
      return (batch, deferral?.actions ?? batches[batch], grant)
    }
    return next ?? nil
  }

  /// Whether the end of the run waits for a batch: whether it takes longer than each that is running,
  /// and than all together that have not started and do not need its results.
  private func outlasts(_ batch: Int, _ state: State) -> Bool {
    guard weights.count == batches.count,
      state.running.keys.allSatisfy({ weights[$0] <= weights[batch] })
    else { return false }
    var behind: Set = [batch]
    var open = [batch]
    while let next = open.popLast() {
      for dependent in batches[next].flatMap({ dependents[$0] })
      where behind.insert(dependent).inserted {
        open.append(dependent)
      }
    }
    let others = batches.indices.reduce(0) { sum, other in
      state.isOver[other] || state.running[other] != nil || behind.contains(other)
        ? sum : sum + weights[other]
    }
    return weights[batch] > others
  }

  /// The batch without need of a processor to start now, if any.
  private func nextWaiting(_ state: State) -> Int? {
    guard !waiting.isEmpty,
      state.running.keys.count(where: waiting.contains) < Self.waitingLimit
    else { return nil }
    return state.ready.filter(waiting.contains).min { (priorities[$0], $0) < (priorities[$1], $1) }
  }

  /// The batch to start now; nil if there is no room for any that is ready.
  private func choose(_ state: State, _ capacity: Capacity, _ freeDisk: () -> Int) -> Int? {
    let order = state.ready.filter { !waiting.contains($0) }
      .sorted { (priorities[$0], $0) < (priorities[$1], $1) }
    // Alone, a batch is tried whatever its estimate.
    if state.running.isEmpty { return order.first }
    let memory = state.running.values.reduce(0) { $0 &+ ($1.demand?.memoryBytes ?? 0) }
    let disk = state.running.values.reduce(0) { $0 &+ ($1.demand?.diskBytes ?? 0) }
    var free: Int?
    return order.first { batch in
      guard let demand = state.deferred[batch]?.demand else { return true }
      guard demand.memoryBytes <= capacity.memoryBytes - memory || memory == 0 else { return false }
      if demand.diskBytes == 0 { return true }
      let room = free ?? freeDisk()
      free = room
      return demand.diskBytes <= room - disk
    }
  }
}
