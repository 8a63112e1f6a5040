// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// Identifies containers without reading their columns.
package enum ContainerDigest {
  /// The prefix of digests of this kind, which distinguishes them from those of whole files.
  package static let prefix = "columns:"

  /// The digest of a container by its own description: the SHA-256 of header, provenance and table,
  /// which contains the length and the CRC-32 of every column. Nil if the file is not a container.
  ///
  /// Equal containers have equal digests. Two different ones have equal digests only if both have
  /// the same source in their provenance, by its SHA-256, and all differing columns have the same
  /// CRC-32: at most once in four thousand million times. Damage to a column does not change the
  /// digest; see ``ofWhole(_:)``.
  package static func of(_ path: String) throws(CairnError) -> String? {
    guard let parts = try ContainerParts(path) else { return nil }
    return parts.header.withUnsafeBytes { header in
      parts.provenance.withUnsafeBytes { provenance in
        parts.table.withUnsafeBytes { of(header: header, provenance: provenance, table: $0) }
      }
    }
  }

  static func of(
    header: UnsafeRawBufferPointer, provenance: UnsafeRawBufferPointer,
    table: UnsafeRawBufferPointer
  ) -> String {
    let digest = SHA256Digest()
    for part in [header, provenance, table] { digest.update(part) }
    return prefix + digest.finish()
  }

  /// The same after checking every column against its checksum; nil if one differs.
  package static func ofWhole(_ path: String) throws(CairnError) -> String? {
    do throws(CairnError) {
      _ = try ContainerReader(path)
    } catch  where error.exitCode == .dataError { return nil }
    return try of(path)
  }
}

extension Provenance {
  /// The provenance of a container, without reading its columns; nil if the file is not a
  /// container. Throws 65 if it is damaged.
  package static func ofContainer(_ path: String) throws(CairnError) -> Provenance? {
    guard let json = try ContainerParts(path)?.provenance else { return nil }
    return try json.withUnsafeBytes { bytes in
      Result { () throws(CairnError) in try Provenance(json: bytes, path: path) }
    }.get()
  }
}

/// The description in a container, each part checked against its checksum, without its columns.
private struct ContainerParts {
  let header: [UInt8]
  let provenance: [UInt8]
  let table: [UInt8]

  /// Nil if the file is not a container, or one of these parts is damaged.
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

  /// Up to `count` bytes, as far as there are, from an offset.
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
