// SPDX-License-Identifier: Apache-2.0
import Algorithms
import CDeflate
import FoundationEssentials

/// A picture of greys as a PNG file (ISO/IEC 15948): 8 bits a pixel, no filters, one chunk of data.
struct PNGImage: Equatable, Sendable {
  let width: Int
  let height: Int
  /// Greys by row, from black to white.
  let greys: [UInt8]

  /// Takes rows of greys; nil unless there are as many as pixels.
  init?(width: Int, height: Int, greys: [UInt8]) {
    guard width > 0, height > 0, width < 1 << 15, height < 1 << 15, greys.count == width * height
    else { return nil }
    (self.width, self.height, self.greys) = (width, height, greys)
  }

  /// The file; nil if memory runs out.
  var file: [UInt8]? {
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for row in 0..<height {
      rows.append(0)
      rows += greys[(row * width)..<((row + 1) * width)]
    }
    guard let data = Self.deflated(rows) else { return nil }
    let header = Self.bigEndian(width) + Self.bigEndian(height) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", header) + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
  }

  /// The file as a URL that holds all of it.
  var dataURL: String? {
    file.map { "data:image/png;base64," + Data($0).base64EncodedString() }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + data
    return bigEndian(data.count) + content + bigEndian(Int(CRC32.checksum(content)))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard let compressor = libdeflate_alloc_compressor(9) else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    var output = [UInt8](
      repeating: 0, count: libdeflate_zlib_compress_bound(compressor, bytes.count))
    let count = libdeflate_zlib_compress(compressor, bytes, bytes.count, &output, output.count)
    return count > 0 ? Array(output.prefix(count)) : nil
  }
}
