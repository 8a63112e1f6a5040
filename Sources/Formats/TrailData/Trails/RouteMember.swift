// SPDX-License-Identifier: Apache-2.0

/// A way or a relation that a waymarked route consists of.
package struct RouteMember: Equatable, Sendable {
  /// The role of a member in the relation: its purpose and its direction.
  package struct Role: Equatable, Sendable {
    /// The purpose of a member.
    package enum Purpose: UInt8, Sendable, CaseIterable {
      /// Part of the route: without a role, or with any other one.
      case main
      /// `alternative`: an alternative course.
      case alternative
      /// `approach`: it leads to the route.
      case approach
      /// `excursion`: a detour to a place near the route, and back.
      case excursion
      /// `connection`, `link`: a connection to another route.
      case connection
    }

    /// The direction in which the route follows the way.
    package enum Direction: UInt8, Sendable, CaseIterable {
      /// In either.
      case both
      /// `forward`: only from its first node to its last.
      case forward
      /// `backward`: only from its last node to its first.
      case backward
    }

    /// Its purpose.
    package var purpose: Purpose
    /// The direction in which the route follows it.
    package var direction: Direction

    /// Makes a role.
    package init(_ purpose: Purpose = .main, _ direction: Direction = .both) {
      self.purpose = purpose
      self.direction = direction
    }

    /// Reads a role as mapped: a purpose, a direction, or both separated by a colon, such as
    /// `alternative:forward`.
    package init(_ text: some Sequence<UInt8>) {
      self.init()
      let text = Array(text)
      if text.isEmpty { return }
      for word in text.split(separator: UInt8(ascii: ":")).prefix(2) {
        switch String(decoding: word.prefix(16), as: UTF8.self) {
        case "forward": direction = .forward
        case "backward": direction = .backward
        case "alternative", "alternate", "variant": purpose = .alternative
        case "approach", "access": purpose = .approach
        case "excursion", "detour", "spur": purpose = .excursion
        case "connection", "connector", "link": purpose = .connection
        default: break
        }
      }
    }
  }

  /// Whether it is a relation rather than a way.
  package var isRelation: Bool
  /// Its OpenStreetMap id.
  package var id: Int64
  /// Its role.
  package var role: Role

  /// Makes a member.
  package init(isRelation: Bool, id: Int64, role: Role = Role()) {
    self.isRelation = isRelation
    self.id = id
    self.role = role
  }

  /// Its type and role as a byte: the lowest bit is 1 for a relation, the next two are the
  /// direction, and the others the purpose.
  package var kind: UInt8 {
    role.purpose.rawValue << 3 | role.direction.rawValue << 1 | (isRelation ? 1 : 0)
  }

  /// Makes a member from the byte of its type and role; nil for an undefined byte.
  package init?(kind: UInt8, id: Int64) {
    guard let purpose = Role.Purpose(rawValue: kind >> 3),
      let direction = Role.Direction(rawValue: kind >> 1 & 3)
    else { return nil }
    self.init(isRelation: kind & 1 == 1, id: id, role: Role(purpose, direction))
  }
}
