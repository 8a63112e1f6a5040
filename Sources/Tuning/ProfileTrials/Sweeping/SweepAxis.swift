// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CostModel

/// A key of a profile and its successive values: `climb-factor=4..12:1`.
package struct SweepAxis: Sendable, Equatable {
  /// The most values of an axis.
  package static let mostValues = 100

  /// The key.
  package let key: ProfileNumber
  /// Its values, ascending, at least two.
  package let values: [Double]

  /// Reads an axis: `KEY=LOW..HIGH:STEP`, or `KEY=A,B,C`. Throws 64 for anything else, for values
  /// outside the key's range, and for too many of them.
  ///
  /// - Parameter option: The option that contained it, for the error.
  package init(_ text: String, option: String) throws(CairnError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let values = Self.values(String(parts[1])) else {
      throw CairnError(
        .usage, .usage,
        "\(option) takes KEY=LOW..HIGH:STEP or KEY=A,B,C, such as climb-factor=4..12:1, not "
          + "“\(text.prefix(80))”")
    }
    key = try ProfileNumber(String(parts[0]), option: option)
    guard (2...Self.mostValues).contains(values.count) else {
      throw CairnError(
        .usage, .usage,
        "\(option) \(key.key) needs 2 to \(Self.mostValues) different values, not \(values.count)")
    }
    if let wrong = values.first(where: { [key] in !key.range.contains($0) }) {
      throw CairnError(
        .usage, .usage,
        "\(option): \(key.key) must be from \(ProfileNumber.text(key.range.lowerBound)) to "
          + "\(ProfileNumber.text(key.range.upperBound)), not \(ProfileNumber.text(wrong))")
    }
    self.values = values
  }

  /// The values in ascending order; nil if the text is invalid.
  private static func values(_ text: String) -> [Double]? {
    guard let dots = text.firstRange(of: "..") else {
      let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
        decimalNumber(String($0))
      }
      let known = values.compactMap { $0 }
      return known.count == values.count ? Array(Set(known)).sorted() : nil
    }
    let rest = text[dots.upperBound...].split(separator: ":", omittingEmptySubsequences: false)
    guard rest.count == 2, let low = decimalNumber(String(text[..<dots.lowerBound])),
      let high = decimalNumber(String(rest[0])), let step = decimalNumber(String(rest[1])),
      step > 0, high >= low
    else { return nil }
    // Slightly more, so that steps of 0.1 reach the end; too many are counted and refused.
    let count = ((high - low) / step + 1e-6).rounded(.down)
    guard count.isFinite else { return nil }
    let steps = Int(min(count, Double(mostValues)))
    // Without the digits that binary fractions add.
    return (0...steps).map { ((low + Double($0) * step) * 1e9).rounded() / 1e9 }
  }
}
