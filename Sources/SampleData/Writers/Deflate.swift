// SPDX-License-Identifier: Apache-2.0
import CZlib

/// A deflate encoder (RFC 1951) whose bytes never change: fixed Huffman codes, greedy matches.
///
/// zlib and libdeflate give other bytes with other versions, so files that are compared byte for
/// byte cannot come from them. This one compresses worse, which files of this size can afford.
struct Deflate {
  private static let windowBytes = 32768
  private static let hashBits = 15
  private static let shortestMatch = 3
  private static let longestMatch = 258
  /// How many earlier places are tried for a match.
  private static let chainLimit = 24
  /// Inside matches longer than this only the first places are remembered.
  private static let remembered = 16

  /// First length and extra bits of the length codes 257…285, and the same of the distance codes.
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

  /// A zlib stream (RFC 1950), as PBF blobs hold it.
  static func zlibStream(_ input: [UInt8]) -> [UInt8] {
    let checksum = UInt32(truncatingIfNeeded: adler32(1, input, UInt32(input.count)))
    return [0x78, 0x01] + compress(input) + bigEndianBytes(checksum)
  }

  /// A gzip file (RFC 1952) that names its member and no time.
  static func gzipFile(_ input: [UInt8], name: String) -> [UInt8] {
    gzipHead(name: name) + compress(input) + littleEndianBytes(crc(input))
      + littleEndianBytes(UInt32(truncatingIfNeeded: input.count))
  }

  /// How such a gzip file begins.
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
    // One last block with fixed codes.
    put(0b011, bits: 3)
    var place = 0
    while place < input.count {
      let match = longestMatch(at: place)
      if match.length >= Self.shortestMatch {
        put(length: match.length)
        put(distance: match.distance)
      } else {
        put(symbol: Int(input[place]))
      }
      let step = max(1, match.length >= Self.shortestMatch ? match.length : 1)
      for inner in place..<place + min(step, Self.remembered) { remember(inner) }
      place += step
    }
    put(symbol: 256)
    put(0, bits: 7)
    while bitCount >= 8 { flushByte() }
  }

  private func hash(at place: Int) -> Int {
    let bytes =
      UInt32(input[place]) << 16 | UInt32(input[place + 1]) << 8 | UInt32(input[place + 2])
    return Int((bytes &* 2_654_435_761) >> (32 - UInt32(Self.hashBits)))
  }

  private mutating func remember(_ place: Int) {
    guard place + Self.shortestMatch <= input.count else { return }
    let slot = hash(at: place)
    previous[place % Self.windowBytes] = newest[slot]
    newest[slot] = Int32(place)
  }

  private func longestMatch(at place: Int) -> (length: Int, distance: Int) {
    let limit = min(Self.longestMatch, input.count - place)
    guard limit >= Self.shortestMatch else { return (0, 0) }
    var best = (length: 0, distance: 0)
    var candidate = Int(newest[hash(at: place)])
    var tries = Self.chainLimit
    while candidate >= 0, place - candidate < Self.windowBytes, tries > 0, best.length < limit {
      var length = 0
      while length < limit, input[candidate + length] == input[place + length] { length += 1 }
      if length > best.length { best = (length, place - candidate) }
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

  /// Huffman codes go out from their highest bit.
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
