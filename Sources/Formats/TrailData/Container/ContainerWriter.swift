// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnDiagnostics
import SystemIO

/// Writes a container column by column; the file gets its final name in ``commit(_:)``.
package final class ContainerWriter {
  /// Known at once, or when all pieces of a column have been written.
  private enum Checksum {
    case known(UInt32)
    case ofPieces(ColumnPieces)
  }

  /// A column as it will be listed in the table.
  private struct Section {
    let name: String
    let typeCode: UInt32
    let count: Int
    let offset: Int
    let checksum: Checksum
  }

  private let output: AtomicOutput
  private let kind: ContainerKind
  private var end = ContainerHeader.byteCount
  private var sections: [Section] = []

  /// Starts a container, which replaces an existing one of the same kind but no other file.
  package init(_ path: String, kind: ContainerKind) throws(CairnError) {
    self.kind = kind
    output = try Self.output(path, kind)
  }

  private static func output(_ path: String, _ kind: ContainerKind) throws(CairnError)
    -> AtomicOutput
  {
    try AtomicOutput(path) { ContainerKind(head: $0) == kind }
  }

  /// Checks that a container can be written to a path, without leaving anything there. Throws 73.
  package static func checkOutput(_ path: String, kind: ContainerKind) throws(CairnError) {
    _ = try output(path, kind)
  }

  /// Appends a column. Names are unique in a container and have at most 31 ASCII bytes.
  package func add<Element: ContainerElement>(_ name: String, _ elements: [Element])
    throws(CairnError)
  {
    try elements.withUnsafeBufferPointer { elements throws(CairnError) in
      let bytes = UnsafeRawBufferPointer(elements)
      let offset = place(bytes.count)
      addSection(name, Element.elementTypeCode, elements.count, offset, .known(crc32(bytes)))
      try output.write(bytes, at: offset)
    }
  }

  /// Appends a column of `count` elements that are written later, in pieces and from any thread.
  package func reserve<Element: ContainerElement>(
    _ name: String, of type: Element.Type = Element.self, count: Int
  ) -> ReservedColumn<Element> {
    let byteCount = count * MemoryLayout<Element>.stride
    let offset = place(byteCount)
    let pieces = ColumnPieces(output, offset, byteCount: byteCount)
    addSection(name, Element.elementTypeCode, count, offset, .ofPieces(pieces))
    return ReservedColumn(pieces: pieces)
  }

  private func addSection(
    _ name: String, _ typeCode: UInt32, _ count: Int, _ offset: Int,
    _ checksum: Checksum
  ) {
    precondition(name.utf8.count < ContainerHeader.sectionNameBytes, "section name too long")
    sections.append(
      Section(name: name, typeCode: typeCode, count: count, offset: offset, checksum: checksum))
  }

  /// The offset of the next bytes, given their number. Gaps between columns are never written and
  /// thus 0.
  private func place(_ byteCount: Int) -> Int {
    let alignment = ContainerHeader.alignment
    let offset = (end + alignment - 1) / alignment * alignment
    end = offset + byteCount
    return offset
  }

  /// Writes provenance, table and header, flushes the file and gives it its final name. Throws 70
  /// if a part of a reserved column is missing.
  package func commit(_ provenance: Provenance) throws(CairnError) {
    let json = try provenance.json()
    let table = try table()
    let provenanceOffset = try write(json)
    let tableOffset = try write(table)
    var header = Array(kind.rawValue.utf8)
    header.append(fixed: kind.formatVersion)
    header.append(fixed: UInt32(sections.count))
    header.append(fixed: UInt64(tableOffset))
    header.append(fixed: UInt64(provenanceOffset))
    header.append(fixed: UInt64(json.count))
    header.append(fixed: UInt64(end))
    header.append(fixed: json.withUnsafeBytes { crc32($0) })
    header.append(fixed: table.withUnsafeBytes { crc32($0) })
    header += repeatElement(0, count: ContainerHeader.byteCount - 4 - header.count)
    header.append(fixed: header.withUnsafeBytes { crc32($0) })
    try write(header, at: 0)
    try output.commit()
  }

  private func table() throws(CairnError) -> [UInt8] {
    var table: [UInt8] = []
    for section in sections {
      let checksum =
        switch section.checksum {
        case .known(let checksum): checksum
        case .ofPieces(let pieces): try pieces.checksum()
        }
      var record = Array(section.name.utf8)
      record += repeatElement(0, count: ContainerHeader.sectionNameBytes - record.count)
      record.append(fixed: section.typeCode)
      record.append(fixed: checksum)
      record.append(fixed: UInt64(section.count))
      record.append(fixed: UInt64(section.offset))
      record += repeatElement(0, count: ContainerHeader.sectionRecordBytes - record.count)
      table += record
    }
    return table
  }

  /// Appends bytes; returns their offset.
  private func write(_ bytes: [UInt8]) throws(CairnError) -> Int {
    let offset = place(bytes.count)
    try write(bytes, at: offset)
    return offset
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(CairnError) {
    try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
      try output.write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }
}
