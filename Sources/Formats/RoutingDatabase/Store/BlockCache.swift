// SPDX-License-Identifier: Apache-2.0

/// The contents of the rows of blocks that were read last, and which rows there are not.
struct BlockCache<Content> {
  private var ids: [Int64]
  private var contents: [Content?]

  /// An empty cache.
  ///
  /// - Parameter slots: How many rows it keeps, a power of two.
  init(slots: Int) {
    ids = Array(repeating: -1, count: slots)
    contents = Array(repeating: nil, count: slots)
  }

  /// The content of a row, whose id is not negative; nil if there is none. `read` is called if it is
  /// not known.
  mutating func content<Failure>(_ id: Int64, _ read: () throws(Failure) -> Content?)
    throws(Failure) -> Content?
  {
    // The upper half of the id of a block of costs is the profile.
    let slot = Int(truncatingIfNeeded: id ^ (id >> 32) &* 0x9E37) & (ids.count - 1)
    if ids[slot] != id {
      contents[slot] = try read()
      ids[slot] = id
    }
    return contents[slot]
  }
}
