// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// What a machine has for a run.
struct Capacity: Equatable, Sendable {
  /// Threads that may be at work at a time, in all stages together; at least 1.
  var processors: Int
  /// Memory that the stages may use together, in bytes.
  var memoryBytes: Int = .max
  /// The most threads that are given to one job.
  var threadsPerJob: Int = .max
}

/// What a job needs besides processors.
struct Demand: Equatable, Sendable {
  /// Memory in bytes, at its peak.
  var memoryBytes = 0
  /// Room on the disk in bytes, for its result.
  var diskBytes = 0
}

/// What a job was given.
struct Grant: Equatable, Sendable {
  /// The threads that it may use, at least 1.
  var threads: Int
  /// What was set aside for it: what it asked for, or as much of that as there is. Nil if it has
  /// not asked yet; one that has is not to ask again before it has tried.
  var demand: Demand?
}

/// A job that goes back to the queue.
struct Deferral: Equatable, Sendable {
  /// The actions that are left of it.
  var actions: [Int]
  /// What it needs; it is begun again when there is as much, or when nothing else is at work.
  var demand: Demand
}

/// Does jobs that depend on each other, several at a time. A job brings about one action or more.
///
/// A job begins with nothing set aside for it: most find their result in the store. One that finds
/// that there is work to do says what it needs and comes back for it. Of those that could begin
/// the one with the lowest rank does, and of those the one with the lowest number. Processors are
/// shared out: where there are as many jobs as processors each has one, the last job has all. A job
/// that hands on one result and still has others to hand on keeps one of its processors. What
/// depends on a failed action is left out.
struct Scheduler: Sendable {
  private struct State {
    var missing: [Int]
    var ready: Set<Int>
    /// What is left of the jobs that came back.
    var deferred: [Int: Deferral] = [:]
    var running: [Int: Grant] = [:]
  }

  /// For each action the jobs that need it.
  private let dependents: [[Int]]
  private let jobs: [[Int]]
  private let ranks: [Int]
  private let state: Monitor<State>

  /// - Parameters:
  ///   - jobs: The actions of each job; every action is in one.
  ///   - dependencies: For each action those that must be done before.
  ///   - ranks: For each job its place in the order; by their numbers if it is empty.
  init(jobs: [[Int]], dependencies: [[Int]], ranks: [Int] = []) {
    self.jobs = jobs
    self.ranks = ranks.count == jobs.count ? ranks : Array(jobs.indices)
    var dependents = [[Int]](repeating: [], count: dependencies.count)
    var missing = [Int](repeating: 0, count: jobs.count)
    for (job, actions) in jobs.enumerated() {
      for dependency in actions.flatMap({ dependencies[$0] }) {
        dependents[dependency].append(job)
        missing[job] += 1
      }
    }
    self.dependents = dependents
    let ready = jobs.indices.filter { [missing] in missing[$0] == 0 }
    state = Monitor(State(missing: missing, ready: Set(ready)))
  }

  /// Works on jobs and returns when nothing more can be done.
  ///
  /// - Parameters:
  ///   - freeDisk: The bytes that are free where the results go.
  ///   - isStopped: Whether no further job may begin.
  ///   - perform: Does the actions of a job, and calls `done` with each one that succeeded, once
  ///     and as early as it can: others may build on it from then on. What it returns comes back
  ///     to it later.
  func run(
    capacity: Capacity, freeDisk: @escaping @Sendable () -> Int = { .max },
    isStopped: @escaping @Sendable () -> Bool,
    perform:
      @escaping @Sendable (
        _ actions: [Int], _ grant: Grant, _ done: (Int) -> Void
      ) -> Deferral?
  ) throws {
    try withWorkers(min(capacity.processors, max(1, jobs.count))) { _ in
      while let (job, actions, grant) = next(capacity, freeDisk, isStopped) {
        var left = actions.count
        let deferral = perform(actions, grant) { action in
          left -= 1
          finish(action, of: job, isLast: left == 0)
        }
        state.access { state in
          if left > 0 { state.running[job] = nil }
          guard var deferral else { return }
          deferral.demand.memoryBytes = min(deferral.demand.memoryBytes, capacity.memoryBytes)
          state.deferred[job] = deferral
          state.ready.insert(job)
        }
      }
    }
  }

  /// Lets others build on an action. With the last one of its job, what that had is free again, at
  /// the same time, so that a single successor finds all of it; with another one, all processors
  /// but the one that hands on the rest.
  private func finish(_ action: Int, of job: Int, isLast: Bool) {
    state.access { state in
      if isLast { state.running[job] = nil } else { state.running[job]?.threads = 1 }
      for job in dependents[action] {
        state.missing[job] -= 1
        if state.missing[job] == 0 { state.ready.insert(job) }
      }
    }
  }

  private func next(
    _ capacity: Capacity, _ freeDisk: () -> Int, _ isStopped: () -> Bool
  ) -> (job: Int, actions: [Int], grant: Grant)? {
    let next: (Int, [Int], Grant)?? = state.wait { state in
      if isStopped() || state.ready.isEmpty && state.running.isEmpty { return .some(nil) }
      let used = state.running.values.reduce(0) { $0 + $1.threads }
      guard used < capacity.processors, let job = choose(state, capacity, freeDisk) else {
        return nil
      }
      let share = max(1, (capacity.processors - used) / state.ready.count)
      let threads = min(share, capacity.threadsPerJob)
      let deferral = state.deferred.removeValue(forKey: job)
      let grant = Grant(threads: threads, demand: deferral?.demand)
      state.ready.remove(job)
      state.running[job] = grant
      return (job, deferral?.actions ?? jobs[job], grant)
    }
    return next ?? nil
  }

  /// The job to begin now, or nil if none of those that are ready has room.
  private func choose(_ state: State, _ capacity: Capacity, _ freeDisk: () -> Int) -> Int? {
    let order = state.ready.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    // Alone, a job is tried whatever it needs: an estimate must not keep it from being done.
    if state.running.isEmpty { return order.first }
    let memory = state.running.values.reduce(0) { $0 &+ ($1.demand?.memoryBytes ?? 0) }
    let disk = state.running.values.reduce(0) { $0 &+ ($1.demand?.diskBytes ?? 0) }
    var free: Int?
    return order.first { job in
      guard let demand = state.deferred[job]?.demand else { return true }
      guard demand.memoryBytes <= capacity.memoryBytes - memory || memory == 0 else { return false }
      if demand.diskBytes == 0 { return true }
      let room = free ?? freeDisk()
      free = room
      return demand.diskBytes <= room - disk
    }
  }
}
