// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Walks through packed varints: the innermost loop of the decoder.
///
/// It fails by returning nil, so that a loop holds no error handling; ``failure`` says why.
struct VarintCursor {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool {
    @inline(__always) get { position == bytes.count }
  }

  /// The next number, or nil at the end and where no whole number of 64 bits stands.
  @inline(__always)
  mutating func next() -> UInt64? {
    guard bytes.count &- position >= 8 else {
      // The ends of short fields: mostly numbers of one byte.
      guard position < bytes.count, bytes[position] < 0x80 else { return nextByteByByte() }
      position &+= 1
      return UInt64(bytes[position &- 1])
    }
    let word = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    // The last byte of a number is the first one whose highest bit is clear.
    let stops = ~word & 0x8080_8080_8080_8080
    guard stops != 0 else { return nextByteByByte() }
    position &+= (stops.trailingZeroBitCount &>> 3) &+ 1
    // Keep the bytes up to the stop, then close the gaps of one bit between groups of seven.
    var value = word & (stops ^ (stops &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
    value = (value & 0x007f_007f_007f_007f) | ((value & 0x7f00_7f00_7f00_7f00) &>> 1)
    value = (value & 0x0000_3fff_0000_3fff) | ((value & 0x3fff_0000_3fff_0000) &>> 2)
    return (value & 0x0fff_ffff) | ((value & 0x0fff_ffff_0000_0000) &>> 4)
  }

  @inline(never)
  private mutating func nextByteByByte() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var place = position
    while place < bytes.count, shift < 64 {
      let byte = UInt64(bytes[place])
      place += 1
      // The tenth byte has room for one bit.
      if shift == 63, byte > 1 { return nil }
      value |= (byte & 0x7f) << shift
      if byte < 0x80 {
        position = place
        return value
      }
      shift += 7
    }
    return nil
  }

  /// Passes over zeros; returns how many there were.
  @inline(__always)
  mutating func skipZeros() -> Int {
    let start = position
    while bytes.count &- position >= 8,
      bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) == 0
    {
      position &+= 8
    }
    while position < bytes.count, bytes[position] == 0 { position &+= 1 }
    return position &- start
  }

  /// Why ``next()`` returned nil.
  var failure: CairnError {
    bytes.count - position >= 10
      ? .badData(.overlongVarint, "a number has more than 64 bits")
      : .badData(.fieldPastEnd, "a number is cut off by the end of its message")
  }

  /// How many numbers there are in packed varints, provided that the last one is whole.
  static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    var continued = 0
    var place = 0
    while bytes.count - place >= 16 {
      // Each lane counts up to 255 bytes with the highest bit set.
      var lanes = SIMD16<UInt8>.zero
      let rounds = min(255, (bytes.count - place) / 16)
      for _ in 0..<rounds {
        lanes &+= bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) &>> 7
        place &+= 16
      }
      for lane in 0..<16 { continued &+= Int(lanes[lane]) }
    }
    while place < bytes.count {
      continued &+= Int(bytes[place] &>> 7)
      place &+= 1
    }
    return bytes.count - continued
  }
}

/// The numbers of one repeated field as packed varints in one piece, however they were written.
///
/// A field that comes in one packed piece, as all usual files have it, is not copied.
struct PackedField: ~Copyable {
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var joined = GrowingBuffer()
  private var joinedCount = 0

  init() {}

  /// Forgets the field and keeps the memory.
  @inline(__always)
  mutating func reset() {
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    joinedCount = 0
  }

  /// Adds the piece of the field that the reader stands at.
  @inline(__always)
  mutating func read(_ reader: inout ProtobufReader, _ field: ProtobufReader.Field)
    throws(CairnError)
  {
    let piece = try reader.readPackedPiece(field)
    if bytes.isEmpty { bytes = piece } else { join(piece) }
  }

  @inline(never)
  private mutating func join(_ piece: UnsafeRawBufferPointer) {
    if joinedCount == 0 {
      let first = joined.reserve(bytes.count, keeping: 0)
      first.copyMemory(from: bytes)
      joinedCount = bytes.count
    }
    let whole = joined.reserve(joinedCount + piece.count, keeping: joinedCount)
    UnsafeMutableRawBufferPointer(rebasing: whole[joinedCount...]).copyMemory(from: piece)
    joinedCount += piece.count
    bytes = UnsafeRawBufferPointer(whole)
  }
}
