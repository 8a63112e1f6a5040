// SPDX-License-Identifier: Apache-2.0

/// Whether a condition holds, as far as anybody can tell. The logic is Kleene's: `min` is "and",
/// `max` is "or".
enum Truth: Int, Comparable, Sendable {
  case no
  case unknown
  case yes

  init(_ holds: Bool) { self = holds ? .yes : .no }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A condition, read and applied to a day.
struct ConditionReading: Equatable {
  /// Whether it holds.
  var truth: Truth
  /// Whether it was understood. What was not is ``Truth/unknown``, unless the rest settles it.
  var isReadable = true

  /// What holds for a condition that makes no sense.
  static let unreadable = ConditionReading(truth: .unknown, isReadable: false)
}
