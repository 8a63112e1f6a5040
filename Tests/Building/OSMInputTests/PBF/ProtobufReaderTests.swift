// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import OSMInput

private func read<Value>(
  _ bytes: [UInt8], _ body: (inout ProtobufReader) throws -> Value
) throws -> Value {
  try bytes.withUnsafeBytes { buffer in
    var reader = ProtobufReader(buffer)
    return try body(&reader)
  }
}

/// The value of the only field as packed varints.
private func cursorValues(_ bytes: [UInt8]) -> [UInt64] {
  bytes.withUnsafeBytes { buffer in
    var cursor = VarintCursor(buffer)
    var values: [UInt64] = []
    while let value = cursor.next() { values.append(value) }
    return values
  }
}

@Suite("Protocol Buffers")
struct ProtobufReaderTests {
  @Test(
    "integers of every length are read",
    arguments: (0..<64).map { UInt64(1) << UInt64($0) } + [0, 127, 128, .max])
  func varints(value: UInt64) throws {
    for value in [value, value &- 1, value &+ 1] {
      var message = Message()
      message.number(1, value)
      let read = try read(message.bytes) { reader in
        let field = try #require(try reader.nextField())
        return try reader.readVarint(field)
      }
      #expect(read == value)
      // In the middle of others, the fast path decodes it.
      let packed = Message.varint(value) + Message.varint(5) + [UInt8](repeating: 0, count: 12)
      #expect(cursorValues(packed).prefix(2) == [value, 5])
    }
  }

  @Test("zigzag-encoded integers are read", arguments: [0, -1, 1, .min, .max] as [Int64])
  func zigzag(value: Int64) {
    #expect(zigzagDecoded(Message.zigzag(value)) == value)
  }

  @Test("packed varints are counted by their last bytes")
  func counts() {
    for count in [0, 1, 15, 16, 17, 300, 5000] {
      let values = (0..<count).map { UInt64($0 * $0 * 7919) }
      let bytes = values.flatMap(Message.varint)
      #expect(bytes.withUnsafeBytes { VarintCursor.count($0) } == count)
      #expect(cursorValues(bytes) == values)
    }
  }

  @Test("a varint of more than 64 bits is refused")
  func overlong() {
    let eleven = [UInt8](repeating: 0xff, count: 10) + [1]
    let tooMuch = [UInt8](repeating: 0xff, count: 9) + [2]
    for bytes in [eleven, tooMuch] {
      let error = failure {
        try read([8] + bytes) { try $0.skip(try #require(try $0.nextField())) }
      }
      #expect(error?.code == .overlongVarint)
    }
  }

  @Test("a field that extends beyond its message is refused")
  func pastEnd() {
    let broken: [[UInt8]] = [
      [0x0a, 5, 1, 2], [0x08], [0x08, 0x80], [0x0d, 1, 2, 3], [0x09, 1], [0x80],
      [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    ]
    for bytes in broken {
      let error = failure {
        try read(bytes) { reader in
          while let field = try reader.nextField() { try reader.skip(field) }
        }
      }
      #expect(error?.code == .fieldPastEnd, "\(bytes)")
    }
  }

  @Test("groups, unknown or unexpected wire types and field 0 are refused")
  func badFields() {
    for bytes in [[0x0b], [0x0c], [0x0e], [0x0f], [0x00, 0x00], [0x02, 0x00]] as [[UInt8]] {
      #expect(failure { try read(bytes) { try $0.nextField() } }?.code == .badField, "\(bytes)")
    }
    let asBytes = failure {
      try read([0x08, 1]) { try $0.readBytes(try #require(try $0.nextField())).count }
    }
    #expect(asBytes?.code == .badField)
  }

  @Test("fixed integers of four and eight bytes are read")
  func fixedNumbers() throws {
    let values = try read([0x0d, 1, 0, 0, 0, 0x11, 2, 0, 0, 0, 0, 0, 0, 1]) { reader in
      let first = try reader.readFixed32(try #require(try reader.nextField()))
      let second = try reader.readFixed64(try #require(try reader.nextField()))
      #expect(reader.isAtEnd)
      return (first, second)
    }
    #expect(values == (1, 0x0100_0000_0000_0002))
  }
}
