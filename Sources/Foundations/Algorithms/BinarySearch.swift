// SPDX-License-Identifier: Apache-2.0

// Public, so that they are specialized in other modules.

extension RandomAccessCollection {
  /// The first index at which `isBeyond` holds, or `endIndex` if it holds nowhere; takes O(log n)
  /// calls.
  ///
  /// The elements must be partitioned: once `isBeyond` holds, it holds for all later ones.
  @inlinable
  @inline(__always)
  public func partitioningIndex<Failure>(where isBeyond: (Element) throws(Failure) -> Bool)
    throws(Failure) -> Index
  {
    var low = startIndex
    var remaining = count
    while remaining > 0 {
      let half = remaining / 2
      let middle = index(low, offsetBy: half)
      if try isBeyond(self[middle]) {
        remaining = half
      } else {
        low = index(after: middle)
        remaining -= half + 1
      }
    }
    return low
  }
}

extension RandomAccessCollection where Element: Comparable {
  /// The index of the first element that equals `element` in an ascending collection; nil if there
  /// is none.
  @inlinable
  @inline(__always)
  public func binarySearch(_ element: Element) -> Index? {
    let found = partitioningIndex { $0 >= element }
    return found < endIndex && self[found] == element ? found : nil
  }
}
