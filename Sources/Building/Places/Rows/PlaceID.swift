// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The identity of a place's waypoint, made of what OpenStreetMap calls it: the same in every build
/// and every region, and it can be read back.
///
/// It is a UUID of version 8 (RFC 9562, 5.8), whose bits a program may use as it likes:
/// `4F534Dtt-0000-800h-hhhh-hhhhhhhhhhhh`. `4F534D` is “OSM” in ASCII, `tt` the letter n, w or r of
/// the object's type, and the last 64 bits but the two of the variant are the id, whose upper two
/// bits end the third group.
package enum PlaceID {
  /// The letter of a type of object.
  package static func letter(_ type: OSMObjectType) -> Character {
    switch type {
    case .node: "n"
    case .way: "w"
    case .relation: "r"
    }
  }

  /// The UUID of an object, in capitals.
  package static func uuid(_ type: OSMObjectType, _ id: Int64) -> String {
    let bits = UInt64(bitPattern: id)
    let low = bits & (1 << 62 - 1) | 1 << 63
    let letter = letter(type).asciiValue ?? 0
    return "4F534D\(hex(UInt64(letter), 2))-0000-8\(hex(bits >> 62, 3))-\(hex(low >> 48, 4))-"
      + hex(low & 0xFFFF_FFFF_FFFF, 12)
  }

  private static func hex(_ value: UInt64, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
