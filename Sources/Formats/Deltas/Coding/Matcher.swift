// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// Finds what new bytes have in common with old ones and with themselves, and writes
/// ``Instructions``.
///
/// At each byte it tries three positions: the due old bytes, old bytes with the same twelve bytes,
/// and the last new bytes with the same five. It takes the best by length minus the size of the
/// instruction.
struct Matcher {
  private static let longKey = 12
  private static let shortKey = 5
  /// The least length of a copy of due bytes, which takes two bytes.
  private static let leastDue = 4

  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  private let step: Int
  private let longBits: UInt64
  private let shortBits: UInt64
  /// Offsets in the old bytes plus one, by the hash of a long key.
  private var longTable: [UInt32]
  /// The same in the new bytes, by the hash of a short key.
  private var shortTable: [UInt32]
  private var writer = ByteWriter()

  private struct Match {
    var start = 0
    var length = 0
    var gain = 0
    var isOld = true
  }

  /// The instructions that turn `old` into `new`, each with less than 2³² bytes.
  static func instructions(from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let found = old.withUnsafeBytes { old in
      new.withUnsafeBytes { new in
        var matcher = Matcher(old, new)
        matcher.run()
        return matcher.writer.bytes
      }
    }
    let isPlausible = Instructions.isPlausible(
      new.count, old: old.count, instructions: found.count)
    return isPlausible ? found : Instructions.literal(new)
  }

  private init(_ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer) {
    self.old = old
    self.new = new
    // For long files, the table has every tenth or so of their positions, to stay below 64 MiB.
    step = max(3, old.count >> 24)
    longBits = Self.bits(old.count / step)
    shortBits = min(20, Self.bits(new.count))
    longTable = [UInt32](repeating: 0, count: 1 << Int(longBits))
    shortTable = [UInt32](repeating: 0, count: 1 << Int(shortBits))
    guard old.count >= Self.longKey else { return }
    for offset in stride(from: 0, through: old.count - Self.longKey, by: step) {
      longTable[longHash(old, offset)] = UInt32(truncatingIfNeeded: offset + 1)
    }
  }

  private static func bits(_ count: Int) -> UInt64 {
    UInt64(min(24, max(8, Int.bitWidth - count.leadingZeroBitCount)))
  }

  @inline(__always)
  private func longHash(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let last = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
    let mixed = (first ^ UInt64(last) &* 0x9E37_79B1_85EB_CA87) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(mixed >> (64 - longBits))
  }

  @inline(__always)
  private func shortHash(_ offset: Int) -> Int {
    let low = new.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    let key = UInt64(low) | UInt64(new[offset + 4]) << 32
    return Int((key &* (0x9FB2_1C65_1E98_DF25 as UInt64)) >> (64 - shortBits))
  }

  private mutating func run() {
    var (position, literal, due) = (0, 0, 0)
    while position < new.count {
      var best = bestMatch(at: position, due: due)
      guard best.gain > 0 else {
        remember(position)
        position += 1
        due += 1
        continue
      }
      if best.isOld {
        // The bytes before may be equal, too.
        while position > literal, best.start > 0, old[best.start - 1] == new[position - 1] {
          best.start -= 1
          best.length += 1
          position -= 1
          due -= 1
        }
      }
      writer.add(count: position - literal)
      writer.add(raw: new[literal..<position])
      writer.add(count: best.length)
      if best.isOld {
        writer.add(zigzag(Int64(best.start - due)) << 1)
        due = best.start + best.length
      } else {
        writer.add(UInt64(position - best.start) << 1 | 1)
        for offset in position..<position + best.length { remember(offset) }
        due += best.length
      }
      position += best.length
      literal = position
    }
    if literal < new.count || new.isEmpty {
      writer.add(count: new.count - literal)
      writer.add(raw: new[literal...])
    } else {
      // The last turn has no literals.
      writer.add(count: 0)
    }
  }

  @inline(__always)
  private mutating func remember(_ offset: Int) {
    guard offset + Self.shortKey <= new.count else { return }
    shortTable[shortHash(offset)] = UInt32(truncatingIfNeeded: offset + 1)
  }

  @inline(__always)
  private func bestMatch(at position: Int, due: Int) -> Match {
    var best = Match()
    if due >= 0, due < old.count {
      let length = commonLength(old, due, new, position)
      if length >= Self.leastDue {
        best = Match(start: due, length: length, gain: length - 3, isOld: true)
        // Nothing is much better.
        if length > 64 { return best }
      }
    }
    if position + Self.longKey <= new.count {
      let found = Int(longTable[longHash(new, position)]) - 1
      if found >= 0 {
        let length = commonLength(old, found, new, position)
        if length >= Self.longKey, length - 7 > best.gain {
          best = Match(start: found, length: length, gain: length - 7, isOld: true)
        }
      }
    }
    if position + Self.shortKey <= new.count {
      let found = Int(shortTable[shortHash(position)]) - 1
      if found >= 0, found < position {
        let length = commonLength(new, found, new, position)
        let size = position - found < 1 << 13 ? 4 : 5
        if length - size > best.gain {
          best = Match(start: found, length: length, gain: length - size, isOld: false)
        }
      }
    }
    return best
  }

  /// The number of equal bytes in the two, from `first` and `second` on.
  @inline(__always)
  private func commonLength(
    _ one: UnsafeRawBufferPointer, _ first: Int, _ other: UnsafeRawBufferPointer, _ second: Int
  ) -> Int {
    let limit = min(one.count - first, other.count - second)
    var length = 0
    while length + 8 <= limit {
      let difference =
        one.loadUnaligned(fromByteOffset: first + length, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: second + length, as: UInt64.self)
      if difference != 0 { return length + difference.littleEndian.trailingZeroBitCount / 8 }
      length += 8
    }
    while length < limit, one[first + length] == other[second + length] { length += 1 }
    return length
  }
}
