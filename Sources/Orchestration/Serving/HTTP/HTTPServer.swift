// SPDX-License-Identifier: Apache-2.0
import CMicroHTTPD
import CairnDiagnostics
import CairnLocks
import Glibc
import SystemIO

/// Answers requests.
package protocol RequestHandler: Sendable {
  /// An answer that takes no work: a page, or that the name is unknown; otherwise nil.
  func quickAnswer(_ request: HTTPRequest) -> HTTPAnswer?
  /// The answer. If the current task is cancelled, it takes too long.
  func answer(_ request: HTTPRequest) -> HTTPAnswer
}

/// An HTTP server on the loopback interface, over libmicrohttpd.
///
/// One thread serves all connections and does no other work: tasks do the work, with limits on
/// their number and waiting time. Memory for slow readers is limited as well.
package final class HTTPServer: @unchecked Sendable {
  /// The limits for clients.
  package struct Limits: Sendable {
    /// Connections at a time. A new one closes the oldest one that no work is done for.
    package var connections = 4000
    /// Seconds that a connection may be idle; 0 for any time.
    package var idleSeconds: UInt32 = 15
    /// The seconds in which a request must arrive, and in which its answer must be taken.
    package var transferSeconds = 60
    /// Bytes of the first line and the headers of a request, and of what the library notes of them.
    package var headBytes = 48 << 10
    /// Requests that are worked on or wait for it.
    package var jobs = 64
    /// The time limit of a request.
    package var workSeconds = 30
    /// Bytes of answers that are not yet sent.
    package var unsentBytes = 256 << 20

    /// The usual limits.
    package init() {}
  }

  private struct Load {
    var unsentBytes = 0
    var nextJob = 0
    var jobs: [Int: (task: Task<Void, Never>?, deadline: Int)] = [:]
  }

  /// The port that it listens on.
  package let port: UInt16
  private let handler: any RequestHandler
  private let rules: RequestRules
  private let limits: Limits
  private let load = Mutex(Load())
  private let connections: OpenConnections
  private let workers = WorkThreads(count: max(2, availableProcessors()))
  /// Set before the first request.
  private var daemons: [OpaquePointer] = []

  /// Starts listening. Throws 75 if the port is in use.
  ///
  /// - Parameter port: 0 for any free one.
  package init(port: UInt16, _ limits: Limits = Limits(), handler: any RequestHandler)
    throws(CairnError)
  {
    let files = Self.raiseFileLimit()
    let listener = try LoopbackListener(port: port)
    (self.port, self.handler, self.limits) = (listener.port, handler, limits)
    rules = RequestRules(port: listener.port)
    // The library itself accepts some more, since a connection that makes way ends a little later.
    let most = max(16, min(limits.connections, files - 256))
    connections = OpenConnections(most: most)
    for socket in listener.sockets {
      guard
        let daemon = cairn_http_start(
          socket, UInt32(most + 64), limits.idleSeconds, limits.headBytes,
          { context, connection, _, code in
            guard let context, let connection else { return }
            let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
            switch code {
            case .CONNECTION_NOTIFY_STARTED:
              server.connections.add(connection, deadline: server.transferDeadline)
            default: server.connections.remove(connection)
            }
          },
          { _, address, connection in
            guard let address, let connection else { return nil }
            return HTTPServer.refusedAddress(address, connection)
          },
          { context, connection, path, method, _, _, _, state in
            guard let context, let connection, let path, let method, let state else { return .NO }
            return Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
              .serve(connection, String(cString: path), String(cString: method), state)
          },
          { context, connection, state, _ in
            guard let context, let connection, let state, let exchange = state.pointee
            else { return }
            state.pointee = nil
            Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
              .finish(Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue(), connection)
          }, Unmanaged.passUnretained(self).toOpaque())
      else {
        stop()
        throw CairnError("cannot-listen", .temporaryFailure, "the server cannot be started")
      }
      daemons.append(daemon)
    }
  }

  /// Closes all connections. No work may be in progress.
  package func stop() {
    for daemon in daemons { MHD_stop_daemon(daemon) }
    daemons = []
  }

  /// The number of requests in progress or waiting.
  package var openJobs: Int { load.withLock { $0.jobs.count } }

  /// The bytes of answers that are not yet sent.
  package var unsentBytes: Int { load.withLock { $0.unsentBytes } }

  /// The number of open connections.
  package var openConnections: Int { connections.count }

  /// Cancels overdue work and closes connections whose request or answer takes too long; call it
  /// every second.
  package func cancelOverdue() {
    let now = Self.seconds()
    connections.closeOverdue(now)
    load.withLock { load in
      for job in load.jobs.values where job.deadline < now { job.task?.cancel() }
    }
  }

  /// Raises the limit of open files to the system's; a connection is one.
  private static func raiseFileLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }

  private static func seconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
  }

  private var transferDeadline: Int { Self.seconds() + limits.transferSeconds }

  /// A request from its first line to the end of its answer.
  private final class Exchange: Sendable {
    let request: HTTPRequest
    let answer: Mutex<HTTPAnswer?>
    let bytes = Mutex(0)

    init(_ request: HTTPRequest, _ answer: HTTPAnswer? = nil) {
      (self.request, self.answer) = (request, Mutex(answer))
    }
  }

  /// Called with the address of a request before its parameters are read.
  ///
  /// - Returns: The exchange that answers it if it is refused.
  private static func refusedAddress(
    _ address: UnsafePointer<CChar>, _ connection: OpaquePointer
  ) -> UnsafeMutableRawPointer? {
    guard let query = strchr(address, Int32(UInt8(ascii: "?"))),
      let refusal = RequestRules.refusal(
        ofAddress: UnsafeRawBufferPointer(start: address, count: strlen(address)))
    else { return nil }
    // The parameters are left out: the library has no answer if it cannot note all of them, up to
    // 0.9.75 at least.
    query[1] = 0
    return Unmanaged.passRetained(Exchange(HTTPRequest("GET", "", host: nil), refusal)).toOpaque()
  }

  /// Called when the head of a request is there, again when all of it is, and then when there is an
  /// answer. An answer to the first call ends the connection, which suits a refused request.
  private func serve(
    _ connection: OpaquePointer, _ path: String, _ method: String,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let known = state.pointee else {
      let exchange = Exchange(HTTPRequest(connection, path, method))
      state.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return rules.refusal(of: exchange.request).map { send($0, connection, exchange) } ?? .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    let made = exchange.answer.withLock { $0.take() }
    if let answer = made ?? handler.quickAnswer(exchange.request) {
      return send(answer, connection, exchange)
    }
    // Before the work begins, so that it cannot end first.
    MHD_suspend_connection(connection)
    connections.extend(connection, to: nil)
    if !work(on: exchange.request, connection, exchange) {
      var answer = HTTPAnswer(503, "the server is busy", hint: "try again in a moment")
      answer.headers["Retry-After"] = "1"
      exchange.answer.withLock { $0 = answer }
      resume(connection)
    }
    return .YES
  }

  private func send(_ answer: HTTPAnswer, _ connection: OpaquePointer, _ exchange: Exchange)
    -> MHD_Result
  {
    var answer = answer
    let count = answer.body.count
    let fits = load.withLock { load in
      guard load.unsentBytes + count <= limits.unsentBytes else { return false }
      load.unsentBytes += count
      return true
    }
    if fits {
      exchange.bytes.withLock { $0 = count }
    } else {
      answer = HTTPAnswer(503, "too many answers wait for slow readers")
    }
    let response = answer.body.withUnsafeBytes { cairn_http_response($0.baseAddress, $0.count) }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", answer.type)
    for (name, value) in HTTPAnswer.headers.merging(answer.headers, uniquingKeysWith: { $1 }) {
      MHD_add_response_header(response, name, value)
    }
    return MHD_queue_response(connection, answer.status, response)
  }

  private func finish(_ exchange: Exchange, _ connection: OpaquePointer) {
    let count = exchange.bytes.withLock { $0 }
    load.withLock { $0.unsentBytes -= count }
    connections.extend(connection, to: transferDeadline)
  }

  private func resume(_ connection: OpaquePointer) {
    connections.extend(connection, to: transferDeadline)
    MHD_resume_connection(connection)
  }

  /// Starts a task for an answer; false if there is too much to do.
  private func work(on request: HTTPRequest, _ connection: OpaquePointer, _ exchange: Exchange)
    -> Bool
  {
    let place = SuspendedConnection(connection: connection)
    let deadline = Self.seconds() + limits.workSeconds
    return load.withLock { load in
      guard load.jobs.count < limits.jobs else { return false }
      let id = load.nextJob
      load.nextJob += 1
      let task = Task.detached(executorPreference: workers) { [self] in
        let answer = handler.answer(request)
        exchange.answer.withLock { $0 = answer }
        self.load.withLock { _ = $0.jobs.removeValue(forKey: id) }
        resume(place.connection)
      }
      load.jobs[id] = (task, deadline)
      return true
    }
  }
}

/// A connection waiting for its answer, not used by anything else.
private struct SuspendedConnection: @unchecked Sendable {
  let connection: OpaquePointer
}

extension HTTPRequest {
  /// Reads what decides about a request.
  fileprivate init(_ connection: OpaquePointer, _ path: String, _ method: String) {
    func header(_ name: String) -> String? {
      MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }
    let length = header("Content-Length")
    self.init(
      method, path, host: header("Host"), site: header("Sec-Fetch-Site"),
      hasBody: length != nil && length != "0" || header("Transfer-Encoding") != nil)
    let list = QueryList()
    MHD_get_connection_values_n(
      connection, .GET_ARGUMENT_KIND,
      { list, _, name, nameBytes, value, valueBytes in
        guard let list else { return .NO }
        func text(_ pointer: UnsafePointer<CChar>?, _ count: Int) -> String {
          String(decoding: UnsafeRawBufferPointer(start: pointer, count: count), as: UTF8.self)
        }
        Unmanaged<QueryList>.fromOpaque(list).takeUnretainedValue().items.append(
          (text(name, nameBytes), value == nil ? "" : text(value, valueBytes)))
        return .YES
      }, Unmanaged.passUnretained(list).toOpaque())
    query = list.items
  }
}

private final class QueryList {
  var items: [(name: String, value: String)] = []
}
