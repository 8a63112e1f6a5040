// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// The first 127 bytes of a PMTiles file of version 3:
/// https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
package struct PMTilesHeader: Equatable, Sendable {
  /// Its size in bytes.
  package static let byteCount = 127
  /// The bytes that a client reads first; they contain the header and the root directory.
  package static let firstBytes = 16_384
  static let signature = Array("PMTiles".utf8)

  /// A part of the file.
  package struct Part: Equatable, Sendable {
    /// Its offset in bytes, from the start of the file or of the tiles.
    package var offset: UInt64 = 0
    /// Its length in bytes.
    package var length: UInt64 = 0
  }

  /// Values of the compression and of the type of tiles.
  package enum Code {
    package static let unknown: UInt8 = 0
    package static let plain: UInt8 = 1
    package static let gzip: UInt8 = 2
    package static let vector: UInt8 = 1
    package static let png: UInt8 = 2
    package static let jpeg: UInt8 = 3
    package static let webP: UInt8 = 4
  }

  package var root = Part()
  package var metadata = Part()
  package var leaves = Part()
  package var tiles = Part()
  package var addressedTiles: UInt64 = 0
  package var tileEntries: UInt64 = 0
  package var tileContents: UInt64 = 0
  package var isClustered = true
  package var internalCompression = Code.gzip
  package var tileCompression = Code.gzip
  package var tileType = Code.vector
  package var zooms: (lowest: UInt8, highest: UInt8) = (0, 0)
  /// West, south, east and north in 10⁻⁷ degrees.
  package var bounds: [Int32] = [0, 0, 0, 0]
  package var centreZoom: UInt8 = 0
  /// Longitude and latitude in 10⁻⁷ degrees.
  package var centre: [Int32] = [0, 0]

  package init() {}

  /// Whether a file begins like PMTiles of version 3.
  package static func recognises(head: [UInt8]) -> Bool {
    head.count > 7 && head.starts(with: signature) && head[7] == 3
  }

  package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

  /// The header as stored.
  package var bytes: [UInt8] {
    var bytes = Self.signature + [3]
    for part in [root, metadata, leaves, tiles] {
      bytes.append(fixed: part.offset)
      bytes.append(fixed: part.length)
    }
    bytes.append(fixed: addressedTiles)
    bytes.append(fixed: tileEntries)
    bytes.append(fixed: tileContents)
    bytes += [isClustered ? 1 : 0, internalCompression, tileCompression, tileType]
    bytes += [zooms.lowest, zooms.highest]
    for value in bounds { bytes.append(fixed: value) }
    bytes.append(centreZoom)
    for value in centre { bytes.append(fixed: value) }
    return bytes
  }

  /// Reads a header; nil if it is not one or a part lies beyond `size` bytes.
  package init?(_ bytes: UnsafeRawBufferPointer, fileSize size: Int) {
    guard bytes.count >= Self.byteCount, Self.recognises(head: Array(bytes.prefix(8))) else {
      return nil
    }
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Number.Type)
      -> Number
    {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    func part(_ offset: Int) -> Part? {
      let part = Part(
        offset: number(offset, UInt64.self), length: number(offset + 8, UInt64.self))
      let (end, overflow) = part.offset.addingReportingOverflow(part.length)
      return overflow || end > UInt64(size) ? nil : part
    }
    guard let root = part(8), let metadata = part(24), let leaves = part(40),
      let tiles = part(56)
    else { return nil }
    (self.root, self.metadata, self.leaves, self.tiles) = (root, metadata, leaves, tiles)
    addressedTiles = number(72, UInt64.self)
    tileEntries = number(80, UInt64.self)
    tileContents = number(88, UInt64.self)
    isClustered = bytes[96] == 1
    (internalCompression, tileCompression, tileType) = (bytes[97], bytes[98], bytes[99])
    zooms = (bytes[100], bytes[101])
    bounds = (0..<4).map { number(102 + 4 * $0, Int32.self) }
    centreZoom = bytes[118]
    centre = (0..<2).map { number(119 + 4 * $0, Int32.self) }
  }
}
