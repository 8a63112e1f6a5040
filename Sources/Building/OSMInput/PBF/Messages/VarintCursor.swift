// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Iterates over packed varints: the innermost loop of the decoder.
///
/// It fails by returning nil, so that loops need no error handling; ``failure`` says why.
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

  /// The next value; nil at the end and if there is no valid varint of 64 bits.
  @inline(__always)
  mutating func next() -> UInt64? {
    guard bytes.count &- position >= 8 else {
      // Short fields and the ends of fields: mostly values of one or two bytes.
      guard position < bytes.count else { return nil }
      let first = UInt64(bytes[position])
      if first < 0x80 {
        position &+= 1
        return first
      }
      guard position &+ 1 < bytes.count, bytes[position &+ 1] < 0x80 else {
        return nextByteByByte()
      }
      position &+= 2
      return first & 0x7f | UInt64(bytes[position &- 1]) &<< 7
    }
    let word = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    // The last byte of a value is the first one whose highest bit is clear.
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
    var offset = position
    while offset < bytes.count, shift < 64 {
      let byte = UInt64(bytes[offset])
      offset += 1
      // The tenth byte has only one bit.
      if shift == 63, byte > 1 { return nil }
      value |= (byte & 0x7f) << shift
      if byte < 0x80 {
        position = offset
        return value
      }
      shift += 7
    }
    return nil
  }

  /// Skips zeros; returns their number.
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
      ? .badData(.overlongVarint, "an integer has more than 64 bits")
      : .badData(.fieldPastEnd, "an integer is truncated at the end of its message")
  }

  /// The number of packed varints, provided that the last one is complete.
  static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
    var continued = 0
    var offset = 0
    while bytes.count - offset >= 16 {
      // Each lane counts up to 255 bytes with the highest bit set.
      var lanes = SIMD16<UInt8>.zero
      let rounds = min(255, (bytes.count - offset) / 16)
      for _ in 0..<rounds {
        lanes &+= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self) &>> 7
        offset &+= 16
      }
      for lane in 0..<16 { continued &+= Int(lanes[lane]) }
    }
    while offset < bytes.count {
      continued &+= Int(bytes[offset] &>> 7)
      offset &+= 1
    }
    return bytes.count - continued
  }
}

/// The values of a repeated field as contiguous packed varints, whether they were packed or not.
///
/// A field in one packed piece, as in all usual files, is not copied.
struct PackedField: ~Copyable {
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var joined = GrowingBuffer()
  private var joinedCount = 0

  init() {}

  /// Clears the field and keeps its memory.
  @inline(__always)
  mutating func reset() {
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    joinedCount = 0
  }

  /// Adds the piece of the field at the reader's position.
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
