// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// Sockets that listen on a port of the loopback interface, for both versions of IP.
struct LoopbackListener {
  /// The port.
  let port: UInt16
  /// The sockets: for IPv4, and for IPv6 if the machine has it.
  let sockets: [Int32]

  /// The number of connections waiting to be accepted.
  private static let backlog: Int32 = 1024
  /// The attempts to find a free port, which may be free for only one version of IP.
  private static let attempts = 16

  /// Listens on a port; 0 for a free one. Throws 75 if the port is in use.
  init(port: UInt16) throws(CairnError) {
    for _ in 0..<(port == 0 ? Self.attempts : 1) {
      let first = try Self.socket(ofIPv4: port)
      let chosen = Self.port(of: first)
      if let second = Self.socket(ofIPv6: chosen) {
        (self.port, sockets) = (chosen, second < 0 ? [first] : [first, second])
        return
      }
      Glibc.close(first)
    }
    throw Self.inUse(port)
  }

  private static func inUse(_ port: UInt16) -> CairnError {
    CairnError(
      "port-in-use", .temporaryFailure, "port \(port) is in use by another program",
      hint: "choose another one with --port, such as --port \(port < 65_535 ? port + 1 : 8080), or "
        + "use --port 0 for any free port")
  }

  private static func socket(ofIPv4 port: UInt16) throws(CairnError) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let made = listening(AF_INET, &address)
    guard made >= 0 else {
      if errno == EADDRINUSE { throw inUse(port) }
      throw CairnError(
        "cannot-listen", .temporaryFailure,
        "cannot listen on port \(port): \(systemMessage(errno))",
        hint: errno == EACCES ? "ports below 1024 need root; choose another one" : nil)
    }
    return made
  }

  /// Nil if the port is in use, and −1 if the machine has no IPv6.
  private static func socket(ofIPv6 port: UInt16) -> Int32? {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    let made = listening(AF_INET6, &address)
    return made < 0 && errno == EADDRINUSE ? nil : made
  }

  private static func listening<Address>(_ family: Int32, _ address: inout Address) -> Int32 {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let made = Glibc.socket(family, flags, 0)
    guard made >= 0 else { return -1 }
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if family == AF_INET6 { setsockopt(made, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard bound == 0, listen(made, backlog) == 0 else {
      let code = errno
      Glibc.close(made)
      errno = code
      return -1
    }
    return made
  }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin_port) : 0
  }
}
