// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnAlgorithms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture as a PNG file (ISO/IEC 15948): one chunk of data, not interlaced.
package struct PNGImage: Equatable, Sendable {
  /// The format of a pixel.
  package enum Form: Equatable, Sendable {
    /// One byte, from black to white.
    case grey
    /// Grey and opacity.
    case greyAlpha
    /// Red, green and blue.
    case colour
    /// Red, green, blue and opacity.
    case colourAlpha
    /// The index of one of at most 256 colours.
    case palette([Colour])

    /// The bytes of a pixel in memory.
    package var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .colour: 3
      case .colourAlpha: 4
      }
    }

    fileprivate var number: UInt8 {
      switch self {
      case .grey: 0
      case .colour: 2
      case .palette: 3
      case .greyAlpha: 4
      case .colourAlpha: 6
      }
    }
  }

  /// A colour of a palette.
  package struct Colour: Equatable, Sendable {
    package let (red, green, blue): (UInt8, UInt8, UInt8)
    /// From 0, transparent, to 255.
    package let alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    package static func == (left: Colour, right: Colour) -> Bool {
      [left.red, left.green, left.blue, left.alpha]
        == [right.red, right.green, right.blue, right.alpha]
    }
  }

  package let width: Int
  package let height: Int
  package let form: Form
  /// The bytes of the pixels by row.
  package let pixels: [UInt8]

  /// Takes rows of pixels; nil unless their number matches the size and, with a palette, all are
  /// indices of its colours.
  package init?(width: Int, height: Int, form: Form = .grey, pixels: [UInt8]) {
    guard width > 0, height > 0, width < 1 << 15, height < 1 << 15,
      pixels.count == width * height * form.channels
    else { return nil }
    if case .palette(let colours) = form {
      guard colours.count <= 256, pixels.allSatisfy({ Int($0) < colours.count }) else {
        return nil
      }
    }
    (self.width, self.height, self.form, self.pixels) = (width, height, form, pixels)
  }

  /// The bits of a channel in the file: four if a palette needs no more.
  private var depth: Int {
    if case .palette(let colours) = form, colours.count <= 16 { return 4 }
    return 8
  }

  /// The file; nil if memory runs out. Rows are filtered if that makes it smaller.
  package var file: [UInt8]? { file(packedBy: Self.deflated) }

  /// The file, compressed by another zlib encoder; nil if that fails.
  package func file(packedBy deflated: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
    let rows = packedRows
    guard var data = deflated(PNGRows.unfiltered(rows, count: height)) else { return nil }
    if depth == 8, form.number != 3 {
      let filtered = PNGRows.filtered(rows, count: height, pixelBytes: form.channels)
      if let other = deflated(filtered), other.count < data.count { data = other }
    }
    let header =
      Self.bigEndian(width) + Self.bigEndian(height) + [UInt8(depth), form.number, 0, 0, 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", header)
    if case .palette(let colours) = form {
      file += Self.chunk("PLTE", colours.flatMap { [$0.red, $0.green, $0.blue] })
      file += Self.chunk("tRNS", colours.map(\.alpha))
    }
    return file + Self.chunk("IDAT", data) + Self.chunk("IEND", [])
  }

  /// The file as a URL that holds all of it.
  package var dataURL: String? {
    file.map { "data:image/png;base64," + Data($0).base64EncodedString() }
  }

  /// The rows as in the file, two pixels a byte if four bits are enough.
  private var packedRows: [UInt8] {
    guard depth == 4 else { return pixels }
    let rowBytes = (width + 1) / 2
    var packed = [UInt8](repeating: 0, count: rowBytes * height)
    for row in 0..<height {
      for column in 0..<width {
        packed[row * rowBytes + column / 2] |=
          pixels[row * width + column] << (column.isMultiple(of: 2) ? 4 : 0)
      }
    }
    return packed
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
