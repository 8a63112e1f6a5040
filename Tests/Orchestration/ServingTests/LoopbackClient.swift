// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A connection to a port of this machine, byte for byte.
final class LoopbackClient {
  private let descriptor: Int32

  /// - Parameter receiveBytes: How much the system may keep for this reader; nil for as much as it likes.
  init(_ port: UInt16, receiveBytes: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, 4)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw TestFailure("no connection to port \(port)") }
  }

  deinit { close(descriptor) }

  /// Sends bytes; false where the other side has gone.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// All that comes until the other side ends the connection.
  func rest() -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      all += buffer.prefix(count)
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The whole answer to a request on a connection of its own.
  static func ask(
    _ port: UInt16, _ path: String, method: String = "GET", host: String? = nil,
    headers: String = ""
  ) throws -> String {
    let client = try LoopbackClient(port)
    client.send(
      "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\n"
        + "Connection: close\r\n\(headers)\r\n")
    return client.rest()
  }
}
