// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import Foundation
import PNG
import TestSupport
import Testing

@testable import Tiles

@Suite("Tiles that are pictures")
struct TilePictureTests {
  /// Pictures of 16 × 16 pixels by GDAL, and an interlaced one of 9 × 5.
  private static let foreign = [
    "jpeg":
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwg"
      + "JC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIy"
      + "MjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAQABADASIAAhEBAxEB/8QA"
      + "FwAAAwEAAAAAAAAAAAAAAAAAAAMFBv/EACYQAAIBAwIFBQEAAAAAAAAAAAECAwQFERIxAAYTISIUFSMz"
      + "QUL/xAAVAQEBAAAAAAAAAAAAAAAAAAACA//EAB8RAAICAgEFAAAAAAAAAAAAAAECIUEDETFRgaHh8P/a"
      + "AAwDAQACEQMRAD8AzHLHLFsmsput1IWnAGBjLSMdlUfpPF72a2CpEdNy/R6jgpTSxmoqWG+SqsqpkEHy"
      + "ON8E8Fm6wsljpoxlvTJJTIVyGqZSyqxz2OhUZsEbZH7w/wAzI8cbrJFIOp8p+z+urJq3c4EnmNKLpJUk"
      + "96u7OxAMfCr5vzsgYsSlQAJ7dN3XuRqf/9k=",
    "webp":
      "UklGRuQAAABXRUJQVlA4INgAAAAQBACdASoQABAAAgA0JbACdH8EBYewARBf68+iX/j+Ar/WY06vufYx"
      + "AAD++59vvbWfZSv/3x/cBE1qBUxUgTfNB/4PxSumfT5m3N2N4vx48tn5Nrx5F28tiW+PB79wHFx31z8d"
      + "HXWgTXGDW+FOmwXAtcllo6ChfBtj/y8KdfvxZ+UG1qOu4epsunfTdfaJ7z1ZqfJw2O5NKsmtX6gpC0j/"
      + "1F9CP3aE6na/x02fc5kB2v8B+jvVAlrnRKFNWYmf0O8/f1sLZdv9sSN/dHoEP2/+KeaxhjQAAAA=",
    "lossless webp":
      "UklGRpYAAABXRUJQVlA4TIkAAAAvD8ADAM2UIaL/IXFba9ualLi7ywSp0+dQurfuFR1TZAVW/aNM4Dw4"
      + "Ez4fMQGFj6YdmD2gLDQxFIMBAG50sig4AJKwRCuGggM4sQS0xCRVAAmN7wBI0gGioKIBnB5QZgrICE0Q"
      + "y2zABXsESLKEy5MgQ/Cipfl7k2aLxumOhAqQZocDDU2Z/+NGBQA=",
    "interlaced png":
      "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAFCAIAAAFvNmGqAAAAR0lEQVR4nH2MQRUAUQgCCWEIQxjCEIYw"
      + "hCGMuuNhr58LDjyUpN1VZnKdHbl7d/+GuKiAa80sIqpqZh6AYJZEjEnZU9yLR/cBPt8qMeSsL5EAAAAA"
      + "SUVORK5CYII=",
  ]

  private func problem(_ bytes: [UInt8], total: Int = .max) throws -> String? {
    let unpacker = try GzipUnpacker(total: total)
    do throws(CairnError) {
      try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
        try TilePicture.check(UnsafeRawBufferPointer(bytes), unpacker: unpacker)
      }
      return nil
    } catch { return error.message }
  }

  private static let progressive = "progressive jpeg"
  private static let names = foreign.keys.sorted() + [progressive]

  private func foreign(_ name: String) throws -> [UInt8] {
    if name == Self.progressive {
      return try bytesOfFile("\(packageRoot)/Tests/Fixtures/progressive.jpg")
    }
    return [UInt8](try #require(Self.foreign[name].flatMap { Data(base64Encoded: $0) }))
  }

  /// A PNG of each form.
  private func drawn() throws -> [[UInt8]] {
    let colours = (0..<20).map { PNGImage.Colour(red: $0, green: 1, blue: 2, alpha: 3) }
    let forms: [PNGImage.Form] = [
      .grey, .greyAlpha, .colour, .colourAlpha, .palette(colours),
      .palette(Array(colours.prefix(9))),
    ]
    return try forms.map { form in
      let pixels = (0..<33 * 7 * form.channels).map { UInt8($0 * 5 % 9) }
      return try #require(
        PNGImage(width: 33, height: 7, form: form, pixels: pixels).flatMap(\.file))
    }
  }

  @Test("what Cairn and GDAL draw is a picture")
  func whole() throws {
    for bytes in try drawn() { #expect(try problem(bytes) == nil) }
    for name in Self.names { #expect(try problem(foreign(name)) == nil, "\(name)") }
  }

  @Test("a picture is one only if all of it is there")
  func cutOff() throws {
    for bytes in try drawn() + Self.names.map(foreign) {
      for count in 0..<bytes.count {
        #expect(try problem(Array(bytes.prefix(count))) != nil, "\(count) of \(bytes.count)")
      }
    }
  }

  @Test("a PNG with any byte changed, or with more behind it, is not one")
  func changed() throws {
    for bytes in try drawn() + [foreign("interlaced png")] {
      for offset in bytes.indices {
        var other = bytes
        other[offset] ^= 0x10
        #expect(try problem(other) != nil, "byte \(offset)")
      }
      #expect(try problem(bytes + [0]) != nil)
    }
  }

  @Test("a JPEG or WebP with any byte changed ends")
  func damage() throws {
    var found = 0
    for name in Self.names {
      let bytes = try foreign(name)
      for offset in bytes.indices {
        for value in [0, 0xFF, 0xDA, 0xD9] as [UInt8] {
          var other = bytes
          other[offset] = value
          if try problem(other) != nil { found += 1 }
        }
      }
    }
    #expect(found > 100)
  }

  @Test("a picture of more pixels than a tile may have is refused unread")
  func large() throws {
    var png = try drawn()[0]
    // 2³⁰ × 7 pixels.
    png[16] = 0x40
    let content = Array(png[12..<29])
    png.replaceSubrange(29..<33, with: bigEndian(CRC32.checksum(content)))
    #expect(try problem(png) == "is not a picture: 1073741857 × 7 pixels are too many for a tile")
    var jpeg = try foreign("progressive jpeg")
    let frame = try #require(
      jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC2 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try problem(jpeg) == "is not a picture: 65535 × 65535 pixels are too many for a tile")
  }

  @Test("what unpacks to more than the archive allows is told as that")
  func budget() throws {
    #expect(
      try problem(drawn()[0], total: 100)
        == "unpacks to far more than the size of the archive allows")
  }

  private func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
