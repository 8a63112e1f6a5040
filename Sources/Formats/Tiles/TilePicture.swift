// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics

/// A tile that is a picture: PNG, JPEG or WebP.
package enum TilePicture {
  /// The values of the metadata's `format` for pictures.
  package static let formats: Set = ["png", "jpg", "jpeg", "webp"]

  /// Throws 65 unless a picture is whole and no larger than ``TileLimits`` allow; the caller adds the
  /// location. A PNG is unpacked and its checksums compared. Of JPEG and WebP, whose contents have none,
  /// all parts have to be there.
  package static func check(_ bytes: UnsafeRawBufferPointer, unpacker: GzipUnpacker)
    throws(CairnError)
  {
    guard bytes.count <= TileLimits.tileBytes else { throw damage("it is too large") }
    if bytes.starts(with: PNGParts.signature) {
      try PNGParts(bytes).check(unpacker)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      try JPEGParts(bytes).check()
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      try checkWebP(bytes)
    } else {
      throw damage(bytes.isEmpty ? "it is empty" : "it is neither PNG nor JPEG nor WebP")
    }
  }

  fileprivate static func damage(_ what: String) -> CairnError {
    CairnError("damaged-tile", .dataError, "is not a picture: \(what)")
  }

  /// Throws if a picture has no pixels, or more than a tile may take unpacked.
  fileprivate static func checkSize(_ width: Int, _ height: Int, bitsPerPixel: Int)
    throws(CairnError)
  {
    guard width > 0, height > 0 else { throw damage("it has no pixels") }
    // Neither side has more than 31 bits.
    guard width <= TileLimits.tileBytes, height <= TileLimits.tileBytes,
      (width * bitsPerPixel / 8 + 1) * height <= TileLimits.tileBytes
    else { throw damage("\(width) × \(height) pixels are too many for a tile") }
  }

  /// https://developers.google.com/speed/webp/docs/riff_container
  private static func checkWebP(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    func size(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard size(4) + 8 == bytes.count else { throw damage("it is cut off") }
    var offset = 12
    var hasPixels = false
    while offset < bytes.count {
      guard offset + 8 <= bytes.count, size(offset + 4) <= bytes.count - offset - 8 else {
        throw damage("it is cut off")
      }
      let name = bytes[offset..<offset + 4]
      hasPixels = hasPixels || ["VP8 ", "VP8L", "ANMF"].contains { name.elementsEqual($0.utf8) }
      // Chunks have an even size.
      offset += 8 + (size(offset + 4) + 1) & ~1
    }
    guard hasPixels, offset == bytes.count else { throw damage("it is cut off") }
  }
}

/// The chunks of a PNG file (ISO/IEC 15948).
private struct PNGParts {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The bits of a channel by the type of colour, and the number of channels.
  private static let types: [UInt8: (depths: [UInt8], channels: Int)] = [
    0: ([1, 2, 4, 8, 16], 1), 2: ([8, 16], 3), 3: ([1, 2, 4, 8], 1), 4: ([8, 16], 2),
    6: ([8, 16], 4),
  ]
  /// The first column and row and the distance of columns and rows of the seven passes of an
  /// interlaced picture.
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private func word(_ offset: Int) -> Int {
    Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  func check(_ unpacker: GzipUnpacker) throws(CairnError) {
    var offset = Self.signature.count
    var header: Int?
    var data: [UInt8] = []
    var colours = 0
    while true {
      guard offset + 12 <= bytes.count, word(offset) <= bytes.count - offset - 12 else {
        throw TilePicture.damage("it is cut off")
      }
      let size = word(offset)
      let content = UnsafeRawBufferPointer(rebasing: bytes[offset + 8..<offset + 8 + size])
      guard
        libdeflate_crc32(0, bytes.baseAddress.map { $0 + offset + 4 }, size + 4)
          == UInt32(truncatingIfNeeded: word(offset + 8 + size))
      else { throw TilePicture.damage("a checksum is wrong") }
      let name = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      guard (header == nil) == (name == "IHDR") else {
        throw TilePicture.damage("its header is missing or there twice")
      }
      switch name {
      case "IHDR" where size == 13: header = offset + 8
      case "IHDR": throw TilePicture.damage("its header has another size")
      case "PLTE": colours = size / 3
      case "IDAT": data += content
      default: break
      }
      offset += size + 12
      if name == "IEND" { break }
    }
    guard offset == bytes.count, let header else {
      throw TilePicture.damage("more follows behind its end")
    }
    try checkPixels(data, header, colours, unpacker)
  }

  /// Unpacks the pixels and looks at the filter of each row.
  private func checkPixels(
    _ data: [UInt8], _ header: Int, _ colours: Int, _ unpacker: GzipUnpacker
  ) throws(CairnError) {
    let (width, height) = (word(header), word(header + 4))
    let (depth, colour, interlacing) = (bytes[header + 8], bytes[header + 9], bytes[header + 12])
    guard let type = Self.types[colour], type.depths.contains(depth), bytes[header + 10] == 0,
      bytes[header + 11] == 0, interlacing < 2, colour != 3 || 1...256 ~= colours
    else { throw TilePicture.damage("its header has impossible values") }
    let bits = Int(depth) * type.channels
    try TilePicture.checkSize(width, height, bitsPerPixel: bits)
    var rows: [(count: Int, bytes: Int)] = [(height, (width * bits + 7) / 8 + 1)]
    if interlacing == 1 {
      rows = Self.passes.compactMap { x, y, columnStep, rowStep in
        let columns = (width - x + columnStep - 1) / columnStep
        let count = (height - y + rowStep - 1) / rowStep
        return columns > 0 && count > 0 ? (count, (columns * bits + 7) / 8 + 1) : nil
      }
    }
    let total = rows.reduce(0) { $0 + $1.count * $1.bytes }
    let pixels = try data.withUnsafeBufferPointer { data throws(CairnError) in
      try unpacker.unpackZlib(UnsafeRawBufferPointer(data), size: total)
    }
    guard let pixels else { throw TilePicture.damage("its compression is damaged") }
    var offset = 0
    for (count, bytes) in rows {
      for _ in 0..<count {
        guard pixels[offset] < 5 else { throw TilePicture.damage("a row has an unknown filter") }
        offset += bytes
      }
    }
  }
}

/// The segments of a JPEG file (ITU-T T.81, annex B).
private struct JPEGParts {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private func short(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

  func check() throws(CairnError) {
    let cutOff = TilePicture.damage("it is cut off")
    var (hasFrame, hasScan) = (false, false)
    var offset = 2
    while true {
      // Any number of 0xFF may stand before a marker.
      while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF {
        offset += 1
      }
      guard offset + 1 < bytes.count, bytes[offset] == 0xFF else { throw cutOff }
      let marker = bytes[offset + 1]
      offset += 2
      if marker == 0xD9 { break }
      guard offset + 2 <= bytes.count, short(offset) >= 2, offset + short(offset) <= bytes.count
      else { throw cutOff }
      switch marker {
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        guard !hasFrame, short(offset) >= 8 else {
          throw TilePicture.damage("its frame is damaged")
        }
        hasFrame = true
        let channels = Int(bytes[offset + 7])
        guard 1...4 ~= channels, short(offset) == 8 + 3 * channels else {
          throw TilePicture.damage("its frame is damaged")
        }
        try TilePicture.checkSize(
          short(offset + 5), short(offset + 3), bitsPerPixel: 8 * channels)
        offset += short(offset)
      case 0xDA:
        guard hasFrame else { throw TilePicture.damage("its frame is missing") }
        hasScan = true
        offset += short(offset)
        // The pixels, in which 0xFF is followed by 0 or by the mark of a restart.
        while offset + 1 < bytes.count,
          bytes[offset] != 0xFF || bytes[offset + 1] == 0 || 0xD0...0xD7 ~= bytes[offset + 1]
        {
          offset += 1
        }
      default: offset += short(offset)
      }
    }
    guard hasScan else { throw TilePicture.damage("it has no pixels") }
  }
}
