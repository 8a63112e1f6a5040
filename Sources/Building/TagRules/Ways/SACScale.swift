// SPDX-License-Identifier: Apache-2.0

/// The grades of the hiking scale of the Swiss Alpine Club, from the easiest to the hardest, by
/// their values of `sac_scale`: https://wiki.openstreetmap.org/wiki/Key:sac_scale
///
/// Costs, limits, warnings, validation and the audit all read the tag by ``GradeReading``, so a way has
/// the same grade everywhere.
public enum SACScale: String, Sendable, CaseIterable, Comparable {
  /// Below T1: no hiking boots needed.
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

  /// T1, `hiking`.
  public static let t1 = Self.hiking
  /// T2, `mountain_hiking`.
  public static let t2 = Self.mountainHiking
  /// T3, `demanding_mountain_hiking`.
  public static let t3 = Self.demandingMountainHiking
  /// T4, `alpine_hiking`.
  public static let t4 = Self.alpineHiking
  /// T5, `demanding_alpine_hiking`.
  public static let t5 = Self.demandingAlpineHiking
  /// T6, `difficult_alpine_hiking`.
  public static let t6 = Self.difficultAlpineHiking

  /// The digit after the T; 0 for ``strolling``.
  public var number: Int {
    switch self {
    case .strolling: 0
    case .hiking: 1
    case .mountainHiking: 2
    case .demandingMountainHiking: 3
    case .alpineHiking: 4
    case .demandingAlpineHiking: 5
    case .difficultAlpineHiking: 6
    }
  }

  /// The grade of a number from 0 (``strolling``) to 6 (T6), nil for any other.
  public init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }

  /// Whether the left grade is easier.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// A single grade by its name or as `T1` … `T6`, in upper or lower case, with or without
  /// spaces around it; nil for anything else.
  public init?(grade text: some StringProtocol) {
    let word = text.trimmed.lowercased()
    guard
      let grade = Self(rawValue: word)
        ?? Self.allCases.dropFirst().first(where: {
          word == "t\($0.number)"
        })
    else { return nil }
    self = grade
  }

  /// The hardest of the grades that a value of `sac_scale` names, in any spelling; nil if it names none
  /// or cannot be read, which ``GradeReading`` tells apart.
  public init?(hardestOf value: String) {
    guard case .grade(let hardest) = GradeReading(value) else { return nil }
    self = hardest
  }
}
