// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Serving

@Suite("The server")
struct HTTPServerTests {
  /// Answers `/quick` at once, `/big` with many bytes, and all else when it may.
  private final class Handler: RequestHandler {
    let gate = Mutex(false)
    let cancelled = Mutex(0)

    func quickAnswer(_ request: HTTPRequest) -> HTTPAnswer? {
      request.path == "/quick" ? HTTPAnswer("quick", type: "text/plain") : nil
    }

    func answer(_ request: HTTPRequest) -> HTTPAnswer {
      if request.path == "/big" {
        return HTTPAnswer([UInt8](repeating: 65, count: 4 << 20), type: "text/plain")
      }
      while request.path == "/wait", !gate.withLock({ $0 }) {
        if Task.isCancelled {
          cancelled.withLock { $0 += 1 }
          return HTTPAnswer(503, "cancelled")
        }
        sched_yield()
      }
      let items = request.query.map { "\($0.name)=\($0.value)" }
      return HTTPAnswer("\(request.path) \(items.joined(separator: ";"))", type: "text/plain")
    }
  }

  private let handler = Handler()

  private func server(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    change(&limits)
    return try HTTPServer(port: 0, limits, handler: handler)
  }

  private func status(_ answer: String) -> String {
    answer.hasPrefix("HTTP/1.1 ") ? String(answer.dropFirst(9).prefix(3)) : answer
  }

  @Test("answers requests with all headers, queries unescaped, and HEAD without a body")
  func answers() throws {
    let server = try server()
    defer { server.stop() }
    let answer = try LoopbackClient.ask(server.port, "/a%20b?x=1%2C2&y&x=%3Cb%3E")
    #expect(status(answer) == "200")
    for (name, value) in HTTPAnswer.headers { #expect(answer.contains("\(name): \(value)\r\n")) }
    #expect(answer.hasSuffix("\r\n\r\n/a b x=1,2;y=;x=<b>"))
    let head = try LoopbackClient.ask(server.port, "/quick", method: "HEAD")
    #expect(status(head) == "200" && head.hasSuffix("\r\n\r\n"))
    #expect(head.contains("Content-Length: 5\r\n"))
  }

  @Test("a connection serves several requests")
  func keepsAlive() throws {
    let server = try server()
    defer { server.stop() }
    let client = try LoopbackClient(server.port)
    let host = "Host: 127.0.0.1:\(server.port)\r\n"
    client.send("GET /quick HTTP/1.1\r\n\(host)\r\nGET /1 HTTP/1.1\r\n\(host)\r\n")
    client.send("GET /2 HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
    let all = client.rest()
    #expect(all.components(separatedBy: "HTTP/1.1 200").count == 4, "\(all)")
    #expect(all.contains("quickHTTP/1.1") && all.contains("/1 HTTP/1.1") && all.hasSuffix("/2 "))
  }

  @Test("what is refused is refused over the wire, too")
  func refusals() throws {
    let server = try server()
    defer { server.stop() }
    let port = server.port
    let post = try LoopbackClient.ask(port, "/quick", method: "POST")
    #expect(status(post) == "405" && post.contains("Allow: GET, HEAD\r\n"))
    #expect(status(try LoopbackClient.ask(port, "/quick", host: "evil.example:\(port)")) == "421")
    #expect(status(try LoopbackClient.ask(port, "/quick", host: "localhost:\(port &+ 1)")) == "421")
    let site = "Sec-Fetch-Site: cross-site\r\n"
    #expect(status(try LoopbackClient.ask(port, "/quick", headers: site)) == "403")
    let body = "Content-Length: 5\r\n"
    #expect(status(try LoopbackClient.ask(port, "/quick", headers: body)) == "413")
    #expect(status(try LoopbackClient.ask(port, "/quick")) == "200")
  }

  @Test("requests of a megabyte are refused and leave the server alone", arguments: 0..<4)
  func large(_ kind: Int) throws {
    let many = String(repeating: "a", count: 1 << 20)
    let request = [
      "GET /?q=\(many) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nX: \(many)\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 1048576\r\n\r\n\(many)",
      many.replacing("a", with: "\u{0}"),
    ][kind]
    let server = try server()
    defer { server.stop() }
    let client = try LoopbackClient(server.port)
    client.send(request)
    let answer = client.rest()
    #expect(!answer.hasPrefix("HTTP/1.1 2"))
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
  }

  @Test(
    "an address with too many parameters, or one that is too long, is refused with a reason",
    arguments: [
      "a=1&", "&", "&=", "a&", "set=sac.T2=1.25&", "q=%41&", "ü&", "via=47.1,11.2&x=",
    ])
  func manyParameters(_ item: String) throws {
    let server = try server()
    defer { server.stop() }
    let each = item.count(where: { $0 == "&" })
    for count in [1, 100, 256, 257, 350, 1000, 4000, 20_000] {
      let query = String(repeating: item, count: count / each)
      let answer = try LoopbackClient.ask(server.port, "/quick?\(query)")
      let fits = count < RequestRules.mostParameters && query.utf8.count <= 8192
      if fits {
        #expect(status(answer) == "200", "\(count)")
      } else {
        #expect(["414", "431"].contains(status(answer)), "\(count): \(answer.prefix(80))")
        if query.utf8.count < 16 << 10 { #expect(answer.contains("the address ")) }
      }
    }
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
  }

  @Test("parameters next to long headers are answered or refused")
  func parametersAndHeaders() throws {
    let server = try server()
    defer { server.stop() }
    let query = String(repeating: "a=1&", count: 255)
    for count in [0, 50, 100, 200, 400, 1000, 4000] {
      for header in ["A: b\r\n", "Long: \(String(repeating: "x", count: 100))\r\n"] {
        let answer = try LoopbackClient.ask(
          server.port, "/quick?\(query)", headers: String(repeating: header, count: count))
        #expect(["200", "413", "431"].contains(status(answer)), "\(count): \(answer.prefix(80))")
        if count <= 50 { #expect(status(answer) == "200") }
      }
    }
  }

  @Test("a request that trickles in is ended, and so is an answer that is taken too slowly")
  func trickling() throws {
    let server = try server { ($0.transferSeconds, $0.idleSeconds) = (-1, 0) }
    defer { server.stop() }
    let host = "Host: localhost:\(server.port)\r\n"
    let beginnings = ["", "G", "GET /quick HTTP/1.1\r\n\(host)X: a"]
    let clients = try beginnings.map { beginning in
      let client = try LoopbackClient(server.port)
      client.send(beginning)
      return client
    }
    let reader = try LoopbackClient(server.port, receiveBytes: 4096)
    reader.send("GET /big HTTP/1.1\r\n\(host)\r\n")
    while server.openConnections < 4 || server.unsentBytes == 0 { sched_yield() }
    server.cancelOverdue()
    for client in clients { #expect(client.rest() == "") }
    while server.openConnections > 0 { sched_yield() }
    #expect(server.unsentBytes == 0)
    withExtendedLifetime(reader) {}
  }

  @Test("a request for which there is work is not ended with those that trickle in")
  func workIsNoTrickle() throws {
    let server = try server { ($0.transferSeconds, $0.connections) = (-1, 16) }
    defer { server.stop() }
    let client = try LoopbackClient(server.port)
    client.send("GET /wait HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n")
    while server.openJobs < 1 { sched_yield() }
    server.cancelOverdue()
    let others = try (0..<100).map { _ in try LoopbackClient(server.port) }
    // Of the others, fifteen stay: once the one before them is closed, all have been accepted.
    #expect(others[84].rest() == "")
    handler.gate.withLock { $0 = true }
    #expect(status(client.rest()) == "200")
    withExtendedLifetime(others) {}
  }

  @Test("connections that send nothing more keep nobody out: the oldest one makes way")
  func makingWay() throws {
    let server = try server { ($0.connections, $0.idleSeconds) = (16, 0) }
    defer { server.stop() }
    var clients: [LoopbackClient] = []
    for _ in 0..<400 {
      let client = try LoopbackClient(server.port)
      client.send("GET /qui")
      clients.append(client)
    }
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
    #expect(status(try LoopbackClient.ask(server.port, "/work")) == "200")
    #expect(clients[0].rest() == "")
    while server.openConnections > 16 { sched_yield() }
  }

  @Test("with a thousand open connections others are still answered")
  func manyConnections() throws {
    let server = try server()
    defer { server.stop() }
    var clients: [LoopbackClient] = []
    for index in 0..<1000 {
      let client = try LoopbackClient(server.port)
      // Idle ones, and some in the middle of a request.
      if index % 2 == 0 { client.send("GET /qui") }
      clients.append(client)
    }
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
    #expect(status(try LoopbackClient.ask(server.port, "/work")) == "200")
    withExtendedLifetime(clients) {}
  }

  @Test("slow readers keep no more than so many bytes, and others get their answers")
  func slowReaders() throws {
    let server = try server { $0.unsentBytes = 6 << 20 }
    defer { server.stop() }
    let host = "Host: localhost:\(server.port)\r\n"
    let slow = try LoopbackClient(server.port, receiveBytes: 4096)
    slow.send("GET /big HTTP/1.1\r\n\(host)\r\n")
    while server.unsentBytes == 0 { sched_yield() }
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
    #expect(status(try LoopbackClient.ask(server.port, "/big")) == "503", "the bytes are taken")
    #expect(server.unsentBytes <= 6 << 20)
    withExtendedLifetime(slow) {}
  }

  @Test("no more than so many requests wait for their work; the page is there all the same")
  func jobs() throws {
    let server = try server { $0.jobs = 3 }
    defer { server.stop() }
    let host = "Host: localhost:\(server.port)\r\nConnection: close\r\n"
    let waiting = try (0..<3).map { _ in try LoopbackClient(server.port) }
    for client in waiting { client.send("GET /wait HTTP/1.1\r\n\(host)\r\n") }
    while server.openJobs < 3 { sched_yield() }
    let answer = try LoopbackClient.ask(server.port, "/wait")
    #expect(status(answer) == "503" && answer.contains("Retry-After: 1\r\n"))
    #expect(status(try LoopbackClient.ask(server.port, "/quick")) == "200")
    handler.gate.withLock { $0 = true }
    for client in waiting { #expect(status(client.rest()) == "200") }
    while server.openJobs > 0 { sched_yield() }
    #expect(status(try LoopbackClient.ask(server.port, "/wait")) == "200")
  }

  @Test("work that takes too long is cancelled")
  func overdue() throws {
    let server = try server { $0.workSeconds = -1 }
    defer { server.stop() }
    let client = try LoopbackClient(server.port)
    client.send("GET /wait HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n")
    while server.openJobs < 1 { sched_yield() }
    server.cancelOverdue()
    #expect(status(client.rest()) == "503")
    #expect(handler.cancelled.withLock { $0 } == 1)
  }

  @Test("a port in use is an error that says what to do")
  func portInUse() throws {
    let server = try server()
    defer { server.stop() }
    let error = #expect(throws: CairnError.self) {
      try HTTPServer(port: server.port, handler: handler)
    }
    #expect(error?.exitCode == .temporaryFailure)
    #expect(error?.message == "port \(server.port) is in use by another program")
    #expect(error?.hint?.contains("--port 0") == true)
  }

  @Test("it listens on the loopback interface alone")
  func loopback() throws {
    let server = try server()
    defer { server.stop() }
    let ending = ":" + String(format: "%04X", server.port)
    var listening: [Substring] = []
    for name in ["tcp", "tcp6"] {
      let table = String(decoding: try bytesOfFile("/proc/net/\(name)"), as: UTF8.self)
      for line in table.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count > 3, words[3] == "0A", words[1].hasSuffix(ending) {
          listening.append(words[1])
        }
      }
    }
    #expect(!listening.isEmpty)
    let allowed = ["0100007F", "00000000000000000000000001000000"]
    #expect(listening.allSatisfy { place in allowed.contains { place.hasPrefix($0 + ":") } })
  }
}
