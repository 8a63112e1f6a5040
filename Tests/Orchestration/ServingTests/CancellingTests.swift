// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Serving

@Suite("Cancelled work")
struct CancellingTests {
  private final class Handler: RequestHandler {
    func quickAnswer(_ request: HTTPRequest) -> HTTPAnswer? { nil }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
      for _ in 0..<200 where !Task.isCancelled { sched_yield() }
      return HTTPAnswer("done", type: "text/plain")
    }
  }

  @Test("work that is cancelled at any moment is answered all the same")
  func everyRequest() throws {
    var limits = HTTPServer.Limits()
    limits.workSeconds = -1
    let server = try HTTPServer(port: 0, limits, handler: Handler())
    defer { server.stop() }
    let answered = Atomic(0)
    let clients = 8
    let requests = 60
    let open = Atomic(clients)
    try withWorkers(clients + 1) { worker in
      guard worker > 0 else {
        while open.load(ordering: .relaxed) > 0 { server.cancelOverdue() }
        return
      }
      defer { open.subtract(1, ordering: .relaxed) }
      for _ in 0..<requests {
        let answer = try LoopbackClient.ask(server.port, "/")
        if answer.hasSuffix("done") { answered.add(1, ordering: .relaxed) }
      }
    }
    #expect(answered.load(ordering: .relaxed) == clients * requests)
    #expect(server.openJobs == 0)
  }
}
