// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Searches that are not waited for any more")
struct CancellationTests {
  private let map: NavigatedMap

  init() throws {
    map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
                D-------E
        """, ways: [.init("ABC"), .init("BD"), .init("DE"), .init("EC")]))
  }

  /// A task that begins once it is known to whoever wants to cancel it.
  private func task<Value: Sendable>(
    _ handle: Mutex<(@Sendable () -> Void)?>, _ body: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    let (stream, gate) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in stream {}
      return await body()
    }
    handle.withLock { $0 = { task.cancel() } }
    gate.finish()
    return task
  }

  @Test("a calculation whose task is cancelled ends at once, and another one may begin")
  func cancelledTask() async throws {
    let handle = Mutex<(@Sendable () -> Void)?>(nil)
    let outcomes = Mutex<[RoutingError?]>([])
    let real = map.planner
    let engine = NavigationEngine(
      planner: ToldPlanner { request throws(RoutingError) in
        handle.withLock { $0 }?()
        do throws(RoutingError) {
          let route = try real.plan(request)
          outcomes.withLock { $0.append(nil) }
          return route
        } catch {
          outcomes.withLock { $0.append(error) }
          throw error
        }
      })
    let (home, end) = (try map.point("A"), NavigationDestination(try map.point("C")))
    let task = task(handle) { () -> NavigationError? in
      do throws(NavigationError) {
        _ = try await engine.calculate(to: end, from: home, at: start)
        return nil
      } catch { return error }
    }
    #expect(await task.value == .cancelled)
    // Nothing else was tried.
    #expect(outcomes.withLock { $0 } == [.cancelled])
    #expect(engine.navigationState == .idle)
    handle.withLock { $0 = nil }
    let route = try await engine.calculate(to: end, from: home, at: start).route
    #expect(try map.letters(of: route) == "ABC")
  }

  @Test("stopping the navigation stops the search, too")
  func stopped() async throws {
    let stop = Mutex<(@Sendable () -> Void)?>(nil)
    let isCancelled = Mutex<Bool?>(nil)
    let engine = NavigationEngine(
      planner: ToldPlanner { request throws(RoutingError) in
        stop.withLock { $0 }?()
        isCancelled.withLock { $0 = Task.isCancelled }
        return try ToldPlanner.straight.plan(request)
      })
    stop.withLock { $0 = { [weak engine] in engine?.stopNavigation() } }
    let (home, end) = (try map.point("A"), NavigationDestination(try map.point("C")))
    await #expect(throws: NavigationError.cancelled) {
      try await engine.calculate(to: end, from: home, at: start)
    }
    #expect(isCancelled.withLock { $0 } == true)
  }

  @Test("a new route whose search is cancelled is due again")
  func cancelledReroute() async throws {
    let handle = Mutex<(@Sendable () -> Void)?>(nil)
    let real = map.planner
    let engine = NavigationEngine(
      planner: ToldPlanner { request throws(RoutingError) in
        handle.withLock { $0 }?()
        return try real.plan(request)
      })
    try engine.startNavigation(route: map.route("A", "C"))
    var isDue = false
    for fix in try map.walk("ABDE") where !isDue {
      isDue = engine.updateProgress(location: fix).isRerouteDue
    }
    #expect(isDue)
    let task = task(handle) { await engine.reroute() }
    #expect(await task.value == nil)
    handle.withLock { $0 = nil }
    let found = try #require(await engine.reroute()?.route)
    #expect(engine.currentRoute == found)
    #expect(try haversineDistance(found.endCoordinate, map.point("C")) < 1)
  }

  @Test("a search leaves the main actor")
  @MainActor
  func mainActor() async throws {
    // Its queue; Foundation on Linux does not know its thread.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
    #expect(DispatchQueue.getSpecific(key: key) == true)
    let isMain = Mutex<[Bool]>([])
    let real = map.planner
    let engine = NavigationEngine(
      planner: ToldPlanner { request throws(RoutingError) in
        isMain.withLock { $0.append(DispatchQueue.getSpecific(key: key) == true) }
        return try real.plan(request)
      })
    let route = try await engine.calculate(
      to: .init(map.point("C")), from: map.point("A"), at: start
    ).route
    try engine.startNavigation(route: route)
    var isDue = false
    for fix in try map.walk("ABDE") where !isDue {
      isDue = engine.updateProgress(location: fix).isRerouteDue
    }
    #expect(await engine.reroute() != nil)
    let calls = isMain.withLock { $0 }
    #expect(calls.count > 1 && !calls.contains(true))
  }
}
