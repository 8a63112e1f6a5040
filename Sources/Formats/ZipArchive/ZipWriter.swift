// SPDX-License-Identifier: Apache-2.0
import CZlib
import CairnDiagnostics
import SystemIO

/// Writes a .zip archive of files, which are compressed while being read and never held in memory
/// as a whole.
///
/// The same files with the same names and times give the same bytes. Archives written by this type
/// have a marker in their comment, and replace only such archives.
package final class ZipWriter {
  /// The beginning of each archive's comment.
  package static let signature = "cairn "
  /// The size or offset from which records use eight bytes.
  package static let largeBytes = Int(UInt32.max)

  private let output: AtomicOutput
  private let comment: String
  private let largeBytes: Int
  private var entries: [ZipEntry] = []
  private var offset = 0

  /// Creates an archive. Throws 73 if another file has this name.
  ///
  /// - Parameters:
  ///   - comment: The comment after ``signature``, on one line.
  ///   - largeBytes: A number other than ``largeBytes``, for tests.
  package init(_ path: String, comment: String, largeBytes: Int = largeBytes) throws(CairnError) {
    self.comment = Self.signature + comment
    self.largeBytes = largeBytes
    output = try AtomicOutput(path) { _ in Self.isOfCairn(path) }
  }

  /// Adds a file and returns its SHA-256. Names must be distinct, and at most 65 535 bytes long.
  package func add(_ path: String, as name: String, time: ZipTime) throws(CairnError) -> String {
    let file = try InputFile(path)
    var entry = ZipEntry(name: name, time: time, offset: offset)
    // Incompressible data grows slightly.
    entry.isLarge = file.size + file.size / 1000 + 1024 >= largeBytes
    try write(header(entry))
    let start = offset
    let deflater = try Deflater()
    let digest = SHA256Digest()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { chunk.deallocate() }
    var sum = crc32(0, nil, 0)
    while true {
      let count = try file.read(into: chunk, at: entry.bytes)
      let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
      digest.update(bytes)
      sum = crc32(sum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(count))
      entry.bytes += count
      try deflater.add(bytes, isLast: count == 0) { packed throws(CairnError) in
        try output.write(packed)
        offset += packed.count
      }
      if count == 0 { break }
    }
    guard entry.isLarge || max(entry.bytes, offset - start) < Self.largeBytes else {
      throw CairnError(
        .inputOutput, .temporaryFailure, "grew while being read", at: Location(file: path))
    }
    entry.crc = UInt32(truncatingIfNeeded: sum)
    entry.packedBytes = offset - start
    try header(entry).withUnsafeBufferPointer { bytes throws(CairnError) in
      try output.write(UnsafeRawBufferPointer(bytes), at: entry.offset)
    }
    entries.append(entry)
    return digest.finish()
  }

  /// Writes the directory, and gives the archive its name. Returns its size in bytes.
  @discardableResult
  package func finish() throws(CairnError) -> Int {
    var records = ZipRecords()
    for entry in entries { records.appendDirectoryEntry(entry, limit: largeBytes) }
    let directory = offset..<offset + records.bytes.count
    records.appendEnd(
      entries: entries.count, directory: directory, comment: comment, limit: largeBytes)
    try write(records.bytes)
    try output.commit()
    return offset
  }

  private func header(_ entry: ZipEntry) -> [UInt8] {
    var records = ZipRecords()
    records.appendLocalHeader(entry)
    return records.bytes
  }

  private func write(_ bytes: [UInt8]) throws(CairnError) {
    try output.write(bytes)
    offset += bytes.count
  }

  /// Whether a file is an archive with the comment of this type.
  package static func isOfCairn(_ path: String) -> Bool {
    guard let file = try? InputFile(path) else { return false }
    // The end record, and a comment of at most this length.
    var tail = [UInt8](repeating: 0, count: min(file.size, 22 + 1024))
    let start = file.size - tail.count
    let count = tail.withUnsafeMutableBytes { (try? file.read(into: $0, at: start)) ?? 0 }
    guard count == tail.count, count >= 22 else { return false }
    let signature = Array(signature.utf8)
    return (0...count - 22).contains { index in
      tail[index...].starts(with: [0x50, 0x4B, 0x05, 0x06])
        && Int(tail[index + 20]) | Int(tail[index + 21]) << 8 == count - index - 22
        && tail[(index + 22)...].starts(with: signature)
    }
  }
}
