// SPDX-License-Identifier: Apache-2.0

#if canImport(ImageIO)
  import ImageIO

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  typealias PictureDecoder = ImageIODecoder

  /// Decodes a picture with Image I/O.
  final class ImageIODecoder {
    /// The size in pixels in the header, before the picture is turned upright.
    let width: Int
    let height: Int
    /// The damage of a picture that was decoded nevertheless.
    private(set) var warning: String?

    /// Image I/O decodes pictures in several scans piece by piece.
    let comesInScans = false

    private let source: CGImageSource

    /// Reads the header.
    init(_ bytes: [UInt8]) throws(PhotoError) {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil),
        CGImageSourceGetCount(source) > 0
      else { throw .notAPicture }
      guard
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any],
        let width = properties[kCGImagePropertyPixelWidth] as? Int,
        let height = properties[kCGImagePropertyPixelHeight] as? Int, width > 0, height > 0
      else { throw .damaged("its header has no size") }
      self.source = source
      self.width = width
      self.height = height
    }

    /// Decodes the picture upright, at the largest of the scales 1, ½, ¼ and ⅛ whose width and
    /// height are accepted.
    func upright(accepting isAccepted: (Int, Int) -> Bool) throws(PhotoError) -> Picture {
      for divisor in [1, 2, 4, 8] {
        let (width, height) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
        guard isAccepted(width, height) else { continue }
        let options: [CFString: Any] = [
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceCreateThumbnailWithTransform: true,
          kCGImageSourceThumbnailMaxPixelSize: max(width, height),
        ]
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
        else { throw .damaged("Image I/O makes no picture of it") }
        if CGImageSourceGetStatusAtIndex(source, 0) != .statusComplete {
          warning = "the file is cut off or damaged"
        }
        return try picture(of: image)
      }
      throw .damaged("is too large")
    }

    private func picture(of image: CGImage) throws(PhotoError) -> Picture {
      var picture = Picture(width: image.width, height: image.height)
      guard let context = bitmap(image.width, image.height), let data = context.data else {
        throw .damaged("there is no memory for it")
      }
      context.draw(
        image, in: CGRect(x: 0, y: 0, width: Double(image.width), height: Double(image.height)))
      let pixels = data.assumingMemoryBound(to: UInt8.self)
      for row in 0..<image.height {
        for column in 0..<image.width {
          let (from, to) = (
            row * context.bytesPerRow + 4 * column, 3 * (row * image.width + column)
          )
          for channel in 0..<3 { picture.samples[to + channel] = pixels[from + channel] }
        }
      }
      return picture
    }
  }

  /// Memory to draw in: rows from the top, each pixel as red, green, blue and a byte without a meaning.
  private func bitmap(_ width: Int, _ height: Int) -> CGContext? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { return nil }
    return CGContext(
      data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 4 * width,
      space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
  }

  /// Encodes a picture as JPEG.
  ///
  /// - Parameter quality: 1…100.
  func encodeJPEG(_ picture: Picture, quality: Int32) throws(PhotoError) -> [UInt8] {
    guard let context = bitmap(picture.width, picture.height), let data = context.data else {
      throw .notEncoded("there is no memory for it")
    }
    let pixels = data.assumingMemoryBound(to: UInt8.self)
    for row in 0..<picture.height {
      for column in 0..<picture.width {
        let from = 3 * (row * picture.width + column)
        let to = row * context.bytesPerRow + 4 * column
        for channel in 0..<3 { pixels[to + channel] = picture.samples[from + channel] }
      }
    }
    let output = NSMutableData()
    let options: [CFString: Any] = [
      kCGImageDestinationLossyCompressionQuality: Double(quality) / 100
    ]
    guard let image = context.makeImage(),
      let destination = CGImageDestinationCreateWithData(
        output as CFMutableData, "public.jpeg" as CFString, 1, nil)
    else { throw .notEncoded("Image I/O makes no JPEG") }
    CGImageDestinationAddImage(destination, image, options as CFDictionary)
    guard CGImageDestinationFinalize(destination) else {
      throw .notEncoded("Image I/O does not finish the JPEG")
    }
    return [UInt8](Data(referencing: output))
  }
#endif
