// SPDX-License-Identifier: Apache-2.0

/// What a tag `ele` says.
package enum ElevationTag {
  /// The metres above sea level in a value such as `2912`, `2912.4`, `2912,4` or `2912 m`; nil for
  /// any other unit or form. At most four digits before the point.
  package static func metres(_ tag: String) -> Double? {
    var text = Substring(tag)
    if text.hasSuffix("m") {
      text.removeLast()
      if text.hasSuffix(" ") { text.removeLast() }
    }
    let isBelowSea = text.hasPrefix("-")
    if isBelowSea { text.removeFirst() }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard 1...2 ~= parts.count, parts.allSatisfy({ 1...4 ~= $0.utf8.count }),
      parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let metres = Double(parts.joined(separator: "."))
    else { return nil }
    return isBelowSea ? -metres : metres
  }
}
