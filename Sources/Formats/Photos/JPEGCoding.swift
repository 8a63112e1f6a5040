// SPDX-License-Identifier: Apache-2.0
import CJPEG
import CairnDiagnostics

extension CairnError.Code {
  /// A JPEG picture that cannot be decoded.
  package static let damagedPicture: Self = "damaged-picture"
}

/// Decodes a JPEG picture with libjpeg-turbo.
final class JPEGDecoder {
  /// The size in pixels, as the header says, before the picture is turned upright.
  let width: Int
  let height: Int
  /// What is wrong with a picture that was decoded all the same.
  private(set) var warning: String?

  private let handle: tjhandle
  private let bytes: [UInt8]

  /// Reads the header. Throws 65.
  init(_ bytes: [UInt8]) throws(CairnError) {
    guard let handle = tjInitDecompress() else {
      throw CairnError("libjpeg-turbo", .software, "cannot initialise libjpeg-turbo")
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
      throw CairnError(.damagedPicture, .dataError, "cannot be read: \(message)")
    }
    guard space != Int32(TJCS_CMYK.rawValue), space != Int32(TJCS_YCCK.rawValue) else {
      throw CairnError(
        .damagedPicture, .dataError, "has the colours of a printing press (CMYK)",
        hint: "convert it to RGB")
    }
  }

  deinit { tjDestroy(handle) }

  private var message: String { String(cString: tjGetErrorStr2(handle)) }

  /// Decodes the picture, at the largest of the scales 1, ½, ¼ and ⅛ whose width and height are
  /// accepted. Throws 65 if none is, or if the data is damaged from the start.
  func decode(accepting isAccepted: (Int, Int) -> Bool) throws(CairnError) -> Picture {
    for divisor in [1, 2, 4, 8] {
      let (width, height) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
      if isAccepted(width, height) { return try decode(width, height) }
    }
    throw CairnError(.damagedPicture, .dataError, "is too large")
  }

  private func decode(_ width: Int, _ height: Int) throws(CairnError) -> Picture {
    var picture = Picture(width: width, height: height)
    // The number of scans is limited: each of them takes as long as the whole picture.
    let status = picture.samples.withUnsafeMutableBufferPointer { samples in
      tjDecompress2(
        handle, bytes, UInt(bytes.count), samples.baseAddress, Int32(width), 0, Int32(height),
        Int32(TJPF_RGB.rawValue), TJFLAG_LIMITSCANS)
    }
    guard status != 0 else { return picture }
    guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
      throw CairnError(.damagedPicture, .dataError, "cannot be decoded: \(message)")
    }
    warning = message
    return picture
  }
}

/// Encodes a picture as JPEG with half the resolution of colours, as cameras do.
///
/// - Parameter quality: 1…100.
func encodeJPEG(_ picture: Picture, quality: Int32) throws(CairnError) -> [UInt8] {
  guard let handle = tjInitCompress() else {
    throw CairnError("libjpeg-turbo", .software, "cannot initialise libjpeg-turbo")
  }
  defer { tjDestroy(handle) }
  var output: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0
  defer { tjFree(output) }
  let status = tjCompress2(
    handle, picture.samples, Int32(picture.width), 0, Int32(picture.height),
    Int32(TJPF_RGB.rawValue), &output, &count, Int32(TJSAMP_420.rawValue), quality, 0)
  guard status == 0, let output else {
    let message = String(cString: tjGetErrorStr2(handle))
    throw CairnError("libjpeg-turbo", .software, "cannot encode a picture: \(message)")
  }
  return [UInt8](UnsafeBufferPointer(start: output, count: Int(count)))
}
