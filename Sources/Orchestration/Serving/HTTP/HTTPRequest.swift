// SPDX-License-Identifier: Apache-2.0

/// A client's request: the first line and the relevant headers.
package struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  package var method: String
  /// The path without its query, unescaped.
  package var path: String
  /// The names and values of the query in their order, unescaped.
  package var query: [(name: String, value: String)]
  /// The header `Host`.
  package var host: String?
  /// The header `Sec-Fetch-Site`, by which browsers state the origin of the request.
  package var site: String?
  /// Whether the request has a body.
  package var hasBody: Bool

  /// Describes a request.
  package init(
    _ method: String, _ path: String, query: [(name: String, value: String)] = [], host: String?,
    site: String? = nil, hasBody: Bool = false
  ) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.host, self.site, self.hasBody) = (host, site, hasBody)
  }

  /// The last value of a name in the query.
  func value(_ name: String) -> String? { query.last { $0.name == name }?.value }
}
