// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Writes a container column by column; the file gets its final name in ``commit(_:)``.
package final class ContainerWriter {
  let output: AtomicOutput
  private let kind: ContainerKind
  private var end = ContainerHeader.byteCount
  private var table: [UInt8] = []
  private var sectionCount: UInt32 = 0
  /// The columns whose elements are written last, and where their checksums belong in the table.
  private var reserved: [(pieces: ColumnPieces, checksumOffset: Int)] = []

  /// Starts a container, which replaces an existing one of the same kind but no other file.
  package init(_ path: String, kind: ContainerKind) throws(CairnError) {
    self.kind = kind
    output = try Self.output(path, kind)
    try output.write([UInt8](repeating: 0, count: ContainerHeader.byteCount))
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
    try elements.withUnsafeBufferPointer { buffer throws(CairnError) in
      try addBytes(
        name, Element.elementTypeCode, buffer.count, UnsafeRawBufferPointer(buffer))
    }
  }

  /// Appends a copy of a column of an open container.
  package func add<Element: ContainerElement>(_ name: String, _ column: Column<Element>)
    throws(CairnError)
  {
    try addBytes(name, Element.elementTypeCode, column.count, column.bytes)
  }

  private func addBytes(
    _ name: String, _ typeCode: UInt32, _ count: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(CairnError) {
    let start = try beginColumn()
    record(name, typeCode, count, crc32(bytes))
    try output.write(bytes, at: start)
    end += bytes.count
  }

  /// Begins a column that is written at its place in the file; returns where.
  func beginColumn() throws(CairnError) -> Int {
    try pad()
    return end
  }

  /// Ends a column of `count` elements, which have been written.
  func endColumn<Element: ContainerElement>(
    _ name: String, _ type: Element.Type, count: Int, _ checksum: UInt32
  ) {
    record(name, Element.elementTypeCode, count, checksum)
    end += count * MemoryLayout<Element>.stride
  }

  /// Appends a column of `count` elements that are written later, in pieces and from any thread.
  package func reserve<Element: ContainerElement>(
    _ name: String, of type: Element.Type = Element.self, count: Int
  ) throws(CairnError) -> ReservedColumn<Element> {
    let start = try beginColumn()
    let pieces = ColumnPieces(output, start, byteCount: count * MemoryLayout<Element>.stride)
    reserved.append((pieces, table.count + ContainerHeader.checksumOffset))
    endColumn(name, type, count: count, 0)
    return ReservedColumn(pieces: pieces)
  }

  private func record(_ name: String, _ typeCode: UInt32, _ count: Int, _ checksum: UInt32) {
    precondition(name.utf8.count < ContainerHeader.sectionNameBytes, "section name too long")
    var record = Array(name.utf8)
    record += repeatElement(0, count: ContainerHeader.sectionNameBytes - record.count)
    appendInteger(typeCode, to: &record)
    appendInteger(checksum, to: &record)
    appendInteger(UInt64(count), to: &record)
    appendInteger(UInt64(end), to: &record)
    record += repeatElement(0, count: ContainerHeader.sectionRecordBytes - record.count)
    table += record
    sectionCount += 1
  }

  private func append(_ bytes: [UInt8]) throws(CairnError) {
    try bytes.withUnsafeBufferPointer { buffer throws(CairnError) in
      try output.write(UnsafeRawBufferPointer(buffer), at: end)
    }
    end += bytes.count
  }

  private func pad() throws(CairnError) {
    let excess = end % ContainerHeader.alignment
    guard excess > 0 else { return }
    try append([UInt8](repeating: 0, count: ContainerHeader.alignment - excess))
  }

  /// Writes provenance, table and header, makes the file durable and gives it its final name.
  /// Throws 70 if a part of a reserved column is missing.
  package func commit(_ provenance: Provenance) throws(CairnError) {
    for (pieces, offset) in reserved {
      var checksum: [UInt8] = []
      appendInteger(try pieces.checksum(), to: &checksum)
      table.replaceSubrange(offset..<(offset + checksum.count), with: checksum)
    }
    let json = try provenance.json()
    try pad()
    let provenanceOffset = end
    try append(json)
    try pad()
    let tableOffset = end
    try append(table)

    var header = Array(kind.rawValue.utf8)
    appendInteger(kind.formatVersion, to: &header)
    appendInteger(sectionCount, to: &header)
    appendInteger(UInt64(tableOffset), to: &header)
    appendInteger(UInt64(provenanceOffset), to: &header)
    appendInteger(UInt64(json.count), to: &header)
    appendInteger(UInt64(end), to: &header)
    appendInteger(json.withUnsafeBytes { crc32($0) }, to: &header)
    appendInteger(table.withUnsafeBytes { crc32($0) }, to: &header)
    header += repeatElement(0, count: ContainerHeader.byteCount - 4 - header.count)
    appendInteger(header.withUnsafeBytes { crc32($0) }, to: &header)
    try header.withUnsafeBufferPointer { buffer throws(CairnError) in
      try output.write(UnsafeRawBufferPointer(buffer), at: 0)
    }
    try output.commit()
  }
}

private func appendInteger<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
  withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
}
