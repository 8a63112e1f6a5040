// SPDX-License-Identifier: Apache-2.0

/// Why the area that a way lies in closes it.
package enum AreaClosure: UInt8, Sendable, CaseIterable {
  /// The military shoots or trains there.
  case military = 1
  /// Protected land that may not be entered.
  case reserve = 2
  /// Any other danger.
  case danger = 3

  /// The key of ``WayTags`` that says so, with a ``name`` as its value. OpenStreetMap has no such
  /// key: areas are objects of their own there.
  package static let key = "within"

  /// The value of ``key``.
  package var name: String {
    switch self {
    case .military: "military"
    case .reserve: "reserve"
    case .danger: "danger"
    }
  }

  /// That of an area with these hazards; nil if none of them closes what lies in it.
  package init?(_ hazards: [Hazard]) {
    guard let hazard = hazards.first(where: \.isClosing) else { return nil }
    switch hazard.kind {
    case .military: self = .military
    case .reserve: self = .reserve
    default: self = .danger
    }
  }
}
