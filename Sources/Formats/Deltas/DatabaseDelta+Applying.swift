// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DatabaseDelta {
  /// Makes the new version of a file out of the old one.
  ///
  /// The output appears under its name when it is complete and its SHA-256 is that of ``new``; until
  /// then a hidden file beside it is written. A file that is there already is replaced; it may be
  /// the old one. Takes memory of some times the size of the old file.
  ///
  /// Throws ``DeltaError``, above all ``DeltaError/wrongBase(expected:found:)`` if the file is
  /// another version: then, and for all other errors, download the whole file.
  public func apply(to old: URL, output: URL) throws(DeltaError) {
    let file = try NewFile(output.path)
    try rebuild(from: old.path) { bytes, offset throws(CairnError) in
      try file.write(bytes, at: offset)
    }
    try check(file.temporaryPath)
    try file.commit()
  }

  /// Writes the new version in pieces, in any order. The result is not checked: see ``check(_:)``.
  package func rebuild(
    from path: String,
    write: (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void
  ) throws(DeltaError) {
    let found = try digest(ofFile: path)
    guard found == old.sha256 else { throw .wrongBase(expected: old, found: found) }
    let unpacked = try unpacked(from: path)
    switch method {
    case .rows: try Self.writeRows(unpacked, version: rowsVersion, limit: new.bytes, write)
    case .bytes:
      do throws(CairnError) {
        try unpacked.withUnsafeBufferPointer { bytes throws(CairnError) in
          try write(UnsafeRawBufferPointer(bytes), 0)
        }
      } catch { throw .notWritten(error.message) }
    }
  }

  /// Writes the database of packed rows, which may be forged.
  ///
  /// - Parameters:
  ///   - version: That of the packed rows; nil for the latest.
  ///   - limit: The size of the database in bytes; more is not written.
  package static func writeRows(
    _ packed: [UInt8], version: Int? = nil, limit: Int,
    _ write: (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void
  ) throws(DeltaError) {
    let columns = try RoutingColumns(
      packed: packed, limit: limit, version: version ?? RoutingColumns.version)
    do throws(CairnError) {
      // A forged delta must not fill the disk.
      try columns.write { bytes, offset throws(CairnError) in
        guard offset <= limit, bytes.count <= limit - offset else {
          throw CairnError(.deltaRows, .dataError, "the result is larger than it says")
        }
        try write(bytes, offset)
      }
    } catch {
      switch error.exitCode {
      case .dataError, .software: throw .damaged(error.message)
      default: throw .notWritten(error.message)
      }
    }
  }

  /// Throws ``DeltaError/notReproduced`` if a file is not the new version.
  package func check(_ path: String) throws(DeltaError) {
    guard try digest(ofFile: path) == new.sha256 else { throw .notReproduced }
  }

  /// What the instructions give.
  private func unpacked(from path: String) throws(DeltaError) -> [UInt8] {
    let base: [UInt8]
    switch method {
    case .bytes: base = try readWhole(path, limit: Self.greatestSize)
    case .rows:
      do throws(CairnError) {
        base = try RoutingColumns(path: path).packed(version: rowsVersion)
      } catch {
        throw .damaged("the old file cannot be taken apart: \(error.message)")
      }
    }
    var failure: DeltaError?
    let result = content.withUnsafeBytes { content in
      base.withUnsafeBytes { base -> [UInt8] in
        do throws(DeltaError) {
          var reader = DeltaReader(UnsafeRawBufferPointer(rebasing: content[instructions]))
          return try Instructions.apply(&reader, to: base, count: unpackedSize)
        } catch {
          failure = error
          return []
        }
      }
    }
    if let failure { throw failure }
    return result
  }
}

extension CairnError.Code {
  /// The rows of a delta cannot be written as a database.
  static let deltaRows: Self = "delta-rows"
}
