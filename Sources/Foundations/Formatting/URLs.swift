// SPDX-License-Identifier: Apache-2.0

/// A URL for display, logs or publishing: without the user name and password before its host, and
/// with its query, which may contain tokens, replaced by `…`.
package func redactedURL(_ url: String) -> String {
  guard let scheme = url.range(of: "://") else { return url }
  let afterScheme = url[scheme.upperBound...]
  let authorityEnd = afterScheme.firstIndex { "/?#".contains($0) } ?? url.endIndex
  var host = afterScheme[..<authorityEnd]
  if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
  let rest = url[authorityEnd...]
  let path = rest.prefix { $0 != "?" && $0 != "#" }
  let hasQuery = rest.dropFirst(path.count).first == "?"
  return url[..<scheme.upperBound] + host + path + (hasQuery ? "?…" : "")
}

extension String {
  /// The first occurrence of an ASCII text.
  fileprivate func range(of text: String) -> Range<Index>? {
    // By bytes: every word of a command is searched, and characters take a hundred times longer.
    guard let first = text.utf8.first else { return nil }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) {
        return start..<utf8.index(start, offsetBy: text.utf8.count)
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
