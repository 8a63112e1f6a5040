// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnFormatting

/// Why an archive cannot be read.
package enum ZipError: Error, Equatable {
  /// Its bytes are damaged; the text gives the details.
  case damaged(String)
  /// It uses an unsupported feature; the text says which.
  case unsupported(String)
  /// There is not enough memory for inflating.
  case outOfMemory
}

/// Reads a .zip archive in memory: a list of its members, and a method to extract one.
///
/// It supports what elevation tiles need: stored and deflated members, with sizes from the central
/// directory, so that data descriptors do not matter. Encryption, zip64 and multi-disk archives are
/// refused with a reason. Sizes claimed by the file never determine allocations.
package struct ZipReader {
  /// A member as the central directory describes it.
  package struct Member: Equatable {
    /// Its name; control characters are replaced.
    package let name: String
    let flags: UInt32
    let method: UInt32
    let checksum: UInt32
    let packedByteCount: Int
    /// Its size, as the archive claims it.
    package let byteCount: Int
    let headerOffset: Int
  }

  /// Sizes of APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
  private enum Record {
    static let localBytes = 30
    static let centralBytes = 46
    static let endBytes = 22
    static let largestComment = 65_535
    /// Marks a 32-bit field whose value is in a zip64 record.
    static let elsewhere = 0xFFFF_FFFF
  }

  /// The maximum number of members, more than any archive of a tile has.
  private static let memberLimit = 1000

  /// The members, without folders, in the order of the directory.
  package let members: [Member]
  private let file: ZipBytes

  /// Reads the list of members. Throws if the bytes are not a zip file or use unsupported features.
  package init(_ bytes: [UInt8]) throws(ZipError) {
    file = ZipBytes(bytes: bytes)
    members = try Self.directory(file)
  }

  private static func directory(_ file: ZipBytes) throws(ZipError) -> [Member] {
    let end = try endRecord(file)
    let count = try file.half(end + 10)
    var offset = try file.word(end + 16)
    let size = try file.word(end + 12)
    guard offset != Record.elsewhere, size != Record.elsewhere, count != 0xFFFF else {
      throw .unsupported("is a zip64 archive")
    }
    guard try file.half(end + 4) == 0, try file.half(end + 8) == count else {
      throw .unsupported("is part of a multi-disk archive")
    }
    guard count <= memberLimit else {
      throw .unsupported("has \(grouped(count)) members")
    }
    var members: [Member] = []
    for _ in 0..<count {
      let (member, next) = try self.member(file, at: offset)
      offset = next
      if !member.name.hasSuffix("/") { members.append(member) }
    }
    return members
  }

  /// The record at the end of the file; only a comment may follow it.
  private static func endRecord(_ file: ZipBytes) throws(ZipError) -> Int {
    let last = file.bytes.count - Record.endBytes
    var offset = last
    while offset >= max(0, last - Record.largestComment) {
      if try file.word(offset) == ZipSignature.end { return offset }
      offset -= 1
    }
    throw .damaged(
      file.bytes.isEmpty
        ? "is empty" : "is not a zip file or is truncated: it has no central directory")
  }

  private static func member(_ file: ZipBytes, at offset: Int) throws(ZipError)
    -> (member: Member, next: Int)
  {
    guard try file.word(offset) == ZipSignature.central else {
      throw .damaged("is damaged: no directory entry at byte \(grouped(offset))")
    }
    let nameBytes = try file.half(offset + 28)
    let trailing = try file.half(offset + 30) + file.half(offset + 32)
    let name = try file.text(offset + Record.centralBytes, nameBytes)
    let member = Member(
      name: name, flags: UInt32(try file.half(offset + 8)),
      method: UInt32(try file.half(offset + 10)), checksum: UInt32(try file.word(offset + 16)),
      packedByteCount: try file.word(offset + 20), byteCount: try file.word(offset + 24),
      headerOffset: try file.word(offset + 42))
    let fields = [member.packedByteCount, member.byteCount, member.headerOffset]
    guard !fields.contains(Record.elsewhere) else { throw .unsupported("is a zip64 archive") }
    return (member, offset + Record.centralBytes + nameBytes + trailing)
  }

  /// Extracts a member into a buffer of exactly its size and verifies its checksum. Throws if it is
  /// damaged or its compression method is unsupported.
  package func extract(_ member: Member, into buffer: UnsafeMutableRawBufferPointer)
    throws(ZipError)
  {
    let content = try packedContent(of: member)
    switch member.method {
    case 0:
      guard content.count == buffer.count else {
        throw .damaged("is damaged: member \(member.name) has inconsistent sizes")
      }
      content.withUnsafeBytes { buffer.copyMemory(from: $0) }
    case 8:
      guard try Self.inflate(content, into: buffer) else {
        throw .damaged(
          "is damaged: member \(member.name) does not inflate to its \(grouped(buffer.count)) bytes"
        )
      }
    default:
      throw .unsupported("has member \(member.name) compressed with method \(member.method)")
    }
    let checksum =
      buffer.isEmpty ? 0 : libdeflate_crc32(0, buffer.baseAddress, buffer.count)
    guard checksum == member.checksum else {
      throw .damaged("is damaged: member \(member.name) has a wrong checksum")
    }
  }

  /// Inflates bytes; returns whether they fill the buffer exactly.
  private static func inflate(
    _ packed: ArraySlice<UInt8>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(ZipError) -> Bool {
    guard let handle = libdeflate_alloc_decompressor() else { throw .outOfMemory }
    defer { libdeflate_free_decompressor(handle) }
    var count = 0
    let result = packed.withUnsafeBytes {
      libdeflate_deflate_decompress(
        handle, $0.baseAddress, $0.count, buffer.baseAddress, buffer.count, &count)
    }
    return result == LIBDEFLATE_SUCCESS && count == buffer.count
  }

  private func packedContent(of member: Member) throws(ZipError) -> ArraySlice<UInt8> {
    guard member.flags & 1 == 0 else {
      throw .unsupported("has an encrypted member \(member.name)")
    }
    guard try file.word(member.headerOffset) == ZipSignature.local else {
      throw .damaged("is damaged: member \(member.name) is not at the offset in the directory")
    }
    let start =
      try member.headerOffset + Record.localBytes + file.half(member.headerOffset + 26)
      + file.half(member.headerOffset + 28)
    guard start <= file.bytes.count, member.packedByteCount <= file.bytes.count - start else {
      throw .damaged("is damaged: member \(member.name) extends past the end of the file")
    }
    return file.bytes[start..<(start + member.packedByteCount)]
  }
}

/// Reads little-endian integers at any offset of a file.
private struct ZipBytes {
  let bytes: [UInt8]

  func half(_ offset: Int) throws(ZipError) -> Int { try integer(offset, 2) }

  func word(_ offset: Int) throws(ZipError) -> Int { try integer(offset, 4) }

  private func integer(_ offset: Int, _ count: Int) throws(ZipError) -> Int {
    guard offset >= 0, offset <= bytes.count - count else { throw cutOff }
    return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// A name; control characters are replaced.
  func text(_ offset: Int, _ count: Int) throws(ZipError) -> String {
    guard offset >= 0, offset <= bytes.count - count else { throw cutOff }
    let printable = bytes[offset..<(offset + count)].map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }
    return String(decoding: printable, as: UTF8.self)
  }

  private var cutOff: ZipError {
    .damaged("is damaged: its directory extends past the end of the file")
  }
}
