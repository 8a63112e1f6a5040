// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import JSONKit

/// The server's response.
package struct HTTPAnswer: Sendable {
  /// The status, such as 200.
  package var status: UInt32
  /// The type of the content.
  package var type: String
  /// The content.
  package var body: [UInt8]
  /// Headers of this answer alone.
  package var headers: [String: String] = [:]

  /// The headers of every answer: nothing from elsewhere, and no foreign page may embed or read it.
  package static let headers = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
  ]

  static let json = "application/json; charset=utf-8"

  init(_ body: [UInt8], type: String = Self.json, status: UInt32 = 200) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  init(_ text: String, type: String) { self.init(Array(text.utf8), type: type) }

  /// An error as JSON: the problem, and a hint.
  package init(_ status: UInt32, _ message: String, hint: String? = nil) {
    let object = JSONValue.object([
      "error": .text(message), "hint": hint.map { .text($0) } ?? .null,
    ])
    self.init((try? encodeJSON(object)) ?? [], status: status)
  }

  /// An error of a request. A missing route is a normal answer to a valid request.
  init(_ error: CairnError) {
    let status: UInt32 =
      switch error.exitCode {
      case .negative: 200
      case .usage, .configuration: 400
      case .temporaryFailure: 503
      default: 500
      }
    self.init(status, error.message, hint: error.hint)
  }
}
