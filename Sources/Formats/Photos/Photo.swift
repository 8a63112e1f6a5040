// SPDX-License-Identifier: Apache-2.0

/// A photo as a store of waypoints keeps it: the whole picture, and a small one to send.
///
/// Both are upright, whatever way the camera was held, and have no metadata: neither place nor time
/// nor serial number.
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
  /// What is wrong with the picture, which was read all the same; nil if nothing is.
  public let damage: String?

  /// Larger files need not be read: no picture of ``mostPixels`` has so many bytes.
  public static let largestFileBytes = 64 << 20
  /// Larger pictures are not decoded.
  public static let mostPixels = 200_000_000
  /// Larger pictures are scaled down to no more than this while they are decoded.
  public static let mostKeptPixels = 50_000_000
  /// The width and the height of a thumbnail in pixels.
  public static let thumbnailSide = 100
  /// A thumbnail has fewer bytes, to be sent at once.
  public static let largestThumbnailBytes = 10_000

  static let photoQuality: Int32 = 80
  static let thumbnailQuality: Int32 = 70

  /// Makes a photo of a picture: a JPEG file, and on Apple's systems whatever Image I/O reads, such as HEIC.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - mostPixels: Larger pictures are refused with ``PhotoError/tooLarge(width:height:mostPixels:)``
  ///     before they are decoded.
  public init(picture bytes: [UInt8], mostPixels: Int = Photo.mostPixels) throws(PhotoError) {
    let decoder = try PictureDecoder(bytes)
    let pixels = decoder.width.multipliedReportingOverflow(by: decoder.height)
    guard !pixels.overflow, pixels.partialValue <= mostPixels else {
      throw .tooLarge(width: decoder.width, height: decoder.height, mostPixels: mostPixels)
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
