// SPDX-License-Identifier: Apache-2.0
import CZlib
import CairnDiagnostics
import SystemIO

/// The bytes of an XML file, decompressed if it is a gzip file of one or more members.
package struct XMLSource: ~Copyable {
  private static let chunkBytes = 1 << 16

  private let file: InputFile
  /// The number of bytes of the file that were read.
  package private(set) var offset = 0
  private let stream: UnsafeMutablePointer<z_stream>?
  private let compressed = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Self.chunkBytes, alignment: 64)
  private var isWithinMember = false

  /// Opens a file. Throws 65 if it is empty or recognisably of an unsupported kind.
  package init(_ file: InputFile) throws(CairnError) {
    var head = [UInt8](repeating: 0, count: 32)
    let count = try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    head.removeLast(head.count - count)
    if let error = Self.foreignKind(head) { throw error.located(inFile: file.path) }
    let stream = head.starts(with: [0x1f, 0x8b]) ? try Self.openStream() : nil
    self.file = file
    self.stream = stream
  }

  deinit {
    compressed.deallocate()
    if let stream {
      inflateEnd(stream)
      stream.deallocate()
    }
  }

  private static func openStream() throws(CairnError) -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, and 16 for the gzip header.
    let status = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw CairnError("zlib", .software, "cannot initialise zlib (status \(status))")
    }
    return stream
  }

  /// The first bytes of files in compressions that are not read.
  private static let compressions: [(signature: [UInt8], name: String, command: String)] = [
    (Array("BZh".utf8), "bzip2", "bunzip2"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd", "zstd -d"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz", "unxz"), ([4, 0x22, 0x4d, 0x18], "lz4", "unlz4"),
  ]

  private static func foreignKind(_ head: [UInt8]) -> CairnError? {
    if head.isEmpty {
      return CairnError(.emptyFile, .dataError, "is empty", hint: "did the download fail?")
    }
    for (signature, name, command) in compressions where head.starts(with: signature) {
      return CairnError(
        .wrongFileKind, .dataError, "is compressed with \(name)",
        hint: "decompress it with \(command)")
    }
    if head.starts(with: "PK".utf8) {
      return CairnError(.wrongFileKind, .dataError, "is a zip archive", hint: "unpack it first")
    }
    if head.count > 8, head[0] == 0, head.dropFirst(6).starts(with: "OSMHeader".utf8) {
      return CairnError(
        .wrongFileKind, .dataError, "is a PBF file", hint: "read it with cairn-decode-pbf")
    }
    return nil
  }

  /// Fills a buffer; returns the number of bytes, 0 at the end.
  package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(CairnError) -> Int {
    guard stream != nil else {
      let count = try file.read(into: buffer, at: offset)
      offset += count
      return count
    }
    return try inflate(into: buffer)
  }

  private mutating func inflate(into buffer: UnsafeMutableRawBufferPointer) throws(CairnError)
    -> Int
  {
    guard let stream, let target = buffer.baseAddress else { return 0 }
    stream.pointee.next_out = target.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: buffer.count)
    while stream.pointee.avail_out > 0 {
      if stream.pointee.avail_in == 0, try !refill(stream) { break }
      if !isWithinMember, let next = stream.pointee.next_in, next.pointee == 0 {
        // A file may be padded with zeros after the last member.
        stream.pointee.next_in = next + 1
        stream.pointee.avail_in -= 1
        continue
      }
      isWithinMember = true
      switch CZlib.inflate(stream, Z_NO_FLUSH) {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END:
        isWithinMember = false
        inflateReset(stream)
      default:
        throw CairnError(
          .damagedCompression, .dataError, "cannot be decompressed: the gzip data is invalid",
          at: Location(file: file.path, .byte(offset - Int(stream.pointee.avail_in))),
          hint: "download it again")
      }
    }
    return buffer.count - Int(stream.pointee.avail_out)
  }

  /// Reads the next piece of the file; false at its end. Throws if the end is within a member.
  private mutating func refill(_ stream: UnsafeMutablePointer<z_stream>) throws(CairnError)
    -> Bool
  {
    let count = try file.read(into: compressed, at: offset)
    guard count > 0 else {
      guard isWithinMember else { return false }
      throw CairnError(
        .truncatedFile, .dataError, "the compressed data is truncated",
        at: Location(file: file.path, .byte(offset)), hint: "download it again")
    }
    offset += count
    stream.pointee.next_in = compressed.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_in = UInt32(clamping: count)
    return true
  }
}
