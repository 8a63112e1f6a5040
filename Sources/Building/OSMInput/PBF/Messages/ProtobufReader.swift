// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// Reads the fields of one Protocol Buffers message, each read checked against its end.
///
/// The reader does not own the bytes, which must stay valid as long as it is used. It never reads
/// outside them, whatever they contain. Every function throws `overlong-varint`, `field-past-end` or
/// `bad-field`, all with exit code 65 and without a location.
///
/// The encoding is that of <https://protobuf.dev/programming-guides/encoding/>. Groups, which were
/// deprecated before OpenStreetMap used the format, are refused.
package struct ProtobufReader {
  /// How the value of a field is encoded.
  package enum WireType: UInt8, Sendable {
    /// An integer of one to ten bytes.
    case varint = 0
    /// Eight bytes.
    case fixed64 = 1
    /// A length, followed by as many bytes: text, a message or packed numbers.
    case lengthDelimited = 2
    /// Four bytes.
    case fixed32 = 5
  }

  /// The tag of a field.
  package struct Field: Equatable, Sendable {
    /// The field number in the schema, 1…2²⁹−1.
    package let number: Int
    /// How its value is encoded.
    package let wireType: WireType
  }

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Creates a reader of the message that fills `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all fields have been read.
  package var isAtEnd: Bool { position == bytes.count }

  /// The tag of the next field, or nil at the end. Its value must be read or skipped next.
  @inline(__always)
  package mutating func nextField() throws(CairnError) -> Field? {
    guard position < bytes.count else { return nil }
    let tag = try readVarint()
    guard let wireType = WireType(rawValue: UInt8(truncatingIfNeeded: tag & 7)),
      tag >= 8, tag <= UInt64(UInt32.max)
    else { throw Self.badTag(tag) }
    return Field(number: Int(tag >> 3), wireType: wireType)
  }

  /// The value of an integer field.
  @inline(__always)
  package mutating func readVarint(_ field: Field) throws(CairnError) -> UInt64 {
    guard field.wireType == .varint else { throw Self.badKind(field) }
    return try readVarint()
  }

  /// The value of a zigzag-encoded integer field (`sint64`).
  @inline(__always)
  package mutating func readZigzag(_ field: Field) throws(CairnError) -> Int64 {
    zigzagDecoded(try readVarint(field))
  }

  /// The value of a field that contains text, a message or packed numbers.
  @inline(__always)
  package mutating func readBytes(_ field: Field) throws(CairnError) -> UnsafeRawBufferPointer {
    guard field.wireType == .lengthDelimited else { throw Self.badKind(field) }
    let length = try readVarint()
    guard length <= UInt64(bytes.count - position) else { throw Self.pastEnd(length) }
    let start = position
    position += Int(length)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// The value of a field of four bytes.
  package mutating func readFixed32(_ field: Field) throws(CairnError) -> UInt32 {
    guard field.wireType == .fixed32 else { throw Self.badKind(field) }
    return try readFixed()
  }

  /// The value of a field of eight bytes.
  package mutating func readFixed64(_ field: Field) throws(CairnError) -> UInt64 {
    guard field.wireType == .fixed64 else { throw Self.badKind(field) }
    return try readFixed()
  }

  /// The value of a repeated integer field as packed varints: a packed piece or a single value. The
  /// value of the whole field is the concatenation of its pieces.
  @inline(__always)
  package mutating func readPackedPiece(_ field: Field) throws(CairnError)
    -> UnsafeRawBufferPointer
  {
    if field.wireType == .lengthDelimited { return try readBytes(field) }
    let start = position
    _ = try readVarint(field)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// Skips the value of a field.
  @inline(__always)
  package mutating func skip(_ field: Field) throws(CairnError) {
    switch field.wireType {
    case .varint: _ = try readVarint()
    case .lengthDelimited: _ = try readBytes(field)
    case .fixed32: _ = try readFixed32(field)
    case .fixed64: _ = try readFixed64(field)
    }
  }

  @inline(__always)
  private mutating func readVarint() throws(CairnError) -> UInt64 {
    if position < bytes.count, bytes[position] < 0x80 {
      position += 1
      return UInt64(bytes[position - 1])
    }
    var cursor = VarintCursor(bytes, at: position)
    guard let value = cursor.next() else { throw cursor.failure }
    position = cursor.position
    return value
  }

  private mutating func readFixed<Number: FixedWidthInteger & BitwiseCopyable>()
    throws(CairnError) -> Number
  {
    let size = MemoryLayout<Number>.size
    guard bytes.count - position >= size else { throw Self.pastEnd(UInt64(size)) }
    defer { position += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  @inline(never)
  private static func badTag(_ tag: UInt64) -> CairnError {
    .badData(
      .badField,
      tag & 7 == 3 || tag & 7 == 4
        ? "a field is a group, which the format does not allow" : "\(tag) is not a valid field tag")
  }

  @inline(never)
  private static func badKind(_ field: Field) -> CairnError {
    .badData(.badField, "field \(field.number) has the unexpected wire type \(field.wireType)")
  }

  @inline(never)
  private static func pastEnd(_ length: UInt64) -> CairnError {
    .badData(
      .fieldPastEnd, "a field of \(grouped(length)) bytes extends past the end of its message")
  }
}

/// Decodes a zigzag-encoded integer: 0, −1, 1, −2 … for 0, 1, 2, 3 …
@inline(__always)
func zigzagDecoded(_ value: UInt64) -> Int64 {
  Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
}
