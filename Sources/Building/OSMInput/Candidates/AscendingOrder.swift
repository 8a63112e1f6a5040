// SPDX-License-Identifier: Apache-2.0

/// The order in which values ascend.
///
/// A least-significant-digit radix sort, which takes linear time whatever the values, if they span
/// less than 2³², as the upper bits of all of OpenStreetMap's ids do.
func ascendingOrder(_ values: [Int64]) -> [UInt32] {
  guard let smallest = values.min(), let largest = values.max() else { return [] }
  let range = UInt64(bitPattern: largest &- smallest)
  guard range <= UInt64(UInt32.max) else {
    return values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
      .map { UInt32(truncatingIfNeeded: $0) }
  }
  // The upper half is the value, the lower one its index.
  var items = [UInt64](unsafeUninitializedCapacity: values.count) { items, initialized in
    for (index, value) in values.enumerated() {
      items.initializeElement(
        at: index,
        to: UInt64(bitPattern: value &- smallest) << 32 | UInt64(truncatingIfNeeded: index))
    }
    initialized = values.count
  }
  sortUpperHalves(&items, bits: UInt64.bitWidth - range.leadingZeroBitCount)
  return items.map { UInt32(truncatingIfNeeded: $0) }
}

/// Sorts by the upper 32 bits, of which the lowest `bits` are used.
private func sortUpperHalves(_ items: inout [UInt64], bits: Int) {
  // Larger digits save a pass, but clearing their counters must be worth it.
  let digitBits = items.count < 4096 ? 8 : 11
  var spare = [UInt64](repeating: 0, count: items.count)
  var next = [Int](repeating: 0, count: 1 << digitBits)
  let mask = UInt64(next.count - 1)
  for shift in stride(from: 32, to: 32 + bits, by: digitBits) {
    for digit in next.indices { next[digit] = 0 }
    for item in items { next[Int(truncatingIfNeeded: item >> UInt64(shift) & mask)] += 1 }
    var sum = 0
    for digit in next.indices { (next[digit], sum) = (sum, sum + next[digit]) }
    spare.withUnsafeMutableBufferPointer { spare in
      for item in items {
        let digit = Int(truncatingIfNeeded: item >> UInt64(shift) & mask)
        spare[next[digit]] = item
        next[digit] += 1
      }
    }
    swap(&items, &spare)
  }
}
