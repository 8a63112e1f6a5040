// SPDX-License-Identifier: Apache-2.0

/// The keys of interior pages, decoded once: each search of a tree begins in these few pages, where
/// decoding the keys that it meets takes longer than all else.
struct InteriorKeys: ~Copyable {
  /// A child and the greatest key in it.
  private struct Child {
    var key: Int64
    var page: UInt32
  }

  /// The children of a page in their order.
  private struct Page {
    var number: UInt32 = 0
    var isTable = false
    var count = 0
    var children: UnsafeMutablePointer<Child>?
  }

  /// The number of pages that are kept, a power of two: enough for trees of gigabytes.
  private static let keptPages = 256

  private let pages: UnsafeMutablePointer<Page>
  /// The most children of a sound page: a number, a key of a byte or more, and a pointer for each.
  private let mostChildren: Int

  init(_ layout: PageLayout) {
    pages = .allocate(capacity: Self.keptPages)
    pages.initialize(repeating: Page(), count: Self.keptPages)
    mostChildren = layout.pageSize / 6
  }

  deinit {
    for slot in 0..<Self.keptPages { pages[slot].children?.deallocate() }
    pages.deallocate()
  }

  @inline(__always)
  private static func slot(_ number: UInt32) -> Int {
    Int(truncatingIfNeeded: number) & (keptPages - 1)
  }

  /// The first child of a page with a key that is not less than one, and its key; nil if the page is
  /// not kept.
  @inline(__always)
  func child(of number: UInt32, notBefore key: Int64, isTable: Bool) -> (page: UInt32, key: Int64)?
  {
    let page = pages[Self.slot(number)]
    guard page.number == number, page.isTable == isTable, let children = page.children else {
      return nil
    }
    // The last child has the greatest possible key.
    var (first, count) = (0, page.count)
    while count > 1 {
      let half = count / 2
      first = children[first + half - 1].key < key ? first + half : first
      count -= half
    }
    return (children[first].page, children[first].key)
  }

  /// Keeps an interior page whose keys are integers; false if they are not.
  func keep(_ page: TreePage, _ number: UInt32, isTable: Bool) -> Bool {
    let slot = pages + Self.slot(number)
    let children =
      slot.pointee.children ?? UnsafeMutablePointer<Child>.allocate(capacity: mostChildren)
    (slot.pointee.number, slot.pointee.children) = (0, children)
    guard page.count < mostChildren else { return false }
    for cell in 0..<page.count {
      guard let key = isTable ? page.id(cell) : page.integer(cell) else {
        return false
      }
      (children + cell).initialize(to: Child(key: key, page: page.child(cell)))
    }
    (children + page.count).initialize(
      to: Child(key: .max, page: page.child(page.count)))
    (slot.pointee.number, slot.pointee.isTable) = (number, isTable)
    slot.pointee.count = page.count + 1
    return true
  }
}
