// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// Tells containers apart without reading their columns.
package enum ContainerDigest {
  /// What a digest of this kind begins with, so that it cannot be taken for one of a whole file.
  package static let prefix = "columns:"

  /// The digest of a container by what it says of itself: the SHA-256 of header, provenance and
  /// table, of which the table has the length and the CRC-32 of every column. Nil if the file is not
  /// a container.
  ///
  /// Equal containers have equal digests. The digests of two others are equal only if the provenance
  /// of both has the same source, by its SHA-256, and all columns that differ have the same CRC-32:
  /// once in four thousand million times, at most. Damage to a column does not change the digest; see
  /// ``ofWhole(_:)``.
  package static func of(_ path: String) throws(CairnError) -> String? {
    guard let parts = try ContainerParts(path) else { return nil }
    let digest = SHA256Digest()
    for part in [parts.header, parts.provenance, parts.table] { digest.update(part) }
    return prefix + digest.finish()
  }

  /// The same after comparing every column with its checksum; nil if one differs.
  package static func ofWhole(_ path: String) throws(CairnError) -> String? {
    do throws(CairnError) {
      _ = try ContainerReader(path)
    } catch  where error.exitCode == .dataError { return nil }
    return try of(path)
  }
}

extension Provenance {
  /// The provenance of a container, whose columns are not read; nil if the file is not a container.
  /// Throws 65 if it is damaged.
  package static func ofContainer(_ path: String) throws(CairnError) -> Provenance? {
    guard let json = try ContainerParts(path)?.provenance else { return nil }
    return try json.withUnsafeBytes { bytes in
      Result { () throws(CairnError) in try Provenance(json: bytes, path: path) }
    }.get()
  }
}

/// What a container says of itself, each part as its checksum says; its columns are not read.
private struct ContainerParts {
  let header: [UInt8]
  let provenance: [UInt8]
  let table: [UInt8]

  /// Nil if the file is not a container, or one of its parts is damaged.
  init?(_ path: String) throws(CairnError) {
    let file = try InputFile(path)
    header = try Self.read(file, 0, ContainerHeader.byteCount)
    guard header.count == ContainerHeader.byteCount, ContainerKind(head: header) != nil,
      header.dropLast(4).withUnsafeBytes({ crc32($0) }) == Self.number(UInt32.self, header, 60),
      Self.number(UInt64.self, header, 40) == UInt64(file.size)
    else { return nil }
    let sections = Int(Self.number(UInt32.self, header, 12))
    let json = Self.number(UInt64.self, header, 32)
    guard sections <= ContainerHeader.maximumSections,
      json <= UInt64(ContainerHeader.maximumProvenanceBytes),
      let tableOffset = Int(exactly: Self.number(UInt64.self, header, 16)),
      let jsonOffset = Int(exactly: Self.number(UInt64.self, header, 24))
    else { return nil }
    table = try Self.read(file, tableOffset, sections * ContainerHeader.sectionRecordBytes)
    provenance = try Self.read(file, jsonOffset, Int(json))
    guard table.count == sections * ContainerHeader.sectionRecordBytes,
      provenance.count == Int(json),
      provenance.withUnsafeBytes({ crc32($0) }) == Self.number(UInt32.self, header, 48),
      table.withUnsafeBytes({ crc32($0) }) == Self.number(UInt32.self, header, 52)
    else { return nil }
  }

  /// As many bytes as there are, up to `count`, from an offset.
  private static func read(_ file: InputFile, _ offset: Int, _ count: Int) throws(CairnError)
    -> [UInt8]
  {
    guard offset >= 0, offset <= file.size, count <= file.size - offset else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = try bytes.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
    bytes.removeLast(count - got)
    return bytes
  }

  private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, _ bytes: [UInt8], _ offset: Int
  ) -> Number {
    bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type))
    }
  }
}
