// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The identity of a waypoint, made of what OpenStreetMap calls its object: the same in every build
/// and every region, and it can be read back.
///
/// It is a UUID of version 8 (RFC 9562, 5.8), whose bits a program may use as it likes:
/// `4F534Dtt-0000-800h-hhhh-hhhhhhhhhhhh`. `4F534D` is “OSM” in ASCII, `tt` the letter n, w or r of
/// the object's type, and the last 64 bits but the two of the variant are the id, whose upper two
/// bits end the third group.
package enum WaypointID {
  /// The UUID of an object, in capitals.
  package static func uuid(_ type: OSMObjectType, _ id: Int64) -> String {
    let bits = UInt64(bitPattern: id)
    // “OSM” and the letter, and the version and the upper bits of the id.
    let high = 0x4F53_4D00_0000_8000 | UInt64(type.asciiLetter) << 32 | bits >> 62
    let low = bits & (1 << 62 - 1) | 1 << 63
    return String(unsafeUninitializedCapacity: 36) { text in
      var next = 0
      func add(_ digits: Int, of half: UInt64, from shift: UInt64) {
        if next > 0 {
          text[next] = UInt8(ascii: "-")
          next += 1
        }
        var rest = half << shift
        for _ in 0..<digits {
          let value = UInt8(truncatingIfNeeded: rest >> 60)
          rest <<= 4
          text[next] = value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
          next += 1
        }
      }
      add(8, of: high, from: 0)
      add(4, of: high, from: 32)
      add(4, of: high, from: 48)
      add(4, of: low, from: 0)
      add(12, of: low, from: 16)
      return next
    }
  }
}
