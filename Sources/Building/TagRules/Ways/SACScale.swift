// SPDX-License-Identifier: Apache-2.0

/// The grades of the hiking scale of the Swiss Alpine Club, from the easiest to the hardest, by
/// their values of `sac_scale`: https://wiki.openstreetmap.org/wiki/Key:sac_scale
package enum SACScale: String, Sendable, CaseIterable, Comparable {
  /// Below T1: what needs no shoes for hiking.
  case strolling
  /// T1.
  case hiking
  /// T2.
  case mountainHiking = "mountain_hiking"
  /// T3.
  case demandingMountainHiking = "demanding_mountain_hiking"
  /// T4.
  case alpineHiking = "alpine_hiking"
  /// T5.
  case demandingAlpineHiking = "demanding_alpine_hiking"
  /// T6.
  case difficultAlpineHiking = "difficult_alpine_hiking"

  /// Whether the left grade is easier.
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// 0 for ``strolling``, otherwise the digit after the T.
  private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The hardest of the grades that a value names, nil if it names none.
  ///
  /// Several are separated by semicolons; each may be written in capitals or as `T1` … `T6`.
  package init?(hardestOf value: String) {
    guard let hardest = Self.grades(value).compactMap({ $0 }).max() else { return nil }
    self = hardest
  }

  /// Whether a value is nothing but grades.
  package static func isKnown(_ value: String) -> Bool { !grades(value).contains(nil) }

  private static func grades(_ value: String) -> [SACScale?] {
    value.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let word = part.trimmed.lowercased()
      return SACScale(rawValue: word) ?? allCases.dropFirst().first { word == "t\($0.number)" }
    }
  }
}
