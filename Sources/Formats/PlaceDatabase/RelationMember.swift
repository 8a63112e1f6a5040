// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// A way or a relation that the relation of a waymarked route consists of.
public struct RelationMember: Hashable, Sendable {
  /// The purpose of a member.
  public enum Purpose: UInt8, Sendable, CaseIterable {
    /// Part of the route itself.
    case main
    /// An alternative course.
    case alternative
    /// It leads to the route.
    case approach
    /// A detour to a place near the route, and back.
    case excursion
    /// A connection to another route.
    case connection
  }

  /// The direction in which the route follows a way.
  public enum Direction: UInt8, Sendable, CaseIterable {
    /// In either.
    case both
    /// From its first node to its last.
    case forward
    /// From its last node to its first.
    case backward
  }

  /// Whether it is a relation rather than a way.
  public var isRelation: Bool
  /// Its OpenStreetMap id.
  public var id: Int64
  /// Its purpose.
  public var purpose: Purpose
  /// The direction in which the route follows it.
  public var direction: Direction

  /// Makes a member.
  public init(
    isRelation: Bool = false, id: Int64, purpose: Purpose = .main, direction: Direction = .both
  ) {
    self.isRelation = isRelation
    self.id = id
    self.purpose = purpose
    self.direction = direction
  }

  /// Makes a member from its byte in a `.trails` file: the lowest bit is 1 for a relation, the
  /// next two are the direction, and the others the purpose. Nil for an undefined byte.
  package init?(kind: UInt8, id: Int64) {
    guard let purpose = Purpose(rawValue: kind >> 3),
      let direction = Direction(rawValue: kind >> 1 & 3)
    else { return nil }
    self.init(isRelation: kind & 1 == 1, id: id, purpose: purpose, direction: direction)
  }

  private var kind: UInt8 {
    purpose.rawValue << 3 | direction.rawValue << 1 | (isRelation ? 1 : 0)
  }

  /// The blob of some members, in order: for each, the byte of its type and role, and as LEB128 the
  /// zigzag of the difference of its id from that of the previous member of its type.
  package static func packed(_ members: some Sequence<RelationMember>) -> [UInt8] {
    var bytes: [UInt8] = []
    var last: [Int64] = [0, 0]
    for member in members {
      let type = member.isRelation ? 1 : 0
      bytes.append(member.kind)
      bytes.append(varint: zigzag(member.id &- last[type]))
      last[type] = member.id
    }
    return bytes
  }

  /// The members of a blob; nil if it is damaged.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer) -> [RelationMember]? {
    var members: [RelationMember] = []
    members.reserveCapacity(bytes.count / 4)
    var reader = ByteReader(bytes)
    var last: [Int64] = [0, 0]
    while !reader.isAtEnd {
      guard let kind = reader.varint(), let kind = UInt8(exactly: kind), let step = reader.varint()
      else { return nil }
      let type = Int(kind & 1)
      last[type] &+= unzigzag(step)
      guard let member = RelationMember(kind: kind, id: last[type]) else { return nil }
      members.append(member)
    }
    return members
  }
}
