// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// An open container: its provenance and its columns, mapped into memory.
///
/// Opening checks the magic number, the version, every offset and every checksum. The values in the
/// columns are checked by the types that use it, such as ``TrailsFile``.
package final class ContainerReader: Sendable {
  /// A column as listed in the table.
  package struct Section: Sendable {
    /// The name, such as `node.latitude`.
    package let name: String
    /// The type of the elements, such as `Int32`.
    package let typeName: String
    /// The number of elements.
    package let count: Int
    /// The size in bytes.
    package let byteCount: Int
    /// The CRC-32 of the bytes, which is equal for equal columns.
    package let checksum: UInt32
    let typeCode: UInt32
    let offset: Int
  }

  /// The kind of the container.
  package let kind: ContainerKind
  /// The provenance of the data.
  package let provenance: Provenance
  /// The columns in the order of the file.
  package let sections: [Section]
  /// Its ``ContainerDigest``.
  package let digest: String
  /// The path as given.
  package var path: String { file.path }
  /// The size of the file in bytes.
  package var byteCount: Int { file.bytes.count }
  let file: MappedFile

  /// Opens a container of any of the given kinds. Throws 66 if it cannot be read, 65 if it is
  /// anything else or damaged.
  package init(
    _ path: String, kinds: [ContainerKind] = ContainerKind.allCases, threads: Int = 1
  ) throws(CairnError) {
    let file = try MappedFile(path)
    self.file = file
    let bytes = file.bytes
    kind = try Self.kind(bytes, kinds, path)
    try Self.checkHeader(bytes, kind, path)
    let sectionCount = Int(load(UInt32.self, bytes, 12))
    guard sectionCount <= ContainerHeader.maximumSections,
      let table = slice(
        bytes, load(UInt64.self, bytes, 16), UInt64(sectionCount),
        ContainerHeader.sectionRecordBytes),
      let json = slice(bytes, load(UInt64.self, bytes, 24), load(UInt64.self, bytes, 32), 1),
      json.count <= ContainerHeader.maximumProvenanceBytes
    else { throw damaged(path, "the table is outside the file") }
    guard crc32(json) == load(UInt32.self, bytes, 48),
      crc32(table) == load(UInt32.self, bytes, 52)
    else { throw damaged(path, "the table has a wrong checksum") }
    provenance = try Provenance(json: json, path: path)
    let header = UnsafeRawBufferPointer(rebasing: bytes[..<ContainerHeader.byteCount])
    digest = ContainerDigest.of(header: header, provenance: json, table: table)
    let sections = try Self.sections(table, bytes, path)
    try checkAll(
      threads: threads,
      sections.map { section in
        { try Self.checkChecksum(section, file) }
      })
    self.sections = sections
  }

  private static func kind(
    _ bytes: UnsafeRawBufferPointer, _ kinds: [ContainerKind], _ path: String
  ) throws(CairnError) -> ContainerKind {
    var expected: String { kinds.map { ".\($0.fileExtension)" }.joined(separator: " or ") }
    guard let kind = ContainerKind(head: bytes.prefix(8)) else {
      throw CairnError(
        .notAContainer, .dataError,
        bytes.isEmpty ? "is empty" : "is not a \(expected) file", at: Location(file: path))
    }
    guard kinds.contains(kind) else {
      throw CairnError(
        .wrongContainerKind, .dataError, "is a .\(kind.fileExtension) file, expected \(expected)",
        at: Location(file: path))
    }
    return kind
  }

  private static func checkHeader(
    _ bytes: UnsafeRawBufferPointer, _ kind: ContainerKind, _ path: String
  ) throws(CairnError) {
    guard bytes.count >= ContainerHeader.byteCount else {
      throw damaged(path, "the header is truncated")
    }
    let version = load(UInt32.self, bytes, 8)
    guard version == kind.formatVersion else {
      throw CairnError(
        .wrongFormatVersion, .dataError,
        "has format version \(version); this build reads version \(kind.formatVersion)",
        at: Location(file: path), hint: "rebuild it with this version of Cairn")
    }
    let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(ContainerHeader.byteCount - 4)])
    guard crc32(checked) == load(UInt32.self, bytes, ContainerHeader.byteCount - 4) else {
      throw damaged(path, "the header has a wrong checksum")
    }
    guard load(UInt64.self, bytes, 40) == UInt64(bytes.count) else {
      throw damaged(path, "the file was truncated or extended")
    }
  }

  private static func sections(
    _ table: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, _ path: String
  ) throws(CairnError) -> [Section] {
    var sections: [Section] = []
    var end = ContainerHeader.byteCount
    for start in stride(from: 0, to: table.count, by: ContainerHeader.sectionRecordBytes) {
      let section = try section(table, start, bytes, path)
      // Overlapping columns would be checked again and again.
      guard section.offset >= end else {
        throw damaged(path, "column \(section.name) overlaps the one before it")
      }
      guard !sections.contains(where: { $0.name == section.name }) else {
        throw damaged(path, "column \(section.name) appears twice")
      }
      end = section.offset + section.byteCount
      sections.append(section)
    }
    return sections
  }

  private static func section(
    _ table: UnsafeRawBufferPointer, _ start: Int, _ bytes: UnsafeRawBufferPointer, _ path: String
  ) throws(CairnError) -> Section {
    let name = String(
      decoding: table[start..<(start + ContainerHeader.sectionNameBytes)].prefix { $0 != 0 },
      as: UTF8.self)
    let typeCode = load(UInt32.self, table, start + 32)
    let count = load(UInt64.self, table, start + 40)
    let offset = load(UInt64.self, table, start + 48)
    guard let type = elementTypes[typeCode],
      offset % UInt64(ContainerHeader.alignment) == 0,
      let column = slice(bytes, offset, count, type.bytes)
    else { throw damaged(path, "column \(name) is outside the file") }
    return Section(
      name: name, typeName: type.name, count: Int(count), byteCount: column.count,
      checksum: load(UInt32.self, table, start + ContainerHeader.checksumOffset),
      typeCode: typeCode, offset: Int(offset))
  }

  private static func checkChecksum(_ section: Section, _ file: MappedFile) throws(CairnError) {
    let end = section.offset + section.byteCount
    guard
      crc32(UnsafeRawBufferPointer(rebasing: file.bytes[section.offset..<end])) == section.checksum
    else { throw damaged(file.path, "column \(section.name) has a wrong checksum") }
  }

  /// The column with a name. Throws 65 if it is missing, or has another type or a length other than
  /// `count`.
  package func column<Element: ContainerElement>(
    _ name: String, of type: Element.Type = Element.self, count: Int? = nil
  ) throws(CairnError) -> Column<Element> {
    guard let section = sections.first(where: { $0.name == name }) else {
      throw damaged(path, "column \(name) is missing")
    }
    guard section.typeCode == Element.elementTypeCode, count == nil || count == section.count
    else { throw damaged(path, "column \(name) has a wrong type or length") }
    let bytes = UnsafeRawBufferPointer(
      rebasing: file.bytes[section.offset..<(section.offset + section.byteCount)])
    return Column(file: file, elements: bytes.bindMemory(to: Element.self))
  }

  /// Releases the memory of all but some columns; the next access reads the file again.
  package func releasePages(unless isNeeded: (_ name: String) -> Bool) {
    for section in sections where !isNeeded(section.name) {
      let range = section.offset..<(section.offset + section.byteCount)
      file.releasePages(of: UnsafeRawBufferPointer(rebasing: file.bytes[range]))
    }
  }

  /// The error of a damaged file.
  func damage(_ what: String) -> CairnError { damaged(path, what) }
}

/// A column of a mapped container, which keeps the file mapped.
///
/// Public because the compiler specializes only public generics across modules: with `package`
/// access, computing costs takes twice as long.
public struct Column<Element: ContainerElement>: RandomAccessCollection, Sendable {
  private let file: MappedFile
  @usableFromInline nonisolated(unsafe) let elements: UnsafeBufferPointer<Element>

  init(file: MappedFile, elements: UnsafeBufferPointer<Element>) {
    self.file = file
    self.elements = elements
  }

  /// 0.
  @inlinable @inline(__always) public var startIndex: Int { 0 }
  /// The number of elements.
  @inlinable @inline(__always) public var endIndex: Int { elements.count }

  /// The element at an index, which is checked in release builds, too.
  @inlinable @inline(__always) public subscript(index: Int) -> Element {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
    return elements[index]
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(elements) }

  /// Releases the memory of the column; the next access reads the file again.
  package func releasePages() { file.releasePages(of: bytes) }

  /// Calls `body` with all elements; the pointer must not escape.
  @inlinable public func withUnsafeElements<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(elements)
  }
}

private func damaged(_ path: String, _ what: String) -> CairnError {
  CairnError(
    .damagedContainer, .dataError, "is damaged: \(what)", at: Location(file: path),
    hint: "rebuild it from its inputs")
}

private func load<Number: FixedWidthInteger & BitwiseCopyable>(
  _ type: Number.Type, _ bytes: UnsafeRawBufferPointer, _ offset: Int
) -> Number {
  Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
}

/// `count` elements of `elementBytes` at `offset`; nil if they are not within `bytes`.
private func slice(
  _ bytes: UnsafeRawBufferPointer, _ offset: UInt64, _ count: UInt64, _ elementBytes: Int
) -> UnsafeRawBufferPointer? {
  let (length, overflow) = count.multipliedReportingOverflow(by: UInt64(elementBytes))
  guard !overflow, offset <= UInt64(bytes.count), length <= UInt64(bytes.count) - offset else {
    return nil
  }
  return UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + length)])
}
