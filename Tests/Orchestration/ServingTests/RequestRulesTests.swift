// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Serving

@Suite("Which requests are answered")
struct RequestRulesTests {
  private let rules = RequestRules(port: 8080)

  private func status(_ request: HTTPRequest) -> UInt32? { rules.refusal(of: request)?.status }

  @Test(
    "GET and HEAD are; all other methods get 405 and are told which are",
    arguments: [
      "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "",
    ])
  func methods(_ method: String) {
    for allowed in ["GET", "HEAD"] {
      #expect(status(HTTPRequest(allowed, "/", host: "localhost:8080")) == nil)
    }
    let refusal = rules.refusal(of: HTTPRequest(method, "/", host: "localhost:8080"))
    #expect(refusal?.status == 405)
    #expect(refusal?.headers["Allow"] == "GET, HEAD")
  }

  @Test(
    "only the names of this machine with the port are served",
    arguments: [
      "localhost", "localhost:80", "localhost:8081", "evil.example:8080",
      "127.0.0.1.evil.example:8080",
      "127.0.0.2:8080", "[::]:8080", "::1:8080", "localhost:8080.", "user@localhost:8080", "",
      "0:8080",
    ])
  func hosts(_ host: String) {
    for allowed in ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"] {
      #expect(status(HTTPRequest("GET", "/", host: allowed)) == nil)
    }
    #expect(status(HTTPRequest("GET", "/", host: host)) == 421)
    #expect(status(HTTPRequest("GET", "/", host: nil)) == 421)
  }

  @Test("pages of other sites may link to the page and ask nothing else")
  func sites() {
    func status(_ path: String, _ site: String?) -> UInt32? {
      self.status(HTTPRequest("GET", path, host: "localhost:8080", site: site))
    }
    #expect(status("/", "cross-site") == nil)
    #expect(status("/api/route", "cross-site") == 403)
    #expect(status("/api/route", "same-site") == 403, "another port of this machine")
    #expect(status("/api/route", "same-origin") == nil)
    #expect(status("/api/route", "none") == nil, "typed by hand")
    #expect(status("/api/route", nil) == nil, "no browser")
  }

  @Test("a request with a body or a long address is refused")
  func lengths() {
    let host = "localhost:8080"
    #expect(status(HTTPRequest("GET", "/", host: host, hasBody: true)) == 413)
    let long = String(repeating: "a", count: 300)
    #expect(status(HTTPRequest("GET", "/" + long, host: host)) == 414)
    let query = Array(repeating: (name: "via", value: long), count: 30)
    #expect(status(HTTPRequest("GET", "/api/route", query: query, host: host)) == 414)
    #expect(status(HTTPRequest("GET", "/", query: Array(query.prefix(9)), host: host)) == nil)
  }

  @Test("the headers let a page load nothing from elsewhere, and nobody read or frame it")
  func headers() throws {
    let headers = HTTPAnswer.headers
    let policy = try #require(headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none'; "))
    #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
    #expect(!headers.keys.contains { $0.lowercased().hasPrefix("access-control") })
  }

  @Test(
    "paths of tiles are numbers of tiles that there are",
    arguments: [
      "/tiles/relief/12/4096/0.png", "/tiles/relief/12/-1/0.png", "/tiles/relief/25/0/0.png",
      "/tiles/relief/1/0/0.json", "/tiles/relief/1/0/../../x.png", "/tiles/relief/1/+0/0.png",
      "/tiles/relief/99999999999999999999/0/0.png", "/tiles//1/0/0.png", "/tiles/relief/1/0/0",
      "/tiles/relief/1/0/0.png/", "/tiles/relief/1/0/٣.png",
    ])
  func tiles(_ path: String) {
    #expect(TilePath("/tiles/relief/12/4095/0.png")?.id.description == "12/4095/0")
    #expect(TilePath("/tiles/ways/0/0/0.json")?.kind == .ways)
    #expect(TilePath(path) == nil)
  }
}
