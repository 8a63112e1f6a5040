// SPDX-License-Identifier: Apache-2.0

/// Threads that share the loops of a task: idle threads help the thread that runs the task.
package final class Crew: Sendable {
  private struct Loop {
    let body: @Sendable (Int) -> Void
    let count: Int
    /// The processor of the thread that runs the task.
    let processor = Processors.current
    var next = 0
    var running = 0
  }

  /// A call of a loop.
  private struct Work {
    let body: @Sendable (Int) -> Void
    let index: Int
  }

  private struct State {
    var loop: Loop?
    var isOver = false
  }

  private let state = Monitor(State())
  /// The number of threads, at least 1.
  package let threads: Int

  private init(threads: Int) { self.threads = max(1, threads) }

  /// Runs two functions, concurrently if there is more than one thread, and returns both results.
  /// When the thread of the first one is done, it and all others help with the second one.
  package static func run<Aside: Sendable, Main: Sendable>(
    threads: Int, aside: @escaping @Sendable () -> Aside,
    main: @escaping @Sendable (Crew) -> Main
  ) -> (Aside, Main) {
    let crew = Crew(threads: threads)
    let tasks = WorkQueue(count: 2)
    let results = Monitor<(Aside?, Main?)>((nil, nil))
    runWorkers(max(1, threads)) { _ in
      while let task = tasks.next() {
        if task == 0 {
          let result = aside()
          results.access { $0.0 = result }
        } else {
          let result = main(crew)
          results.access { $0.1 = result }
          crew.state.access { $0.isOver = true }
        }
      }
      crew.help()
    }
    return results.wait { results in
      if case (let aside?, let main?) = results { (aside, main) } else { nil }
    }
  }

  /// Calls `body` with 0…count−1, each once, and returns when all calls have ended. Only for the
  /// task that the crew helps with, and not from within `body`.
  package func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    state.access { $0.loop = Loop(body: body, count: count) }
    while let work = state.access(Self.take) { perform(work) }
    state.wait { $0.loop?.running == 0 ? () : nil }
    state.access { $0.loop = nil }
  }

  private func help() {
    while true {
      let work: (Work, processor: Int)?? = state.wait { state in
        if let loop = state.loop, let work = Self.take(&state) { return (work, loop.processor) }
        return state.isOver ? .some(nil) : nil
      }
      guard let (work, processor) = work ?? nil else { return }
      // Linux wakes a thread on the processor of the one that it waited for, and may leave both there
      // although another one is or becomes idle.
      Processors.leave(processor)
      perform(work)
    }
  }

  private func perform(_ work: Work) {
    work.body(work.index)
    state.access { $0.loop?.running -= 1 }
  }

  /// The next call of the loop, if there is one.
  private static func take(_ state: inout State) -> Work? {
    guard let loop = state.loop, loop.next < loop.count else { return nil }
    state.loop?.next += 1
    state.loop?.running += 1
    return Work(body: loop.body, index: loop.next)
  }
}
