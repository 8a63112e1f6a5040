// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DatabaseDelta {
  /// Makes the new version of a file from the old one.
  ///
  /// A hidden file next to the output takes its name when it is complete and its SHA-256 is that of
  /// ``new``. It replaces an existing file, which may be the old one. Takes at most ``memory``.
  ///
  /// Throws ``DeltaError``, above all ``DeltaError/wrongBase(expected:found:)`` if the file is
  /// another version. On any error, download the whole file instead.
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
    switch method {
    case .rows:
      // The packed rows are released as they are unpacked.
      let columns = try RoutingColumns(
        packed: try unpacked(from: path), limit: new.bytes)
      try Self.writeColumns(columns, limit: new.bytes, write)
    case .bytes:
      let unpacked = try unpacked(from: path)
      do throws(CairnError) {
        try unpacked.withBytes { bytes throws(CairnError) in try write(bytes, 0) }
      } catch { throw .notWritten(error.message) }
    }
  }

  /// Writes the database of packed rows, which may be forged.
  ///
  /// - Parameter limit: The largest size of the database in bytes.
  package static func writeRows(
    _ packed: [UInt8], limit: Int,
    _ write: (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void
  ) throws(DeltaError) {
    let columns = try RoutingColumns(packed: packed, limit: limit)
    try writeColumns(columns, limit: limit, write)
  }

  private static func writeColumns(
    _ columns: RoutingColumns, limit: Int,
    _ write: (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void
  ) throws(DeltaError) {
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

  /// The output of the instructions.
  private func unpacked(from path: String) throws(DeltaError) -> Pages {
    switch method {
    case .bytes:
      let file = try OldFile(path)
      return try unpacked(.init(count: file.count, copy: file.copy))
    case .rows:
      let base: [UInt8]
      do throws(CairnError) {
        var columns = try RoutingColumns(path: path)
        base = columns.pack(capacity: old.bytes)
      } catch {
        throw .damaged("the old file cannot be taken apart: \(error.message)")
      }
      return try base.withUnsafeBufferPointer { base throws(DeltaError) in
        try unpacked(.init(UnsafeRawBufferPointer(base)))
      }
    }
  }

  private func unpacked(_ old: Instructions.Old) throws(DeltaError) -> Pages {
    try content.withUnsafeBufferPointer { content throws(DeltaError) in
      var reader = DeltaReader(
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(content)[instructions]))
      return try Instructions.apply(&reader, to: old, count: unpackedSize)
    }
  }
}

extension CairnError.Code {
  /// The rows of a delta cannot be written as a database.
  static let deltaRows: Self = "delta-rows"
}
