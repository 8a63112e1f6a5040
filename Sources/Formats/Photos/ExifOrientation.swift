// SPDX-License-Identifier: Apache-2.0

/// The position of the first row and column of a stored picture, by the tag Orientation of Exif
/// 2.32, section 4.6.4.
enum ExifOrientation: Int, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  case mirroredTurnedLeft
  case turnedLeft
  case mirroredTurnedRight
  case turnedRight

  /// Whether width and height change places.
  var swapsSides: Bool { rawValue >= 5 }

  /// The position of a stored pixel in the upright picture.
  func target(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .upsideDown: (width - 1 - x, height - 1 - y)
    case .mirroredUpsideDown: (x, height - 1 - y)
    case .mirroredTurnedLeft: (y, x)
    case .turnedLeft: (height - 1 - y, x)
    case .mirroredTurnedRight: (height - 1 - y, width - 1 - x)
    case .turnedRight: (y, width - 1 - x)
    }
  }

  /// The orientation in the Exif segment of a JPEG file; upright if there is none.
  init(jpeg bytes: [UInt8]) {
    var reader = SegmentReader(bytes: bytes)
    self = reader.orientation().flatMap { ExifOrientation(rawValue: $0) } ?? .upright
  }
}

/// Reads the segments before the picture; anything malformed counts as no orientation.
private struct SegmentReader {
  let bytes: [UInt8]
  private var isLittleEndian = false

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func orientation() -> Int? {
    var offset = 2
    while let marker = byte(offset), marker == 0xFF, let kind = byte(offset + 1) {
      // A marker may have fill bytes before it.
      if kind == 0xFF {
        offset += 1
        continue
      }
      // The picture begins.
      guard kind != 0xDA, kind != 0xD9, let length = bigEndian(offset + 2), length >= 2 else {
        return nil
      }
      if kind == 0xE1, bytes.dropFirst(offset + 4).starts(with: Array("Exif\0\0".utf8)) {
        return tag(0x0112, from: offset + 10, to: min(bytes.count, offset + 2 + length))
      }
      offset += 2 + length
    }
    return nil
  }

  /// The value of a tag of the first directory of a TIFF structure.
  private mutating func tag(_ wanted: Int, from start: Int, to end: Int) -> Int? {
    isLittleEndian = byte(start) == UInt8(ascii: "I")
    guard start + 8 <= end, word(start + 2) == 42, let offset = long(start + 4) else { return nil }
    let directory = start + offset
    guard directory + 2 <= end, let count = word(directory) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard entry + 12 <= end else { return nil }
      guard word(entry) == wanted else { continue }
      switch word(entry + 2) {
      // A short number is at the beginning of the field. Some programs write a long one instead.
      case 3: return word(entry + 8)
      case 4: return long(entry + 8)
      default: continue
      }
    }
    return nil
  }

  private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func bigEndian(_ offset: Int) -> Int? {
    guard offset + 1 < bytes.count else { return nil }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  private func word(_ offset: Int) -> Int? {
    guard let value = bigEndian(offset) else { return nil }
    return isLittleEndian ? value >> 8 | (value & 0xFF) << 8 : value
  }

  private func long(_ offset: Int) -> Int? {
    guard let first = word(offset), let second = word(offset + 2) else { return nil }
    return isLittleEndian ? second << 16 | first : first << 16 | second
  }
}
