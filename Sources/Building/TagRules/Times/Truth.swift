// SPDX-License-Identifier: Apache-2.0

/// Whether a condition holds, as far as is known. The logic is Kleene's: `min` is "and",
/// `max` is "or".
enum Truth: Int, Comparable, Sendable, CaseIterable {
  case no
  case unknown
  case yes

  init(_ holds: Bool) { self = holds ? .yes : .no }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The opposite.
  var negated: Truth { Truth(rawValue: 2 - rawValue) ?? .unknown }
}

/// A condition, evaluated for a day.
struct ConditionReading: Equatable {
  /// Whether it holds.
  var truth: Truth
  /// Whether it could be read. A part that could not is ``Truth/unknown``, unless the rest decides.
  var isReadable = true
  /// Whether it would be another on a public holiday, which the day is assumed not to be.
  var assumesNoHoliday = false

  /// The result of a condition that cannot be read.
  static let unreadable = ConditionReading(truth: .unknown, isReadable: false)
}
