// SPDX-License-Identifier: Apache-2.0

/// The elevation that an object is tagged with.
package enum TaggedElevation {
  /// No mountain is higher, in metres.
  private static let highestMetres = 9000.0

  /// The metres in a tag `ele`, such as `2912`, `2912.4`, `2912,4` or `2912 m`; nil for any other
  /// unit or form and for elevations that no terrain has.
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
      let metres = Double(parts.joined(separator: ".")), metres <= highestMetres
    else { return nil }
    return isBelowSea ? -metres : metres
  }
}
