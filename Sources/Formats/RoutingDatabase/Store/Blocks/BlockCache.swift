// SPDX-License-Identifier: Apache-2.0

/// The contents of recently read rows of blocks, and the ids of rows that do not exist.
struct BlockCache<Content> {
  private var ids: [Int64]
  private var contents: [Content?]

  /// An empty cache.
  ///
  /// - Parameter slots: The number of rows that it keeps, a power of two.
  init(slots: Int) {
    ids = Array(repeating: -1, count: slots)
    contents = Array(repeating: nil, count: slots)
  }

  /// The content of a row, whose id is not negative; nil if there is none. Calls `read` for an
  /// unknown row.
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
