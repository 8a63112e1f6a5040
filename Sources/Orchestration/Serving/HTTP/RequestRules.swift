// SPDX-License-Identifier: Apache-2.0

/// The rules for refusing requests.
///
/// The server listens on the loopback interface only, but any page in a browser can send it
/// requests and, through a name that an attacker points to 127.0.0.1 (DNS rebinding), even read the
/// answers. So the host must be one that no attacker can own.
package struct RequestRules: Sendable {
  /// The most bytes of a path and of a query.
  package static let mostPathBytes = 256
  /// The most bytes of the names and values of a query.
  package static let mostQueryBytes = 8192
  /// The most bytes of an address as it is sent, with escapes.
  package static let mostAddressBytes = 16 << 10
  /// The most parameters of a query.
  package static let mostParameters = 256
  private static let names = ["localhost", "127.0.0.1", "[::1]"]

  private let hosts: Set<String>

  /// - Parameter port: The port that the server listens on.
  package init(port: UInt16) {
    hosts = Set(Self.names.map { "\($0):\(port)" } + (port == 80 ? Self.names : []))
  }

  /// The reason for refusing a request; nil if it may be answered.
  package func refusal(of request: HTTPRequest) -> HTTPAnswer? {
    guard ["GET", "HEAD"].contains(request.method) else {
      var answer = HTTPAnswer(405, "only GET and HEAD are allowed")
      answer.headers["Allow"] = "GET, HEAD"
      return answer
    }
    guard let host = request.host?.lowercased(), hosts.contains(host) else {
      return HTTPAnswer(
        421, "this host is not served",
        hint: "open \(hosts.filter { $0.hasPrefix("localhost") }.min() ?? "localhost")")
    }
    // A page from elsewhere may link here, but not make the server work.
    if let site = request.site, ["cross-site", "same-site"].contains(site), request.path != "/" {
      return HTTPAnswer(403, "requests from other sites are not allowed")
    }
    guard !request.hasBody else { return HTTPAnswer(413, "a request must not have a body") }
    let queryBytes = request.query.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard request.path.utf8.count <= Self.mostPathBytes, queryBytes <= Self.mostQueryBytes else {
      return Self.tooLong
    }
    return nil
  }

  private static let tooLong = HTTPAnswer(414, "the address is too long")

  /// The reason for refusing the address of a request as it is sent; nil if its parameters may be
  /// read.
  package static func refusal(ofAddress bytes: UnsafeRawBufferPointer) -> HTTPAnswer? {
    guard bytes.count <= mostAddressBytes else { return tooLong }
    guard bytes.count(where: { $0 == UInt8(ascii: "&") }) < mostParameters else {
      return HTTPAnswer(414, "the address has more than \(mostParameters) parameters")
    }
    return nil
  }
}
