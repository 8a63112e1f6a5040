// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// Reads and decompresses the blobs of a PBF file, reusing its buffers: each worker has one reader.
///
/// The file is read, not mapped, so that truncating it meanwhile causes an error and not a signal.
struct BlobReader: ~Copyable {
  private let file: InputFile
  private var inflater = Inflater()
  private var compressed = GrowingBuffer()
  private var inflated = GrowingBuffer()
  /// How the last blob was compressed.
  private(set) var compression = BlobCompression.none

  init(_ file: InputFile) { self.file = file }

  /// Calls `body` with the content of a blob, which is valid during the call. Errors of `body` and of
  /// the blob itself are located at the blob.
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
    compression = blob.compression
    if compression == .none { return blob.payload }
    let content = inflated.reserve(try blob.inflatedSize(), keeping: 0)
    try inflater.inflate(blob.payload, compression, into: content)
    return UnsafeRawBufferPointer(content)
  }
}

/// The message that wraps the content of a blob.
private struct BlobMessage {
  let compression: BlobCompression
  let payload: UnsafeRawBufferPointer
  private let rawSize: Int64?

  init(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    var reader = ProtobufReader(bytes)
    var content: (compression: BlobCompression, payload: UnsafeRawBufferPointer)?
    var rawSize: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: content = (.none, try reader.readBytes(field))
      case 2: rawSize = Int64(bitPattern: try reader.readVarint(field))
      case 3: content = (.zlib, try reader.readBytes(field))
      case 4: throw Self.unread("lzma")
      case 5: throw Self.unread("bzip2")
      case 6: content = (.lz4, try reader.readBytes(field))
      case 7: content = (.zstd, try reader.readBytes(field))
      default: try reader.skip(field)
      }
    }
    guard let (compression, payload) = content else {
      throw .badData(.unknownCompression, "a blob has no content of a known type")
    }
    guard payload.count <= BlobLimits.blobBytes else {
      throw .badData(.badDataSize, "a blob has \(grouped(payload.count)) bytes")
    }
    self.compression = compression
    self.payload = payload
    self.rawSize = rawSize
  }

  func inflatedSize() throws(CairnError) -> Int {
    guard let rawSize else {
      throw .badData(.missingRawSize, "a compressed blob does not state its uncompressed size")
    }
    guard rawSize > 0, rawSize <= BlobLimits.blobBytes else {
      throw .badData(
        .missingRawSize,
        "a blob states \(grouped(rawSize)) bytes uncompressed, the format allows "
          + grouped(BlobLimits.blobBytes),
        hint: "is the file damaged?")
    }
    // A payload has 32 MiB at most, so this cannot overflow.
    let plausible = Int64(payload.count * BlobLimits.maximumRatio)
    guard rawSize <= max(plausible, BlobLimits.uncheckedBytes) else {
      throw .badData(
        .missingRawSize,
        "a blob states \(grouped(rawSize)) bytes, compressed to \(grouped(payload.count)): no map "
          + "compresses so well",
        hint: "the file is damaged, or made to exhaust memory")
    }
    return Int(rawSize)
  }

  private static func unread(_ name: String) -> CairnError {
    .badData(
      .unknownCompression, "a blob is compressed with \(name), which is not supported",
      hint: "rewrite it with: osmium cat IN.osm.pbf -o OUT.osm.pbf -f pbf,pbf_compression=zlib")
  }
}
