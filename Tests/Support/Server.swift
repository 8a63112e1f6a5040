// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// An HTTP server that gives each request the next of some answers, byte for byte, and then closes
/// the connection. Instead of an empty answer it keeps the connection open until the client goes.
package final class Server: Sendable {
  /// Its port on 127.0.0.1.
  package let port: UInt16
  private let descriptor: Int32
  private let trickles: Bool
  private let heard = Mutex<[String]>([])

  /// Starts a server.
  package convenience init(_ answers: [String]) throws {
    try self.init(bytes: answers.map { Array($0.utf8) })
  }

  /// Starts a server whose answers are any bytes.
  package convenience init(bytes answers: [[UInt8]]) throws {
    try self.init(requests: answers.count) { number, _ in answers[number] }
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - count: After how many requests it ends; nil for never.
  ///   - trickles: Whether it sends four bytes a second of what follows the head of an answer.
  ///   - answer: The answer to a request, by its number from 0 on.
  package init(
    requests count: Int? = nil, trickles: Bool = false,
    answer: @escaping @Sendable (Int, String) -> [UInt8]
  ) throws {
    self.trickles = trickles
    let opened = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(opened, $0, size) | getsockname(opened, $0, &size) | listen(opened, 8)
      }
    }
    guard status == 0 else { throw TestFailure("no socket: \(errno)") }
    descriptor = opened
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in serve(count, answer) }
  }

  /// The requests so far.
  package var requests: [String] { heard.withLock { $0 } }

  /// The URL of a file on it.
  package func url(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

  private func serve(_ count: Int?, _ answer: (Int, String) -> [UInt8]) {
    for number in 0..<(count ?? .max) {
      let connection = accept(descriptor, nil, nil)
      guard connection >= 0 else { return }
      var request: [UInt8] = []
      while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        var byte: UInt8 = 0
        guard recv(connection, &byte, 1, 0) == 1 else { break }
        request.append(byte)
      }
      // The body of a query.
      let head = String(decoding: request, as: UTF8.self).lowercased()
      let length = head.split(separator: "content-length: ").dropFirst().first.flatMap {
        Int($0.prefix { $0.isNumber })
      }
      for _ in 0..<(length ?? 0) {
        var byte: UInt8 = 0
        guard recv(connection, &byte, 1, 0) == 1 else { break }
        request.append(byte)
      }
      let text = String(decoding: request, as: UTF8.self)
      heard.withLock { $0.append(text) }
      let answer = answer(number, text)
      if answer.isEmpty {
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
      }
      send(answer, to: connection)
      // A program that a parallel test starts may hold a copy of the descriptor.
      shutdown(connection, Int32(SHUT_RDWR))
      close(connection)
    }
    close(descriptor)
  }

  private func send(_ answer: [UInt8], to connection: Int32) {
    let head = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? answer.count
    var sent = 0
    while sent < answer.count {
      let most = !trickles ? answer.count - sent : sent < head ? head - sent : 1
      let count = answer.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress.map { $0 + sent }, most, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
      if trickles {
        // Waits for the client to go; it sends nothing more.
        var event = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        if poll(&event, 1, 250) > 0 { return }
      }
    }
  }
}
