// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import Testing

@Suite("Numbers as bytes")
struct ByteCodingTests {
  private func read<Value>(_ bytes: [UInt8], _ body: (inout ByteReader) -> Value) -> Value {
    bytes.withUnsafeBytes {
      var reader = ByteReader($0)
      return body(&reader)
    }
  }

  @Test(
    "a varint has seven bits in each byte, the lowest first",
    arguments: [
      (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
      (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
    ] as [(UInt64, [UInt8])])
  func varints(value: UInt64, bytes: [UInt8]) {
    var writer = ByteWriter()
    writer.add(value)
    #expect(writer.bytes == bytes)
    #expect(read(bytes) { $0.varint() } == value)
    #expect(read(Array(bytes.dropLast())) { $0.varint() } == nil)
  }

  @Test(
    "a varint of more than 64 bits is refused",
    arguments: [[UInt8](repeating: 0x80, count: 10) + [0], .init(repeating: 0xFF, count: 9) + [2]])
  func longVarints(bytes: [UInt8]) { #expect(read(bytes) { $0.varint() } == nil) }

  @Test(
    "small numbers stay small, whatever their sign",
    arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (.max, .max - 1), (.min, .max)]
      as [(Int64, UInt64)])
  func signs(value: Int64, coded: UInt64) {
    #expect(zigzag(value) == coded)
    #expect(unzigzag(coded) == value)
  }

  @Test("what is written one after the other is read so, and nothing behind the end")
  func sequence() {
    var writer = ByteWriter([7])
    writer.add(signed: -3)
    writer.add(fixed: UInt32(0x0102_0304))
    writer.add("Höhe")
    writer.add(count: 2)
    writer.add(raw: [8, 9])
    #expect(writer.bytes == [7, 5, 4, 3, 2, 1, 5] + Array("Höhe".utf8) + [2, 8, 9])
    writer.bytes.withUnsafeBytes {
      var reader = ByteReader($0, from: 1)
      #expect(reader.varint().map(unzigzag) == -3)
      #expect(reader.fixed(UInt32.self) == 0x0102_0304)
      let text = reader.count().flatMap { reader.raw($0) }
      #expect(text.map { String(decoding: $0, as: UTF8.self) } == "Höhe")
      #expect(reader.count(ofSize: 2) == nil)
      #expect(reader.raw(3) == nil)
      #expect(reader.offset == $0.count - 2 && reader.left == 2)
      #expect(reader.raw(2).map(Array.init) == [8, 9])
      #expect(reader.isAtEnd && reader.fixed(UInt8.self) == nil && reader.varint() == nil)
    }
  }

  @Test("the fields of a message have their numbers and contents")
  func fields() {
    var writer = ByteWriter()
    writer.addField(1, 150)
    writer.addField(16, "path".utf8)
    #expect(writer.bytes == [0x08, 0x96, 1, 0x82, 1, 4] + Array("path".utf8))
    // A number of four bytes, and one of eight.
    let bytes = writer.bytes + [3 << 3 | 5, 1, 2, 3, 4, 4 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8]
    var found: [String] = []
    bytes.withUnsafeBytes {
      var reader = ByteReader($0)
      while let field = reader.field() {
        switch field?.content {
        case .number(let number): found.append("\(field?.number ?? 0): \(number)")
        case .bytes(let content): found.append("\(field?.number ?? 0): \(content.count) bytes")
        case nil: found.append("damage")
        }
      }
    }
    #expect(found == ["1: 150", "16: 4 bytes", "3: 4 bytes", "4: 8 bytes"])
  }

  @Test(
    "a field that is cut off or a group is damage",
    arguments: [[0x08], [0x0A, 2, 0], [0x0D, 1, 2, 3], [0x09, 1], [0x0B], [0x0C]] as [[UInt8]])
  func damage(bytes: [UInt8]) {
    let isDamage = read(bytes) { reader in
      guard let field = reader.field() else { return false }
      return field == nil
    }
    #expect(isDamage)
  }
}
