// SPDX-License-Identifier: Apache-2.0

/// The rows of a picture, each with the byte for its filter.
enum PNGRows {
  /// Unfiltered rows.
  static func unfiltered(_ rows: [UInt8], count: Int) -> [UInt8] {
    let length = rows.count / max(count, 1)
    var result: [UInt8] = []
    result.reserveCapacity(rows.count + count)
    for row in 0..<count {
      result.append(0)
      result += rows[(row * length)..<((row + 1) * length)]
    }
    return result
  }

  /// Rows as differences from the pixel to the left (filter 1), above (2), or the nearest of the
  /// three neighbours to their plane (4): for each row the filter with the least sum of
  /// differences, as the standard recommends.
  static func filtered(_ rows: [UInt8], count: Int, pixelBytes: Int) -> [UInt8] {
    let length = rows.count / max(count, 1)
    var result: [UInt8] = []
    result.reserveCapacity(rows.count + count)
    var candidates = [[UInt8]](repeating: [UInt8](repeating: 0, count: length), count: 3)
    for row in 0..<count {
      let start = row * length
      var sums = [0, 0, 0]
      for index in 0..<length {
        let value = rows[start + index]
        let left = index >= pixelBytes ? rows[start + index - pixelBytes] : 0
        let above = row > 0 ? rows[start - length + index] : 0
        let corner =
          row > 0 && index >= pixelBytes ? rows[start - length + index - pixelBytes] : 0
        let differences = (value &- left, value &- above, value &- paeth(left, above, corner))
        candidates[0][index] = differences.0
        candidates[1][index] = differences.1
        candidates[2][index] = differences.2
        sums[0] += magnitude(differences.0)
        sums[1] += magnitude(differences.1)
        sums[2] += magnitude(differences.2)
      }
      let best = sums[2] < min(sums[0], sums[1]) ? 2 : (sums[1] < sums[0] ? 1 : 0)
      result.append([1, 2, 4][best])
      result += candidates[best]
    }
    return result
  }

  @inline(__always)
  private static func magnitude(_ difference: UInt8) -> Int {
    Int(Int8(bitPattern: difference).magnitude)
  }

  @inline(__always)
  private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
    let plane = Int(left) + Int(above) - Int(corner)
    let distances = (
      abs(plane - Int(left)), abs(plane - Int(above)), abs(plane - Int(corner))
    )
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? above : corner
  }
}
