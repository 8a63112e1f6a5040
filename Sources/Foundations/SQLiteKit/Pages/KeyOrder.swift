// SPDX-License-Identifier: Apache-2.0

/// The order in which the rows of a table belong in an index.
package enum KeyOrder {
  /// The indices of keys in ascending order of the keys, equal ones in the order of their indices:
  /// the order of an index on an integer column of rows that are in ascending order of rowids. In
  /// linear time, with 24 bytes a key.
  ///
  /// - Parameter keys: At most 2³² − 1.
  package static func ascending(_ keys: [Int64]) -> [UInt32] {
    var order = [UInt32](unsafeUninitializedCapacity: keys.count) { buffer, count in
      for index in keys.indices { buffer[index] = UInt32(truncatingIfNeeded: index) }
      count = keys.count
    }
    // With the sign inverted, the order is that of the bits.
    let sign = UInt64(1) << 63
    let first = keys.first.map { UInt64(bitPattern: $0) ^ sign } ?? 0
    let varying = keys.reduce(0 as UInt64) { $0 | (UInt64(bitPattern: $1) ^ sign ^ first) }
    var other = order
    for shift in stride(from: 0 as UInt64, to: 64, by: Int(digitBits))
    where varying >> shift & digitMask != 0 {
      var starts = [Int](repeating: 0, count: Int(digitMask) + 2)
      keys.withUnsafeBufferPointer { keys in
        func digit(_ key: Int64) -> Int {
          Int((UInt64(bitPattern: key) ^ sign) >> shift & digitMask)
        }
        for key in keys { starts[digit(key) + 1] += 1 }
        for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
        other.withUnsafeMutableBufferPointer { other in
          for index in order {
            let digit = digit(keys[Int(index)])
            other[starts[digit]] = index
            starts[digit] += 1
          }
        }
      }
      swap(&order, &other)
    }
    return order
  }

  /// Eight passes would take longer, four would miss the caches.
  private static let digitBits: UInt64 = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1
}
