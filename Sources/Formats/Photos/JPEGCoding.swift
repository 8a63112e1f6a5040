// SPDX-License-Identifier: Apache-2.0

#if !canImport(ImageIO)
  import CairnCJPEG

  typealias PictureDecoder = JPEGDecoder

  /// Decodes a JPEG picture with libjpeg-turbo.
  final class JPEGDecoder {
    /// The size in pixels in the header, before the picture is turned upright.
    let width: Int
    let height: Int
    /// The damage of a picture that was decoded nevertheless.
    private(set) var warning: String?

    private let handle: tjhandle
    private let bytes: [UInt8]

    /// Reads the header.
    init(_ bytes: [UInt8]) throws(PhotoError) {
      guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .notAPicture }
      guard let handle = tjInitDecompress() else {
        throw .notEncoded("libjpeg-turbo does not start")
      }
      self.handle = handle
      self.bytes = bytes
      var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
      let status = tjDecompressHeader3(
        handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
      // A warning of the header is repeated when the picture is decoded.
      let isRead = status == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
      self.width = Int(width)
      self.height = Int(height)
      guard isRead, width > 0, height > 0 else {
        throw .damaged(message)
      }
      guard space != Int32(TJCS_CMYK.rawValue), space != Int32(TJCS_YCCK.rawValue) else {
        throw .printColours
      }
    }

    deinit { tjDestroy(handle) }

    /// Whether the decoder keeps the whole picture as coefficients, two bytes for each sample, because it
    /// comes in several scans: all progressive ones do. No scan tells its size beforehand, so a few bytes
    /// may be followed by none.
    var comesInScans: Bool {
      var offset = 2
      var components: UInt8?
      while offset + 10 <= bytes.count, bytes[offset] == 0xFF {
        let marker = bytes[offset + 1]
        switch marker {
        case 0xFF:
          offset += 1
          continue
        case 0xC0, 0xC1: components = bytes[offset + 9]
        case 0xC2...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker): return true
        case 0xDA: return bytes[offset + 4] != components
        default: break
        }
        offset += 2 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3]))
      }
      return true
    }

    private var message: String { String(cString: tjGetErrorStr2(handle)) }

    /// Decodes the picture, at the largest of the scales 1, ½, ¼ and ⅛ whose width and height are
    /// accepted. Throws if none is, or if the data is damaged from the start.
    func decode(accepting isAccepted: (Int, Int) -> Bool) throws(PhotoError) -> Picture {
      for divisor in [1, 2, 4, 8] {
        let (width, height) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
        if isAccepted(width, height) { return try decode(width, height) }
      }
      throw .damaged("is too large")
    }

    /// ``decode(accepting:)``, turned upright as the file states.
    func upright(accepting isAccepted: (Int, Int) -> Bool) throws(PhotoError) -> Picture {
      try decode(accepting: isAccepted).upright(ExifOrientation(jpeg: bytes))
    }

    private func decode(_ width: Int, _ height: Int) throws(PhotoError) -> Picture {
      var picture = Picture(width: width, height: height)
      // The number of scans is limited: each of them takes as long as the whole picture.
      let status = picture.samples.withUnsafeMutableBufferPointer { samples in
        tjDecompress2(
          handle, bytes, UInt(bytes.count), samples.baseAddress, Int32(width), 0, Int32(height),
          Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
      }
      guard status != 0 else { return picture }
      guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
        throw .damaged(message)
      }
      warning = message
      return picture
    }
  }

  /// Encodes a picture as JPEG with half the resolution of colours, as cameras do.
  ///
  /// - Parameter quality: 1…100.
  func encodeJPEG(_ picture: Picture, quality: Int32) throws(PhotoError) -> [UInt8] {
    guard let handle = tjInitCompress() else {
      throw .notEncoded("libjpeg-turbo does not start")
    }
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(output) }
    let status = tjCompress2(
      handle, picture.samples, Int32(picture.width), 0, Int32(picture.height),
      Int32(TJPF_RGB.rawValue), &output, &count, Int32(TJSAMP_420.rawValue), quality, 0)
    guard status == 0, let output else {
      throw .notEncoded(String(cString: tjGetErrorStr2(handle)))
    }
    return [UInt8](UnsafeBufferPointer(start: output, count: Int(count)))
  }
#endif
