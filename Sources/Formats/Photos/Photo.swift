// SPDX-License-Identifier: Apache-2.0

/// A photo as stored with a waypoint: the whole picture, and a thumbnail to send.
///
/// Both are upright, however the camera was held, and have no metadata: no location, time or serial
/// number.
///
/// ```swift
/// let photo = try Photo(picture: [UInt8](data))
/// try store.insert(waypoint, photo: Data(photo.photo), thumbnail: Data(photo.thumbnail))
/// ```
public struct Photo: Hashable, Sendable {
  /// The whole picture as JPEG of quality 0.8.
  public let photo: [UInt8]
  /// 100 × 100 pixels as JPEG of quality 0.7 or less, below ``largestThumbnailBytes``.
  public let thumbnail: [UInt8]
  /// The width of the whole picture in pixels.
  public let width: Int
  /// The height of the whole picture in pixels.
  public let height: Int
  /// The damage of the picture, which was read nevertheless; nil if there is none.
  public let damage: String?

  /// Larger files are not worth reading: no picture of ``mostPixels`` has this many bytes.
  public static let largestFileBytes = 64 << 20
  /// Larger pictures are not decoded.
  public static let mostPixels = 200_000_000
  /// The most pixels of a progressive JPEG picture, of which all coefficients are kept: 300 MB.
  static let mostPixelsInScans = 50_000_000
  /// Larger pictures are scaled down to at most this size while decoding.
  public static let mostKeptPixels = 50_000_000
  /// The width and the height of a thumbnail in pixels.
  public static let thumbnailSide = 100
  /// The exclusive limit for a thumbnail in bytes, small enough to send at once.
  public static let largestThumbnailBytes = 10_000

  static let photoQuality: Int32 = 80
  static let thumbnailQuality: Int32 = 70

  /// Makes a photo from a picture: a JPEG file, and on Apple's systems any format of Image I/O,
  /// such as HEIC.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - mostPixels: Larger pictures are refused with
  ///     ``PhotoError/tooLarge(width:height:mostPixels:)`` before decoding.
  public init(picture bytes: [UInt8], mostPixels: Int = Photo.mostPixels) throws(PhotoError) {
    let decoder = try PictureDecoder(bytes)
    let pixels = decoder.width.multipliedReportingOverflow(by: decoder.height)
    let most = decoder.comesInScans ? min(mostPixels, Self.mostPixelsInScans) : mostPixels
    guard !pixels.overflow, pixels.partialValue <= most else {
      throw .tooLarge(width: decoder.width, height: decoder.height, mostPixels: most)
    }
    let upright = try decoder.upright { $0 * $1 <= Self.mostKeptPixels }
    damage = decoder.warning
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
