// SPDX-License-Identifier: Apache-2.0

/// A picture in memory: rows from the top, each pixel as red, green and blue of 0…255.
struct Picture: Equatable {
  /// The size in pixels.
  let width: Int
  let height: Int
  /// Three values a pixel.
  var samples: [UInt8]

  /// Makes a black picture.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [UInt8](repeating: 0, count: 3 * width * height)
  }

  /// The upright picture, given the orientation in which it is stored.
  func upright(_ orientation: ExifOrientation) -> Picture {
    guard orientation != .upright else { return self }
    let (width, height) = (width, height)
    let isTurned = orientation.swapsSides
    var result = Picture(width: isTurned ? height : width, height: isTurned ? width : height)
    let resultWidth = result.width
    samples.withUnsafeBufferPointer { source in
      result.samples.withUnsafeMutableBufferPointer { target in
        for row in 0..<height {
          for column in 0..<width {
            let (x, y) = orientation.target(column, row, width, height)
            let (from, to) = (3 * (row * width + column), 3 * (y * resultWidth + x))
            target[to] = source[from]
            target[to + 1] = source[from + 1]
            target[to + 2] = source[from + 2]
          }
        }
      }
    }
    return result
  }

  /// A square filled by the middle of the picture, each pixel the mean of those it covers.
  func filling(side: Int) -> Picture {
    var result = Picture(width: side, height: side)
    let square = min(width, height)
    let (left, top) = ((width - square) / 2, (height - square) / 2)
    // At least one pixel each, if the picture is smaller than the square.
    func span(_ index: Int) -> Range<Int> {
      let start = index * square / side
      return start..<max(start + 1, (index + 1) * square / side)
    }
    for y in 0..<side {
      for x in 0..<side {
        var sums = (0, 0, 0)
        for row in span(y) {
          for column in span(x) {
            let index = 3 * ((top + row) * width + left + column)
            sums.0 += Int(samples[index])
            sums.1 += Int(samples[index + 1])
            sums.2 += Int(samples[index + 2])
          }
        }
        let count = span(x).count * span(y).count
        let index = 3 * (y * side + x)
        result.samples[index] = UInt8((sums.0 + count / 2) / count)
        result.samples[index + 1] = UInt8((sums.1 + count / 2) / count)
        result.samples[index + 2] = UInt8((sums.2 + count / 2) / count)
      }
    }
    return result
  }
}
