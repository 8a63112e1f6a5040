// SPDX-License-Identifier: Apache-2.0

/// A page of a tree; valid as long as its bytes are.
struct TreePage {
  private let bytes: UnsafeRawPointer
  private let layout: PageLayout
  let isLeaf: Bool
  /// The number of its cells.
  let count: Int

  /// Nil for a page of another kind, or one without room for so many cells.
  @inline(__always)
  init?(_ bytes: UnsafeRawPointer, _ layout: PageLayout, isTable: Bool) {
    let type = bytes.load(as: UInt8.self)
    let leaf = isTable ? PageType.tableLeaf : .indexLeaf
    let interior = isTable ? PageType.tableInterior : .indexInterior
    guard type == leaf.rawValue || type == interior.rawValue else { return nil }
    isLeaf = type == leaf.rawValue
    count = PageBytes.short(bytes, 3)
    self.bytes = bytes
    self.layout = layout
    let least = PageLayout.pointerSize + PageLayout.leastCellSize
    guard pointers + least * count <= layout.pageSize else { return nil }
  }

  private var pointers: Int {
    isLeaf ? PageLayout.leafHeaderSize : PageLayout.interiorHeaderSize
  }

  /// The start of a cell, within the page whatever the page says.
  @inline(__always)
  private func cell(_ index: Int) -> Int {
    min(
      PageBytes.short(bytes, pointers + PageLayout.pointerSize * index),
      layout.pageSize - PageLayout.leastCellSize)
  }

  /// The child before a cell, or after the last one.
  @inline(__always)
  func child(_ index: Int) -> UInt32 {
    PageBytes.word(bytes, index < count ? cell(index) : 8)
  }

  /// The id of a row of a table; in an interior page the greatest id in the child before the cell.
  @inline(__always)
  func id(_ index: Int) -> Int64 {
    var offset = cell(index)
    if isLeaf { _ = PageBytes.varint(bytes, &offset) } else { offset += 4 }
    return PageBytes.varint(bytes, &offset)
  }

  /// The index of a table's row in its leaf if the ids before it have no gaps, as in many tables.
  @inline(__always)
  func index(ofConsecutive id: Int64) -> Int? {
    guard count > 0 else { return nil }
    let index = UInt64(bitPattern: id &- self.id(0))
    guard index < UInt64(count), self.id(Int(index)) == id else { return nil }
    return Int(index)
  }

  /// The index of the first cell of a table that has at least an id; ``count`` if there is none.
  @inline(__always)
  func firstIndex(notBefore id: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.id(middle) < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of an index entry by its first column; nil if it has another type or the record's
  /// head is long.
  @inline(__always)
  func place<Keys: IndexKeys>(_ index: Int, _ keys: Keys) -> IndexPlace? {
    var offset = cell(index) + (isLeaf ? 0 : 4)
    _ = PageBytes.varint(bytes, &offset)
    let header = Int(bytes.load(fromByteOffset: offset, as: UInt8.self))
    let type = Int(bytes.load(fromByteOffset: offset + 1, as: UInt8.self))
    guard header < 0x80 else { return nil }
    return keys.place(bytes + offset + header, type: type)
  }

  /// The first column of an index entry; nil if it is not an integer or the record's head is long.
  @inline(__always)
  func integer(_ index: Int) -> Int64? {
    var offset = cell(index) + (isLeaf ? 0 : 4)
    _ = PageBytes.varint(bytes, &offset)
    let header = Int(bytes.load(fromByteOffset: offset, as: UInt8.self))
    let type = Int(bytes.load(fromByteOffset: offset + 1, as: UInt8.self))
    guard header < 0x80, 1...6 ~= type || 8...9 ~= type else { return nil }
    return PageBytes.integer(bytes + offset + header, type: type)
  }

  /// An entry of an index's leaf that is two integers; nil for any other.
  @inline(__always)
  func pair(_ index: Int) -> (first: Int64, second: Int64)? {
    let start = cell(index)
    let cell = bytes + start
    // The size of the record, that of its head, and two types, each in a byte.
    let size = Int(cell.load(as: UInt8.self))
    let head = cell.load(fromByteOffset: 1, as: UInt8.self)
    let (first, second) = (
      Int(cell.load(fromByteOffset: 2, as: UInt8.self)),
      Int(cell.load(fromByteOffset: 3, as: UInt8.self))
    )
    guard isLeaf, head == 3, first != 0, first < 10, first != 7, second != 0, second < 10,
      second != 7
    else { return nil }
    let offset = 4 + PageBytes.size(ofType: first)
    guard size == offset - 1 + PageBytes.size(ofType: second), start + 1 + size <= layout.pageSize
    else { return nil }
    return (
      PageBytes.integer(cell + 4, type: first), PageBytes.integer(cell + offset, type: second)
    )
  }

  /// A row in a leaf of a table.
  @inline(__always)
  func row(_ index: Int) -> (id: Int64, record: StoredRecord)? {
    var offset = cell(index)
    let size = PageBytes.varint(bytes, &offset)
    let id = PageBytes.varint(bytes, &offset)
    return record(size, at: offset, layout.longestTableRecord).map { (id, $0) }
  }

  /// An entry of an index.
  @inline(__always)
  func entry(_ index: Int) -> StoredRecord? {
    var offset = cell(index) + (isLeaf ? 0 : 4)
    let size = PageBytes.varint(bytes, &offset)
    return record(size, at: offset, layout.longestIndexRecord)
  }

  @inline(__always)
  private func record(_ size: Int64, at offset: Int, _ longest: Int) -> StoredRecord? {
    guard size > 0, size <= Int64(SQLiteRecord.greatestSize) else { return nil }
    let local = layout.localSize(of: Int(size), longest: longest)
    guard offset + local <= layout.pageSize else { return nil }
    return StoredRecord(bytes + offset, size: local, whole: Int(size))
  }
}
