// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport

@testable import TrailData

/// A container whose values can be falsified and whose checksums can then be corrected, as an
/// attacker would do.
struct EditedContainer {
  /// The fields of the header that tests falsify, by their offsets.
  enum HeaderField: Int { case version = 8, sectionCount = 12, tableOffset = 16 }
  /// The fields of a section's record that tests falsify, by their offsets.
  enum SectionField: Int { case typeCode = 32, count = 40, offset = 48 }

  var bytes: [UInt8]

  init(_ path: String) throws { bytes = try bytesOfFile(path) }

  func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, _ offset: Int)
    -> Number
  {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  mutating func store<Number: BitwiseCopyable>(_ number: Number, _ offset: Int) {
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: number, toByteOffset: offset, as: Number.self)
    }
  }

  var sectionCount: Int { Int(load(UInt32.self, 12)) }
  var provenanceBytes: Int { Int(load(UInt64.self, 32)) }
  private var tableOffset: Int { Int(load(UInt64.self, 16)) }

  /// Where the record of a section begins.
  func record(_ name: String) throws -> Int {
    for index in 0..<sectionCount {
      let start = tableOffset + 64 * index
      if Array(bytes[start..<(start + 32)].prefix { $0 != 0 }) == Array(name.utf8) { return start }
    }
    throw TestFailure("no column \(name)")
  }

  mutating func set<Number: BitwiseCopyable>(_ field: HeaderField, _ number: Number) {
    store(number, field.rawValue)
  }

  mutating func set<Number: BitwiseCopyable>(
    _ field: SectionField, of name: String, _ number: Number
  ) throws {
    store(number, try record(name) + field.rawValue)
  }

  /// Replaces an element of a column; counts from the end where `index` is negative.
  mutating func set<Element: ContainerElement>(_ name: String, _ index: Int, _ element: Element)
    throws
  {
    let record = try record(name)
    let (count, offset) = (Int(load(UInt64.self, record + 40)), load(UInt64.self, record + 48))
    let position = index < 0 ? count + index : index
    guard load(UInt32.self, record + 32) == Element.elementTypeCode, (0..<count).contains(position)
    else { throw TestFailure("no element \(index) of that type in \(name)") }
    store(element, Int(offset) + position * MemoryLayout<Element>.stride)
  }

  /// The ranges of the columns' bytes.
  var columnBytes: [Range<Int>] {
    (0..<sectionCount).compactMap { index in
      let start = tableOffset + 64 * index
      let size = elementTypes[load(UInt32.self, start + 32)]?.bytes ?? 0
      let (count, offset) = (load(UInt64.self, start + 40), load(UInt64.self, start + 48))
      guard count < UInt64(bytes.count), offset < UInt64(bytes.count),
        Int(offset) + Int(count) * size <= bytes.count
      else { return nil }
      return Int(offset)..<(Int(offset) + Int(count) * size)
    }
  }

  /// Corrects all checksums.
  mutating func seal() {
    func checksum(_ range: Range<Int>) -> UInt32 {
      bytes.withUnsafeBytes { crc32(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
    let table = tableOffset
    if table <= bytes.count, sectionCount <= (bytes.count - table) / 64 {
      for index in 0..<sectionCount {
        let start = table + 64 * index
        let size = elementTypes[load(UInt32.self, start + 32)]?.bytes ?? 0
        let (count, offset) = (load(UInt64.self, start + 40), load(UInt64.self, start + 48))
        guard count < UInt64(bytes.count), offset <= UInt64(bytes.count),
          Int(offset) + Int(count) * size <= bytes.count
        else { continue }
        store(checksum(Int(offset)..<(Int(offset) + Int(count) * size)), start + 36)
      }
      store(checksum(table..<(table + 64 * sectionCount)), 52)
    }
    let (json, length) = (load(UInt64.self, 24), load(UInt64.self, 32))
    if json <= UInt64(bytes.count), length <= UInt64(bytes.count) - json {
      store(checksum(Int(json)..<Int(json + length)), 48)
    }
    store(checksum(0..<60), 60)
  }

  /// Replaces the provenance with another one at the end of the file.
  mutating func replaceProvenance(_ json: [UInt8]) {
    store(UInt64(bytes.count), 24)
    store(UInt64(json.count), 32)
    bytes += json
    store(UInt64(bytes.count), 40)
  }
}
