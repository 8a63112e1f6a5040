// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

// The pages of a part: beginning, completing, numbering and writing them.
extension TreePart {
  /// Begins a leaf on the next page.
  mutating func beginLeaf() throws(CairnError) {
    leaves.append(UInt32(pageCount))
    leafStart = try addPage()
    contentStart = layout.pageSize
  }

  /// Adds a page and returns its offset.
  private mutating func addPage() throws(CairnError) -> Int {
    guard pageCount < Int(Int32.max) else { throw Self.misuse("a part of a tree is too long") }
    let offset = pageCount * layout.pageSize
    if offset + layout.pageSize > capacity {
      let larger = UnsafeMutableRawPointer.allocate(byteCount: 2 * capacity, alignment: 16)
      larger.copyMemory(from: pages, byteCount: offset)
      pages.deallocate()
      pages = larger
      capacity *= 2
    }
    pageCount += 1
    return offset
  }

  /// Completes the leaf.
  mutating func completeLeaf() {
    layout.finish(pages + leafStart, kind.leaf, cells: cellCount, contentStart: contentStart)
    (cellCount, contentStart) = (0, 0)
  }

  /// Adds a cell of any size.
  mutating func addPaddedCell(_ size: Int) -> UnsafeMutableRawPointer {
    let space = max(size, PageLayout.leastCellSize)
    let cell = addCell(space)
    (cell + size).initializeMemory(as: UInt8.self, repeating: 0, count: space - size)
    return cell
  }

  /// Removes the last cell from a leaf of an index with other cells.
  mutating func removeLastCell() -> TreeCell {
    let start = leafStart + contentStart
    let before = leafStart + PageLayout.leafHeaderSize + PageLayout.pointerSize * (cellCount - 2)
    let end = UInt16(bigEndian: pages.loadUnaligned(fromByteOffset: before, as: UInt16.self))
    // Without its padding.
    var offset = start
    let record = Varint.read(pages, &offset)
    let size = min(leafStart + Int(end) - start, offset - start + record)
    var cell = TreeCell(
      bytes: Array(UnsafeRawBufferPointer(start: pages + start, count: size)), link: nil)
    // The pending record may have overflow pages, but they have no links in this leaf.
    if let index = links.lastIndex(where: { $0 >= start && $0 < start + size }) {
      cell.link = links.remove(at: index) - start
    }
    contentStart += size
    cellCount -= 1
    return cell
  }

  /// Adds overflow pages for the rest of a record, if any, and returns the number of the first.
  mutating func addOverflow(_ rest: UnsafeRawBufferPointer) throws(CairnError) -> UInt32? {
    if rest.isEmpty { return nil }
    let first = UInt32(pageCount)
    var start = 0
    while start < rest.count {
      let count = min(layout.overflowSize, rest.count - start)
      let isLast = start + count == rest.count
      let offset = try addPage()
      pages.storeBytes(
        of: isLast ? 0 : UInt32(pageCount).bigEndian, toByteOffset: offset, as: UInt32.self)
      if !isLast { links.append(offset) }
      let page = UnsafeMutableRawBufferPointer(
        start: pages + offset + 4, count: layout.overflowSize)
      page.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[start..<(start + count)]))
      UnsafeMutableRawBufferPointer(rebasing: page[count...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      start += count
    }
    return first
  }

  /// Numbers the pages from `first` on.
  ///
  /// - Parameter firstPageIsFirst: Whether the first one is page 1 instead.
  mutating func place(_ numbers: PageNumbers, firstPageIsFirst: Bool = false) {
    let skipped = firstPageIsFirst ? 1 : 0
    func number(_ page: UInt32) -> UInt32 {
      Int(page) < skipped ? 1 : numbers[Int(page) - skipped]
    }
    for link in links {
      let page = UInt32(bigEndian: pages.loadUnaligned(fromByteOffset: link, as: UInt32.self))
      pages.storeBytes(of: number(page).bigEndian, toByteOffset: link, as: UInt32.self)
    }
    for index in leaves.indices { leaves[index] = number(leaves[index]) }
    separators.renumber(number)
    runs = numbers.runs(pageCount - skipped).map { run in
      (
        run.lowerBound + skipped..<run.upperBound + skipped,
        offset: (Int(numbers[run.lowerBound]) - 1) * layout.pageSize
      )
    }
  }

  /// Writes the pages, which ``DatabasePages/place(_:_:)`` gave their numbers.
  package func write(_ write: DatabasePages.Write) throws(CairnError) {
    for run in runs {
      let bytes = UnsafeRawBufferPointer(
        start: pages + run.pages.lowerBound * layout.pageSize,
        count: run.pages.count * layout.pageSize)
      try write(bytes, run.offset)
    }
  }
}

/// Consecutive page numbers, skipping the page that SQLite locks.
struct PageNumbers {
  let first: UInt32
  let lockBytePage: UInt32

  /// - Parameter next: The number of the first page, unless SQLite locks that page.
  init(next: UInt32, lockBytePage: UInt32) {
    first = next == lockBytePage ? next + 1 : next
    self.lockBytePage = lockBytePage
  }

  subscript(index: Int) -> UInt32 {
    let number = first + UInt32(truncatingIfNeeded: index)
    return first < lockBytePage && number >= lockBytePage ? number + 1 : number
  }

  /// The ranges of `count` pages that lie together in the file.
  func runs(_ count: Int) -> [Range<Int>] {
    let before = first < lockBytePage ? min(count, Int(lockBytePage - first)) : count
    return [0..<before, before..<count].filter { !$0.isEmpty }
  }
}
