// SPDX-License-Identifier: Apache-2.0

/// The keys of some pages of trees, decoded once: decoding the keys that a search in a page meets
/// takes longer than all else.
struct PageKeys: ~Copyable {
  /// A key and what it leads to.
  struct Entry {
    var key: Int64
    /// In an interior page the number of a child, whose greatest key this is; in a leaf of an index
    /// the id of a row; in a leaf of a table nothing.
    var value: Int64 = 0
  }

  /// The entries of a page in the order of their keys.
  private struct Page {
    var number: UInt32 = 0
    var isTable = false
    /// The searches that ended in a leaf since it has this slot.
    var searches = 0
    var count = 0
    /// Nil until they are kept.
    var entries: UnsafeMutablePointer<Entry>?
  }

  /// The number of pages that are kept, a power of two: enough for the interior pages of trees of
  /// gigabytes.
  private static let keptPages = 256
  /// The searches in a leaf that take about as long as decoding its keys.
  private static let searchesOfLeaf = 8

  private let pages: UnsafeMutablePointer<Page>

  init() {
    pages = .allocate(capacity: Self.keptPages)
    pages.initialize(repeating: Page(), count: Self.keptPages)
  }

  deinit {
    for slot in 0..<Self.keptPages { pages[slot].entries?.deallocate() }
    pages.deallocate()
  }

  @inline(__always)
  private func slot(_ number: UInt32) -> UnsafeMutablePointer<Page> {
    pages + (Int(truncatingIfNeeded: number) & (Self.keptPages - 1))
  }

  /// The entries of a page; nil if they are not kept. Valid until another page is kept.
  @inline(__always)
  func entries(of number: UInt32, isTable: Bool) -> UnsafeBufferPointer<Entry>? {
    let page = slot(number)
    guard page.pointee.number == number, page.pointee.isTable == isTable,
      let entries = page.pointee.entries
    else { return nil }
    return UnsafeBufferPointer(start: entries, count: page.pointee.count)
  }

  /// Keeps the entries of an interior page whose keys are integers; false if they are not.
  func keep(interior page: TreePage, _ number: UInt32, isTable: Bool) -> Bool {
    let kept = take(number, isTable: isTable)
    return keep(in: kept, count: page.count + 1) { index in
      let key = index == page.count ? .max : isTable ? page.id(index) : page.integer(index)
      return key.map { Entry(key: $0, value: Int64(page.child(index))) }
    }
  }

  /// Notes that a search ended in a leaf. After many searches its entries are kept, those of an index
  /// if each is a key and the id of a row.
  func searched(_ leaf: TreePage, _ number: UInt32, isTable: Bool) {
    var kept = slot(number)
    if kept.pointee.number != number || kept.pointee.isTable != isTable {
      // A page leaves its slot to another one that is searched more often.
      kept.pointee.searches -= 1
      guard kept.pointee.searches < 0 else { return }
      kept = take(number, isTable: isTable)
    }
    kept.pointee.searches += 1
    guard kept.pointee.searches == Self.searchesOfLeaf else { return }
    if isTable {
      _ = keep(in: kept, count: leaf.count) { Entry(key: leaf.id($0)) }
    } else {
      _ = keep(in: kept, count: leaf.count) { index in
        guard let (key, row) = leaf.pair(index) else { return nil }
        return Entry(key: key, value: row)
      }
    }
  }

  /// Gives the slot of a page to it.
  private func take(_ number: UInt32, isTable: Bool) -> UnsafeMutablePointer<Page> {
    let slot = slot(number)
    slot.pointee.entries?.deallocate()
    slot.pointee = Page(number: number, isTable: isTable)
    return slot
  }

  @inline(__always)
  private func keep(
    in slot: UnsafeMutablePointer<Page>, count: Int, _ entry: (Int) -> Entry?
  ) -> Bool {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    for index in 0..<count {
      guard let entry = entry(index) else {
        entries.deallocate()
        return false
      }
      (entries + index).initialize(to: entry)
    }
    (slot.pointee.entries, slot.pointee.count) = (entries, count)
    return true
  }
}

extension UnsafeBufferPointer<PageKeys.Entry> {
  /// The index of the first entry with at least a key; the number of entries if there is none.
  @inline(__always)
  func firstIndex(notBefore key: Int64) -> Int {
    guard count > 0 else { return 0 }
    var (first, left) = (0, count)
    while left > 1 {
      let half = left &>> 1
      let other = self[first &+ half &- 1].key
      // All bits of it if `other < key`: as a branch, a processor would guess half of these wrong.
      let isLess = ((other & ~key) | (~(other ^ key) & (other &- key))) &>> 63
      first = first &+ (half & Int(truncatingIfNeeded: isLess))
      left = left &- half
    }
    return self[first].key < key ? first + 1 : first
  }
}
