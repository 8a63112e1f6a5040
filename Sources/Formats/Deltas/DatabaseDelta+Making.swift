// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit

extension DatabaseDelta {
  /// Makes the delta between two versions of a file. The same files give the same bytes.
  ///
  /// Two routing databases are compared by rows if the new one can be reproduced from them; all
  /// other files, or if `method` says so, by bytes.
  package static func make(from old: String, to new: String, method: Method? = nil)
    throws(DeltaError) -> DatabaseDelta
  {
    let digests = (old: try digest(ofFile: old), new: try digest(ofFile: new))
    if method != .bytes, let rows = try rows(old, new, digests) { return rows }
    let (before, after) = (
      try readWhole(old, limit: greatestSize), try readWhole(new, limit: greatestSize)
    )
    return try DatabaseDelta(
      .bytes, version(old, digests.old, before.count), version(new, digests.new, after.count),
      unpackedSize: after.count, Matcher.instructions(from: before, to: after))
  }

  /// The delta of the rows; nil if the files are not routing databases, or contain something that
  /// rows do not capture.
  private static func rows(_ old: String, _ new: String, _ digests: (old: String, new: String))
    throws(DeltaError) -> DatabaseDelta?
  {
    guard let after = try? RoutingColumns(path: new), let before = try? RoutingColumns(path: old)
    else { return nil }
    let packed = after.packed()
    guard packed.count <= greatestSize,
      let (digest, size) = try? rewritten(RoutingColumns(packed: packed, limit: greatestSize)),
      digest == digests.new
    else { return nil }
    return try DatabaseDelta(
      .rows, version(old, digests.old, fileSize(old)), version(new, digests.new, size),
      unpackedSize: packed.count, Matcher.instructions(from: before.packed(), to: packed))
  }

  /// The digest and the size of the database that columns give.
  private static func rewritten(_ columns: RoutingColumns) throws(CairnError)
    -> (digest: String, size: Int)
  {
    var file: [UInt8] = []
    try columns.write { bytes, offset throws(CairnError) in
      if file.count < offset + bytes.count {
        file.append(contentsOf: repeatElement(0, count: offset + bytes.count - file.count))
      }
      file.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + bytes.count])
          .copyMemory(from: bytes)
      }
    }
    return (hexadecimal(SHA256.digest(file)), file.count)
  }

  private static func version(_ path: String, _ digest: String, _ size: Int) -> Version {
    Version(sha256: digest, bytes: size, dataDate: dataDate(path))
  }

  /// The time of the data in a database of any kind; nil for other files.
  private static func dataDate(_ path: String) -> String? {
    guard let database = try? SQLiteConnection(path, .readOnly),
      let tables = try? database.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '*metadata'")
    else { return nil }
    var names: [String] = []
    while (try? tables.step()) == true { names.append(tables.text(0) ?? "") }
    guard let table = names.first, table.allSatisfy({ $0.isLetter || $0 == "_" }),
      (try? database.columns(ofTable: table)) == ["key", "value"],
      let entry = try? database.prepare("SELECT value FROM \(table) WHERE key = ?1"),
      (try? entry.bind(1, SharedMetadataKey.osmDataDate)) != nil, (try? entry.step()) == true,
      let date = entry.text(0), date != "unknown", date.utf8.count < 64
    else { return nil }
    return date
  }

  /// Assembles a delta; its parts need not match.
  ///
  /// - Parameter rowsVersion: The version of the packed rows; nil for the latest.
  package init(
    _ method: Method, _ old: Version, _ new: Version, unpackedSize: Int, _ instructions: [UInt8],
    rowsVersion: Int? = nil
  ) throws(DeltaError) {
    var writer = ByteWriter()
    writer.add(raw: Self.signature)
    writer.add(fixed: UInt8(Self.formatVersion))
    writer.add(fixed: method.rawValue)
    writer.add(fixed: UInt8(rowsVersion ?? RoutingColumns.version))
    for version in [old, new] {
      writer.add(raw: Self.bytes(ofHexadecimal: version.sha256))
      writer.add(count: version.bytes)
      writer.add(version.dataDate ?? "")
    }
    writer.add(count: unpackedSize)
    writer.add(raw: instructions)
    let checksum = CRC32.checksum(writer.bytes[...])
    writer.add(fixed: checksum)
    try self.init(writer.bytes)
  }

  private static func bytes(ofHexadecimal text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
