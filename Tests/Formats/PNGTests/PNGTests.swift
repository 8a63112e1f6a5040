// SPDX-License-Identifier: Apache-2.0
import CDeflate
import PNG
import Testing

@Suite("PNG")
struct PNGTests {
  /// The rows of a file, each after the byte of its filter; `length` is that of a row.
  private func rows(_ file: [UInt8], length: Int, height: Int) throws -> [UInt8] {
    var offset = 8
    while offset + 8 < file.count {
      let count = file[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
      if Array(file[(offset + 4)..<(offset + 8)]) == Array("IDAT".utf8) {
        var rows = [UInt8](repeating: 0, count: (length + 1) * height)
        let inflater = try #require(libdeflate_alloc_decompressor())
        defer { libdeflate_free_decompressor(inflater) }
        let data = Array(file[(offset + 8)..<(offset + 8 + count)])
        let result = libdeflate_zlib_decompress(inflater, data, data.count, &rows, rows.count, nil)
        try #require(result == LIBDEFLATE_SUCCESS)
        return rows
      }
      offset += 12 + count
    }
    return []
  }

  @Test("a small picture of greys is its rows, each after the byte of no filter")
  func greys() throws {
    let file = try #require(PNGImage(width: 3, height: 2, pixels: [0, 127, 255, 1, 2, 3])?.file)
    #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(file[16..<29]) == [0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0])
    #expect(try rows(file, length: 3, height: 2) == [0, 0, 127, 255, 0, 1, 2, 3])
  }

  @Test("a picture has as many pixels as its size says, and colours of its palette only")
  func wrongPixels() {
    #expect(PNGImage(width: 3, height: 2, pixels: [1]) == nil)
    #expect(PNGImage(width: 0, height: 2, pixels: []) == nil)
    #expect(PNGImage(width: 1, height: 1, form: .colourAlpha, pixels: [1, 2, 3]) == nil)
    let red = PNGImage.Colour(red: 255, green: 0, blue: 0)
    #expect(PNGImage(width: 1, height: 1, form: .palette([red]), pixels: [1]) == nil)
  }

  @Test("a palette of at most 16 colours takes half a byte a pixel")
  func palette() throws {
    let colours = (0..<5).map { PNGImage.Colour(red: $0, green: 0, blue: 0, alpha: $0) }
    let image = PNGImage(width: 3, height: 1, form: .palette(colours), pixels: [1, 2, 4])
    let file = try #require(image?.file)
    #expect(Array(file[24..<26]) == [4, 3])
    #expect(try rows(file, length: 2, height: 1) == [0, 0x12, 0x40])
  }

  @Test("rows are filtered where that makes the file smaller, and nothing is lost")
  func filters() throws {
    let (width, height) = (64, 64)
    let pixels = (0..<(width * height)).flatMap { index -> [UInt8] in
      let (row, column) = (index / width, index % width)
      return [UInt8(row + 2 * column), UInt8((row * row + column) & 255), 7]
    }
    let image = PNGImage(width: width, height: height, form: .colour, pixels: pixels)
    let file = try #require(image?.file)
    let rows = try rows(file, length: width * 3, height: height)
    #expect(rows[0] != 0)
    #expect(unfiltered(rows, length: width * 3, pixelBytes: 3) == pixels)
  }

  /// Reverses the filters as the standard describes them.
  private func unfiltered(_ rows: [UInt8], length: Int, pixelBytes: Int) -> [UInt8] {
    var above = [UInt8](repeating: 0, count: length)
    var result: [UInt8] = []
    for start in stride(from: 0, to: rows.count, by: length + 1) {
      var row = Array(rows[(start + 1)..<(start + 1 + length)])
      for index in row.indices {
        let left = index >= pixelBytes ? Int(row[index - pixelBytes]) : 0
        let corner = index >= pixelBytes ? Int(above[index - pixelBytes]) : 0
        let up = Int(above[index])
        let plane = left + up - corner
        let nearest = [left, up, corner].min { abs(plane - $0) < abs(plane - $1) } ?? 0
        let guess = [0, left, up, (left + up) / 2, nearest][Int(rows[start])]
        row[index] = row[index] &+ UInt8(guess)
      }
      result += row
      above = row
    }
    return result
  }
}
