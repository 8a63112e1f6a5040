// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// The limits of the PBF framing, from <https://wiki.openstreetmap.org/wiki/PBF_Format>.
enum BlobLimits {
  /// The largest blob header in bytes.
  static let headerBytes = 64 * 1024
  /// The largest blob in bytes, both compressed and uncompressed.
  static let blobBytes = 32 * 1024 * 1024
  /// The largest ratio of a blob's content to its compressed size. Maps are compressed to about a
  /// half, at best to a twentieth; a ratio of a thousand only serves to exhaust memory.
  static let maximumRatio = 256
  /// The content in bytes up to which the ratio is not checked.
  static let uncheckedBytes: Int64 = 64 * 1024
}

/// The offsets of the blobs of a PBF file, found by following the blob headers.
struct BlobIndex: Sendable {
  /// A blob without its header.
  struct Entry: Sendable {
    /// The start of the blob's frame, as named in errors.
    var frameOffset: Int
    /// The start of the blob itself.
    var offset: Int
    /// The size of the blob in the file.
    var byteCount: Int
  }

  /// The blob of type OSMHeader.
  let header: Entry
  /// The blobs of type OSMData, in the order of the file.
  let data: [Entry]

  /// Finds the blobs of a file. Throws 65 if it is not a PBF file or is cut off.
  init(_ file: InputFile) throws(CairnError) {
    guard file.size > 0 else {
      throw CairnError(
        .emptyFile, .dataError, "is empty", at: Location(file: file.path),
        hint: "did the download fail?")
    }
    var walk = BlobWalk(file)
    var header: Entry?
    var data: [Entry] = []
    while let (kind, entry) = try walk.next() {
      switch kind {
      case .header where header == nil: header = entry
      case .data: data.append(entry)
      case .header, .unknown: break
      }
    }
    guard let header else {
      throw CairnError(
        .missingField, .dataError, "has no OSMHeader blob", at: Location(file: file.path),
        hint: "is it an OpenStreetMap PBF file?")
    }
    self.header = header
    self.data = data
  }
}

/// Moves from blob to blob.
private struct BlobWalk: ~Copyable {
  enum Kind {
    case header
    case data
    /// A type that later versions of the format may define; it is skipped.
    case unknown
  }

  /// The number of bytes read at once; a typical header has about 14.
  private static let windowBytes = 64

  private let file: InputFile
  private var offset = 0
  private var buffer = GrowingBuffer()

  init(_ file: InputFile) { self.file = file }

  mutating func next() throws(CairnError) -> (Kind, BlobIndex.Entry)? {
    guard offset < file.size else { return nil }
    let frame = offset
    do throws(CairnError) {
      let header = try readHeader()
      let (kind, dataSize) = try Self.parse(header)
      let start = frame + 4 + header.count
      guard dataSize <= file.size - start else {
        throw truncated(
          "the blob that begins at byte \(grouped(frame)) needs \(grouped(dataSize)) bytes")
      }
      offset = start + dataSize
      return (kind, .init(frameOffset: frame, offset: start, byteCount: dataSize))
    } catch { throw error.located(inFile: file.path, byte: frame) }
  }

  private mutating func readHeader() throws(CairnError) -> UnsafeRawBufferPointer {
    let window = buffer.reserve(Self.windowBytes, keeping: 0)
    let available = try file.read(into: window, at: offset)
    guard available >= 4 else { throw truncated("the size of a blob header is missing") }
    let size = Int(UInt32(bigEndian: window.loadUnaligned(as: UInt32.self)))
    guard size > 0, size <= BlobLimits.headerBytes else {
      throw offset == 0
        ? wrongKind(UnsafeRawBufferPointer(rebasing: window[..<available]))
        : .badData(
          .badBlobHeaderSize,
          "blob header of \(grouped(size)) bytes, the format allows 1 to "
            + grouped(BlobLimits.headerBytes),
          hint: "is the file damaged?")
    }
    guard size > available - 4 else {
      return UnsafeRawBufferPointer(rebasing: window[4..<(4 + size)])
    }
    let whole = buffer.reserve(size, keeping: 0)
    guard try file.read(into: whole, at: offset + 4) == size else {
      throw truncated("a blob header needs \(grouped(size)) bytes")
    }
    return UnsafeRawBufferPointer(whole)
  }

  private static func parse(_ header: UnsafeRawBufferPointer) throws(CairnError) -> (Kind, Int) {
    var reader = ProtobufReader(header)
    var kind: Kind?
    var dataSize: Int64?
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        let name = try reader.readBytes(field)
        kind =
          name.elementsEqual("OSMData".utf8)
          ? .data : name.elementsEqual("OSMHeader".utf8) ? .header : .unknown
      case 3: dataSize = Int64(bitPattern: try reader.readVarint(field))
      default: try reader.skip(field)
      }
    }
    guard let kind else { throw .badData(.missingField, "blob header without a type") }
    guard let dataSize, dataSize >= 0, dataSize <= BlobLimits.blobBytes else {
      throw .badData(
        .badDataSize,
        dataSize.map { "blob of \(grouped($0)) bytes" } ?? "blob header without the blob's size",
        hint: "the format allows up to \(grouped(BlobLimits.blobBytes)) bytes")
    }
    return (kind, Int(dataSize))
  }

  private func truncated(_ what: String) -> CairnError {
    CairnError(
      .truncatedFile, .dataError, "the file ends here, but \(what)",
      at: Location(file: file.path, .byte(file.size)), hint: "download it again")
  }

  private func wrongKind(_ head: UnsafeRawBufferPointer) -> CairnError {
    let isXML = head.first == UInt8(ascii: "<")
    let isGzip = head.starts(with: [0x1f, 0x8b])
    return CairnError(
      .badBlobHeaderSize, .dataError, "is not a PBF file: it does not begin with a blob header",
      at: Location(file: file.path),
      hint: isXML || isGzip
        ? "it looks like XML: read it with cairn-parse-overpass" : "was it downloaded completely?")
  }
}
