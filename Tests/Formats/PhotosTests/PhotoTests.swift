// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import CairnPhotos

@Suite("Photos")
struct PhotoTests {
  /// A picture that is red at the left, green at the top and noisy in blue.
  private func picture(_ width: Int, _ height: Int, seed: UInt64 = 1) -> Picture {
    var random = SeededGenerator(seed: seed)
    var picture = Picture(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let index = 3 * (y * width + x)
        picture.samples[index] = x < width / 2 ? 250 : 5
        picture.samples[index + 1] = y < height / 2 ? 250 : 5
        picture.samples[index + 2] = .random(in: 0...20, using: &random)
      }
    }
    return picture
  }

  private func noise(_ width: Int, _ height: Int) -> Picture {
    var random = SeededGenerator(seed: 7)
    var picture = Picture(width: width, height: height)
    for index in picture.samples.indices {
      picture.samples[index] = .random(in: 0...255, using: &random)
    }
    return picture
  }

  /// A JPEG file that states an orientation.
  ///
  /// - Parameter type: 3 for SHORT, 4 for LONG.
  private func jpeg(
    _ picture: Picture, orientation: UInt8? = nil, littleEndian: Bool = true, type: UInt8 = 3
  ) throws -> [UInt8] {
    let bytes = try encodeJPEG(picture, quality: 90)
    guard let orientation else { return bytes }
    let value: [UInt8] = type == 3 ? [0, orientation, 0, 0] : [0, 0, 0, orientation]
    let tiff: [UInt8] =
      littleEndian
      ? [73, 73, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, type, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      : [77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, type, 0, 0, 0, 1] + value
    let segment = Array("Exif\0\0".utf8) + tiff
    return bytes.prefix(2) + [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment
      + bytes.dropFirst(2)
  }

  private func decoded(_ bytes: [UInt8]) throws -> Picture {
    try JPEGDecoder(bytes).decode { _, _ in true }
  }

  /// Red and green of a pixel, as bright or dark.
  private func colour(_ picture: Picture, _ x: Int, _ y: Int) -> [Bool] {
    let index = 3 * (y * picture.width + x)
    return [picture.samples[index] > 127, picture.samples[index + 1] > 127]
  }

  @Test("a photo keeps its size, and its thumbnail is 100 × 100 and below 10 KB")
  func sizes() throws {
    for (width, height) in [(640, 480), (300, 900), (50, 20), (1, 1), (101, 100)] {
      let photo = try Photo(picture: try jpeg(picture(width, height)))
      #expect(photo.width == width && photo.height == height && photo.damage == nil)
      #expect(try decoded(photo.photo).width == width)
      let thumbnail = try decoded(photo.thumbnail)
      #expect(thumbnail.width == 100 && thumbnail.height == 100)
      #expect(photo.thumbnail.count < 10_000)
    }
  }

  @Test("the thumbnail of nothing but noise is below 10 KB, too")
  func noisy() throws {
    #expect(try Photo(picture: try jpeg(noise(100, 100))).thumbnail.count < 10_000)
  }

  @Test("the thumbnail shows the middle of the picture")
  func middle() throws {
    let thumbnail = try decoded(try Photo(picture: try jpeg(picture(400, 200))).thumbnail)
    #expect(colour(thumbnail, 30, 30) == [true, true])
    #expect(colour(thumbnail, 70, 30) == [false, true])
    #expect(colour(thumbnail, 70, 70) == [false, false])
  }

  @Test(
    "a photo is turned upright by each of the eight orientations, a number of either type",
    arguments: 1...8)
  func orientations(_ orientation: UInt8) throws {
    // What the camera stores where the scene is bright at the left and at the top.
    let scene = picture(64, 32)
    let kind = try #require(ExifOrientation(rawValue: Int(orientation)))
    let isTurned = kind.swapsSides
    var stored = Picture(width: isTurned ? 32 : 64, height: isTurned ? 64 : 32)
    for y in 0..<stored.height {
      for x in 0..<stored.width {
        let (sceneX, sceneY) = kind.target(x, y, stored.width, stored.height)
        for channel in 0..<3 {
          stored.samples[3 * (y * stored.width + x) + channel] =
            scene.samples[3 * (sceneY * 64 + sceneX) + channel]
        }
      }
    }
    #expect(stored.upright(kind) == scene)
    for (littleEndian, type) in [(true, 3), (false, 3), (true, 4), (false, 4)] as [(Bool, UInt8)] {
      let photo = try Photo(
        picture: try jpeg(
          stored, orientation: orientation, littleEndian: littleEndian, type: type))
      #expect(photo.width == 64 && photo.height == 32)
      let upright = try decoded(photo.photo)
      #expect(colour(upright, 10, 5) == [true, true])
      #expect(colour(upright, 50, 5) == [false, true])
      #expect(colour(upright, 10, 25) == [true, false])
      // No metadata is left.
      #expect(!photo.photo.contains(0xE1) || ExifOrientation(jpeg: photo.photo) == .upright)
    }
  }

  @Test("a number that is no orientation turns nothing")
  func noOrientation() throws {
    for (orientation, type) in [(0, 3), (9, 3), (9, 4), (6, 7)] as [(UInt8, UInt8)] {
      let photo = try Photo(
        picture: try jpeg(picture(64, 32), orientation: orientation, type: type))
      #expect(photo.width == 64)
    }
  }

  @Test("the orientation 6 of a phone held upright turns the picture to the right")
  func phone() {
    // The top left of what is seen is stored at the bottom left.
    #expect(ExifOrientation.turnedLeft.target(0, 31, 64, 32) == (0, 0))
    #expect(ExifOrientation.turnedRight.target(63, 0, 64, 32) == (0, 0))
  }

  @Test("a picture of too many pixels is refused before it is decoded")
  func tooLarge() throws {
    var bytes = try jpeg(picture(16, 16))
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    let error = #expect(throws: PhotoError.self) { try Photo(picture: bytes) }
    #expect(error == .tooLarge(width: 65_500, height: 65_500, mostPixels: Photo.mostPixels))
    #expect(error?.description.contains("65\u{A0}500 × 65\u{A0}500 pixels") == true)
  }

  @Test("a progressive picture, whose coefficients are all kept, may have fewer pixels")
  func progressive() throws {
    var bytes = try bytesOfFile("\(packageRoot)/Tests/Fixtures/progressive.jpg")
    #expect(try Photo(picture: bytes).width == 16)
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
    // 8 000 × 8 000 pixels, and nothing of them.
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
    let error = #expect(throws: PhotoError.self) { try Photo(picture: bytes) }
    #expect(error == .tooLarge(width: 8000, height: 8000, mostPixels: 50_000_000))
  }

  @Test("a large picture is scaled down while it is decoded")
  func scaled() throws {
    let decoder = try JPEGDecoder(try jpeg(picture(640, 481)))
    let half = try decoder.decode { width, height in width * height <= 100_000 }
    #expect(half.width == 320 && half.height == 241)
    #expect(throws: PhotoError.self) { try decoder.decode { _, _ in false } }
  }

  @Test("a picture that is cut off is kept as far as it goes, and says so")
  func cutOff() throws {
    let bytes = try jpeg(noise(200, 200))
    let photo = try Photo(picture: Array(bytes.prefix(bytes.count / 2)))
    #expect(photo.width == 200 && photo.damage != nil)
  }

  @Test("what is not a JPEG picture is an error")
  func notAPicture() throws {
    #expect(throws: PhotoError.notAPicture) { try Photo(picture: []) }
    #expect(throws: PhotoError.notAPicture) { try Photo(picture: Array("GIF89a".utf8)) }
    let error = #expect(throws: PhotoError.self) { try Photo(picture: [0xFF, 0xD8, 0xFF]) }
    #expect(error?.ofCommand(at: "cut.jpg").description.hasPrefix("cut.jpg: cannot be") == true)
  }

  @Test("broken files end in a photo or in an error", arguments: 1...50)
  func broken(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try jpeg(noise(60, 40), orientation: 6)
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      bytes[Int.random(in: 3..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    do throws(PhotoError) {
      let photo = try Photo(picture: bytes, mostPixels: 1_000_000)
      #expect(photo.thumbnail.count < 10_000)
    } catch {
      #expect(!error.description.isEmpty)
    }
  }
}
