// SPDX-License-Identifier: Apache-2.0
import CZlib

/// A deflate encoder (RFC 1951) with stable output: fixed Huffman codes, greedy matches.
///
/// The output of zlib and libdeflate differs between versions, so they cannot write files that are
/// compared byte by byte. This encoder compresses less well, which is fine for small files.
struct Deflate {
  private static let windowBytes = 32768
  private static let hashBits = 15
  private static let shortestMatch = 3
  private static let longestMatch = 258
  /// The number of earlier offsets to try for a match.
  private static let chainLimit = 24
  /// The number of offsets within a match that are added to the hash table.
  private static let remembered = 16

  /// Base values and extra bits of the length codes 257…285 and of the distance codes.
  private static let lengthCodes =
    codes(
      first: 3,
      extraBits: [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4,
        5, 5, 5, 5,
      ])
    + [(258, 0)]
  private static let distanceCodes = codes(
    first: 1, extraBits: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] })

  private static func codes(first: Int, extraBits: [Int]) -> [(base: Int, extraBits: Int)] {
    var base = first
    return extraBits.map { bits in
      defer { base += 1 << bits }
      return (base, bits)
    }
  }

  private let input: [UInt8]
  private var output: [UInt8] = []
  private var bitBuffer: UInt64 = 0
  private var bitCount = 0
  private var newest = [Int32](repeating: -1, count: 1 << hashBits)
  private var previous = [Int32](repeating: -1, count: windowBytes)

  /// One raw deflate stream.
  static func compress(_ input: [UInt8]) -> [UInt8] {
    var encoder = Deflate(input: input)
    encoder.encode()
    return encoder.output
  }

  /// A zlib stream (RFC 1950), as in PBF blobs.
  static func zlibStream(_ input: [UInt8]) -> [UInt8] {
    let checksum = UInt32(truncatingIfNeeded: adler32(1, input, UInt32(input.count)))
    return [0x78, 0x01] + compress(input) + bigEndianBytes(checksum)
  }

  /// A gzip file (RFC 1952) with a file name and without a time.
  static func gzipFile(_ input: [UInt8], name: String) -> [UInt8] {
    gzipHead(name: name) + compress(input) + littleEndianBytes(crc(input))
      + littleEndianBytes(UInt32(truncatingIfNeeded: input.count))
  }

  /// The header of such a gzip file.
  static func gzipHead(name: String) -> [UInt8] {
    let hasName: UInt8 = 8
    let unknownSystem: UInt8 = 255
    return [0x1f, 0x8b, 8, hasName, 0, 0, 0, 0, 0, unknownSystem] + Array(name.utf8) + [0]
  }

  /// The CRC-32 of gzip and zip.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
  }

  private init(input: [UInt8]) { self.input = input }

  private mutating func encode() {
    // A single final block with fixed codes.
    put(0b011, bits: 3)
    var offset = 0
    while offset < input.count {
      let match = longestMatch(at: offset)
      if match.length >= Self.shortestMatch {
        put(length: match.length)
        put(distance: match.distance)
      } else {
        put(symbol: Int(input[offset]))
      }
      let step = max(1, match.length >= Self.shortestMatch ? match.length : 1)
      for inner in offset..<offset + min(step, Self.remembered) { remember(inner) }
      offset += step
    }
    put(symbol: 256)
    put(0, bits: 7)
    while bitCount >= 8 { flushByte() }
  }

  private func hash(at offset: Int) -> Int {
    let bytes =
      UInt32(input[offset]) << 16 | UInt32(input[offset + 1]) << 8 | UInt32(input[offset + 2])
    return Int((bytes &* 2_654_435_761) >> (32 - UInt32(Self.hashBits)))
  }

  private mutating func remember(_ offset: Int) {
    guard offset + Self.shortestMatch <= input.count else { return }
    let bucket = hash(at: offset)
    previous[offset % Self.windowBytes] = newest[bucket]
    newest[bucket] = Int32(offset)
  }

  private func longestMatch(at offset: Int) -> (length: Int, distance: Int) {
    let limit = min(Self.longestMatch, input.count - offset)
    guard limit >= Self.shortestMatch else { return (0, 0) }
    var best = (length: 0, distance: 0)
    var candidate = Int(newest[hash(at: offset)])
    var tries = Self.chainLimit
    while candidate >= 0, offset - candidate < Self.windowBytes, tries > 0, best.length < limit {
      var length = 0
      while length < limit, input[candidate + length] == input[offset + length] { length += 1 }
      if length > best.length { best = (length, offset - candidate) }
      let older = Int(previous[candidate % Self.windowBytes])
      candidate = older < candidate ? older : -1
      tries -= 1
    }
    return best
  }

  private mutating func put(length: Int) {
    let code = Self.lengthCodes.lastIndex { $0.base <= length } ?? 0
    put(symbol: 257 + code)
    put(length - Self.lengthCodes[code].base, bits: Self.lengthCodes[code].extraBits)
  }

  private mutating func put(distance: Int) {
    let code = Self.distanceCodes.lastIndex { $0.base <= distance } ?? 0
    putReversed(code, bits: 5)
    put(distance - Self.distanceCodes[code].base, bits: Self.distanceCodes[code].extraBits)
  }

  /// A literal, length or end symbol in the fixed code of RFC 1951, 3.2.6.
  private mutating func put(symbol: Int) {
    switch symbol {
    case ..<144: putReversed(0x30 + symbol, bits: 8)
    case ..<256: putReversed(0x190 + symbol - 144, bits: 9)
    case ..<280: putReversed(symbol - 256, bits: 7)
    default: putReversed(0xC0 + symbol - 280, bits: 8)
    }
  }

  /// Huffman codes are written from their highest bit.
  private mutating func putReversed(_ code: Int, bits: Int) {
    for bit in stride(from: bits - 1, through: 0, by: -1) { put(code >> bit & 1, bits: 1) }
  }

  private mutating func put(_ value: Int, bits: Int) {
    bitBuffer |= UInt64(value) << UInt64(bitCount)
    bitCount += bits
    while bitCount >= 8 { flushByte() }
  }

  private mutating func flushByte() {
    output.append(UInt8(truncatingIfNeeded: bitBuffer))
    bitBuffer >>= 8
    bitCount -= 8
  }
}

func littleEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

func bigEndianBytes(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
