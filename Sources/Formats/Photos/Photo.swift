// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// A photo as a store of waypoints keeps it: the whole picture, and a small one to send.
///
/// Both are upright, whatever way the camera was held, and have no metadata: neither place nor time
/// nor serial number.
package struct Photo: Sendable {
  /// The whole picture as JPEG of quality 0.8.
  package let photo: [UInt8]
  /// 100 × 100 pixels as JPEG of quality 0.7 or less, below ``largestThumbnailBytes``.
  package let thumbnail: [UInt8]
  /// The size of the whole picture in pixels.
  package let width: Int
  /// The size of the whole picture in pixels.
  package let height: Int
  /// What is wrong with the file, which was read all the same; nil if nothing is.
  package let damage: String?

  /// Larger files are not read.
  package static let largestFileBytes = 64 << 20
  /// Larger pictures are not decoded.
  package static let mostPixels = 200_000_000
  /// Larger pictures are scaled down to no more than this while they are decoded.
  package static let mostKeptPixels = 50_000_000
  /// The width and the height of a thumbnail in pixels.
  package static let thumbnailSide = 100
  /// A thumbnail has fewer bytes, to be sent at once.
  package static let largestThumbnailBytes = 10_000

  static let photoQuality: Int32 = 80
  static let thumbnailQuality: Int32 = 70

  /// Reads a JPEG file. Throws 66 if it does not exist, 65 for anything but a JPEG picture of a
  /// reasonable size, 74 if reading fails.
  package init(_ path: String) throws(CairnError) {
    let file = try InputFile(path)
    let bytes = try file.readAll(limit: Self.largestFileBytes)
    do throws(CairnError) { try self.init(jpeg: bytes) } catch {
      throw error.located(inFile: path)
    }
  }

  /// Reads a JPEG picture. Throws 65.
  ///
  /// - Parameter mostPixels: Larger pictures are not decoded.
  package init(jpeg bytes: [UInt8], mostPixels: Int = Photo.mostPixels) throws(CairnError) {
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
      throw CairnError("not-a-jpeg", .dataError, "is not a JPEG picture")
    }
    let decoder = try JPEGDecoder(bytes)
    let pixels = decoder.width.multipliedReportingOverflow(by: decoder.height)
    guard !pixels.overflow, pixels.partialValue <= mostPixels else {
      throw CairnError(
        "large-picture", .dataError,
        "has \(grouped(decoder.width)) × \(grouped(decoder.height)) pixels, and pictures of more "
          + "than \(grouped(mostPixels)) are not read",
        hint: "scale it down")
    }
    let orientation = ExifOrientation(jpeg: bytes)
    let whole = try decoder.decode { $0 * $1 <= Self.mostKeptPixels }
    damage = decoder.warning
    let upright = whole.upright(orientation)
    width = upright.width
    height = upright.height
    photo = try encodeJPEG(upright, quality: Self.photoQuality)
    let small = upright.filling(side: Self.thumbnailSide)
    var quality = Self.thumbnailQuality
    var encoded = try encodeJPEG(small, quality: quality)
    while encoded.count >= Self.largestThumbnailBytes, quality > 10 {
      quality -= 10
      encoded = try encodeJPEG(small, quality: quality)
    }
    thumbnail = encoded
  }
}
