// SPDX-License-Identifier: Apache-2.0

/// A digest of 64-bit words, which detects a file that is damaged or of another origin. It is not
/// cryptographic: collisions are easy to construct.
///
/// Each word is mixed in by a one-to-one step, so two sequences of the same length that differ in
/// one word never have the same digest.
package struct WordDigest: Equatable {
  /// The digest of the words added so far.
  package private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

  /// Makes the digest of no words.
  package init() {}

  @inline(__always)
  mutating func add(_ word: UInt64) {
    // 2⁶⁴ by the golden ratio: odd, so that multiplying is one to one.
    value = (value ^ word) &* (0x9E37_79B9_7F4A_7C15 as UInt64)
    value ^= value >> 32
  }

  /// Adds bytes as little-endian words, the last one padded with zeros.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    var word: UInt64 = 0
    for (shift, byte) in bytes[offset...].enumerated() { word |= UInt64(byte) << (8 * shift) }
    add(word)
  }
}
