// SPDX-License-Identifier: Apache-2.0
import CDeflate
import Diagnostics
import SystemIO

/// Reads and inflates the blobs of a PBF file, each into the same memory: one reader a worker.
///
/// The file is read and not mapped, so that one that is cut short meanwhile is an error and not
/// a signal.
struct BlobReader: ~Copyable {
  private let file: InputFile
  private let inflater: OpaquePointer?
  private var compressed = GrowingBuffer()
  private var inflated = GrowingBuffer()

  init(_ file: InputFile) {
    self.file = file
    inflater = libdeflate_alloc_decompressor()
  }

  deinit {
    if let inflater { libdeflate_free_decompressor(inflater) }
  }

  /// Calls `body` with the content of a blob, valid within the call. Errors of `body` and of the
  /// blob itself are placed at the blob.
  mutating func withContent<Result>(
    of entry: BlobIndex.Entry,
    _ body: (UnsafeRawBufferPointer) throws(CairnError) -> Result
  ) throws(CairnError) -> Result {
    do throws(CairnError) { return try body(try content(of: entry)) } catch {
      throw error.located(inFile: file.path, byte: entry.frameOffset)
    }
  }

  private mutating func content(of entry: BlobIndex.Entry) throws(CairnError)
    -> UnsafeRawBufferPointer
  {
    let bytes = compressed.reserve(entry.byteCount, keeping: 0)
    guard try file.read(into: bytes, at: entry.offset) == bytes.count else {
      throw .badData(
        .truncatedFile, "the file ends within this blob", hint: "is it still being written?")
    }
    let blob = try BlobMessage(UnsafeRawBufferPointer(bytes))
    switch blob.payload {
    case .raw(let content): return content
    case .zlib(let data): return try inflate(data, size: blob.inflatedSize())
    }
  }

  private mutating func inflate(_ data: UnsafeRawBufferPointer, size: Int) throws(CairnError)
    -> UnsafeRawBufferPointer
  {
    let content = inflated.reserve(size, keeping: 0)
    guard let inflater, let source = data.baseAddress, let target = content.baseAddress else {
      throw .badData(.rawSizeMismatch, "a blob without content")
    }
    var actual = 0
    let status = libdeflate_zlib_decompress(
      inflater, source, data.count, target, size, &actual)
    switch status {
    case LIBDEFLATE_SUCCESS where actual == size: return UnsafeRawBufferPointer(content)
    case LIBDEFLATE_SUCCESS:
      throw .badData(
        .rawSizeMismatch,
        "blob says \(grouped(size)) bytes uncompressed, but has \(grouped(actual))")
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      throw .badData(
        .rawSizeMismatch, "blob says \(grouped(size)) bytes uncompressed, but has more")
    default:
      throw .badData(
        .damagedCompression, "blob cannot be inflated",
        hint: "the file is damaged: download it again")
    }
  }
}

/// The message that wraps the content of a blob.
private struct BlobMessage {
  enum Payload {
    case raw(UnsafeRawBufferPointer)
    case zlib(UnsafeRawBufferPointer)
  }

  let payload: Payload
  private let rawSize: Int64?

  init(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(bytes)
    var payload: Payload?
    var rawSize: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: payload = .raw(try reader.readBytes(field))
      case 2: rawSize = Int64(bitPattern: try reader.readVarint(field))
      case 3: payload = .zlib(try reader.readBytes(field))
      case 4: throw Self.unread("lzma")
      case 5: throw Self.unread("bzip2")
      case 6: throw Self.unread("lz4")
      case 7: throw Self.unread("zstd")
      default: try reader.skip(field)
      }
    }
    guard let payload else {
      throw .badData(.unknownCompression, "blob without any content that is known here")
    }
    if case .raw(let content) = payload, content.count > BlobLimits.blobBytes {
      throw .badData(.badDataSize, "blob has \(grouped(content.count)) bytes")
    }
    self.payload = payload
    self.rawSize = rawSize
  }

  func inflatedSize() throws(CairnError) -> Int {
    guard let rawSize else {
      throw .badData(.missingRawSize, "compressed blob does not say its uncompressed size")
    }
    guard rawSize > 0, rawSize <= BlobLimits.blobBytes else {
      throw .badData(
        .missingRawSize,
        "blob says \(grouped(rawSize)) bytes uncompressed, the format allows "
          + grouped(BlobLimits.blobBytes),
        hint: "is the file damaged?")
    }
    return Int(rawSize)
  }

  private static func unread(_ name: String) -> CairnError {
    .badData(
      .unknownCompression, "blob is compressed with \(name), which is not read here",
      hint: "rewrite it with: osmium cat IN.osm.pbf -o OUT.osm.pbf -f pbf,pbf_compression=zlib")
  }
}
