// SPDX-License-Identifier: Apache-2.0

/// The order in which the rows of a table belong in an index.
package enum KeyOrder {
  /// The indices of keys in ascending order of the keys, then of the indices: the order of an index
  /// on an integer column whose rows have ascending rowids. In linear time.
  ///
  /// - Parameter keys: At most 2³² − 1.
  package static func ascending(_ keys: [Int64]) -> [UInt32] { sorted(keys) }

  /// The same for indices of another list as keys. If that is not much longer, there is a counter for
  /// each of its elements: keys that follow each other are mostly close, and so are their counters.
  package static func ascending(_ keys: [UInt32]) -> [UInt32] {
    guard let last = keys.max(), Int(last) < 2 * keys.count else { return sorted(keys) }
    var starts = [UInt32](repeating: 0, count: Int(last) + 2)
    for key in keys { starts[Int(key) + 1] += 1 }
    for key in 1..<starts.count { starts[key] += starts[key - 1] }
    return [UInt32](unsafeUninitializedCapacity: keys.count) { order, count in
      for (index, key) in keys.enumerated() {
        order[Int(starts[Int(key)])] = UInt32(truncatingIfNeeded: index)
        starts[Int(key)] += 1
      }
      count = keys.count
    }
  }

  private static func sorted<Key: FixedWidthInteger>(_ keys: [Key]) -> [UInt32] {
    var order = [UInt32](unsafeUninitializedCapacity: keys.count) { buffer, count in
      for index in keys.indices { buffer[index] = UInt32(truncatingIfNeeded: index) }
      count = keys.count
    }
    let first = keys.first.map { bits($0) } ?? 0
    let varying = keys.reduce(0 as UInt64) { $0 | (bits($1) ^ first) }
    var other = order
    for shift in stride(from: 0 as UInt64, to: 64, by: Int(digitBits))
    where varying >> shift & digitMask != 0 {
      var starts = [Int](repeating: 0, count: Int(digitMask) + 2)
      keys.withUnsafeBufferPointer { keys in
        func digit(_ key: Key) -> Int { Int(truncatingIfNeeded: bits(key) >> shift & digitMask) }
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

  /// A key as bits in the same order: with its sign inverted.
  @inline(__always)
  private static func bits<Key: FixedWidthInteger>(_ key: Key) -> UInt64 {
    UInt64(truncatingIfNeeded: key ^ Key.min)
  }

  /// Eight passes would take longer, four would miss the caches.
  private static let digitBits: UInt64 = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1
}
