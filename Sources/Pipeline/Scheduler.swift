// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Does pieces of work that depend on each other, several at a time.
///
/// Of those that could begin the one with the lowest number does: with a region's actions
/// numbered together, a region that was begun is finished before another one is. What depends on
/// a failed piece is left out.
struct Scheduler: Sendable {
  private struct State {
    var missing: [Int]
    var ready: Set<Int>
    var running = 0
  }

  private let dependents: [[Int]]
  private let state: Monitor<State>

  /// - Parameter dependencies: For each piece the numbers of those that must be done before.
  init(dependencies: [[Int]]) {
    var dependents = [[Int]](repeating: [], count: dependencies.count)
    for (number, list) in dependencies.enumerated() {
      for dependency in list { dependents[dependency].append(number) }
    }
    self.dependents = dependents
    let ready = dependencies.indices.filter { dependencies[$0].isEmpty }
    state = Monitor(State(missing: dependencies.map(\.count), ready: Set(ready)))
  }

  /// Works on at most `jobs` pieces at a time and returns when nothing more can be done.
  ///
  /// - Parameters:
  ///   - isStopped: Whether no further piece may begin.
  ///   - perform: Does a piece; the second number says how many are at work or could be, this
  ///     one included, at most `jobs`. Returns whether it is done and others may build on it.
  func run(
    jobs: Int, isStopped: @escaping @Sendable () -> Bool,
    perform: @escaping @Sendable (_ number: Int, _ concurrent: Int) -> Bool
  ) throws {
    try withWorkers(min(jobs, max(1, dependents.count))) { _ in
      while let (number, concurrent) = next(jobs: jobs, isStopped: isStopped) {
        let isDone = perform(number, concurrent)
        state.access { state in
          state.running -= 1
          guard isDone else { return }
          for dependent in dependents[number] {
            state.missing[dependent] -= 1
            if state.missing[dependent] == 0 { state.ready.insert(dependent) }
          }
        }
      }
    }
  }

  private func next(jobs: Int, isStopped: () -> Bool) -> (number: Int, concurrent: Int)? {
    let next: (Int, Int)?? = state.wait { state in
      if isStopped() { return .some(nil) }
      guard let number = state.ready.min() else {
        return state.running == 0 ? .some(nil) : nil
      }
      let concurrent = min(jobs, state.running + state.ready.count)
      state.ready.remove(number)
      state.running += 1
      return (number, concurrent)
    }
    return next ?? nil
  }
}
