// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// One level of a tree: its pages, and the cells between them, which belong to the level above.
struct TreeLevel {
  let kind: TreeKind
  var children: [UInt32] = []
  var separators = TreeCells()

  init(kind: TreeKind) { self.kind = kind }

  /// Appends the leaves of a part.
  mutating func append(_ part: borrowing TreePart) {
    children += part.leaves
    separators.append(part.separators)
  }

  /// Completes the level: nothing is separated after the last leaf of a table.
  mutating func end() { if kind == .table, separators.count > 0 { separators.removeLast() } }
}

/// Fills the pages above the leaves of trees.
final class InteriorPages {
  /// Takes a page, and returns its number.
  typealias Append = (UnsafeMutableRawBufferPointer) throws(CairnError) -> UInt32

  private let layout: PageLayout
  private let page: UnsafeMutableRawBufferPointer

  init(_ layout: PageLayout) {
    self.layout = layout
    page = .allocate(byteCount: layout.pageSize, alignment: 16)
  }

  deinit { page.deallocate() }

  /// Adds the levels above the leaves of a tree (an empty leaf if it has none), and returns the
  /// number of the root.
  ///
  /// - Parameters:
  ///   - reserved: The bytes left free on every page.
  ///   - appendRoot: Takes the root, unless that is an already placed leaf.
  func add(
    _ leaves: TreeLevel, reserved: Int = 0, append: Append, appendRoot: Append
  ) throws(CairnError) -> UInt32 {
    var level = leaves
    level.end()
    guard !level.children.isEmpty else {
      guard let start = page.baseAddress else { return 0 }
      layout.finish(start, level.kind.leaf, cells: 0, contentStart: layout.pageSize)
      return try appendRoot(page)
    }
    let capacity = layout.pageSize - PageLayout.interiorHeaderSize - reserved
    while level.children.count > 1 {
      level = try addLevel(above: level, capacity, append, appendRoot)
    }
    return level.children[0]
  }

  private func addLevel(
    above level: TreeLevel, _ capacity: Int, _ append: Append, _ appendRoot: Append
  ) throws(CairnError) -> TreeLevel {
    var above = TreeLevel(kind: level.kind)
    let last = level.children.count - 1
    var first = 0
    while first <= last {
      var end = first
      var space = 0
      while end < last {
        space += PageLayout.space(ofCell: 4 + level.separators.size(end))
        guard space <= capacity else { break }
        end += 1
      }
      // A single child would remain, without a cell.
      if end == last - 1, end > first + 1 { end -= 1 }
      fill(level, first..<end)
      let isRoot = first == 0 && end == last
      above.children.append(try isRoot ? appendRoot(page) : append(page))
      if end < last { above.separators.append(end, of: level.separators) }
      first = end + 1
    }
    return above
  }

  /// Fills the page with children, each with the cell that follows it, and with the child behind
  /// them.
  private func fill(_ level: TreeLevel, _ cells: Range<Int>) {
    guard let start = page.baseAddress else { return }
    var contentStart = layout.pageSize
    for (index, cell) in cells.enumerated() {
      contentStart -= 4 + level.separators.size(cell)
      let pointer = PageLayout.interiorHeaderSize + PageLayout.pointerSize * index
      page.storeBytes(
        of: UInt16(truncatingIfNeeded: contentStart).bigEndian, toByteOffset: pointer,
        as: UInt16.self)
      page.storeBytes(
        of: level.children[cell].bigEndian, toByteOffset: contentStart, as: UInt32.self)
      level.separators.write(cell, to: start + contentStart + 4)
    }
    layout.finish(start, level.kind.interior, cells: cells.count, contentStart: contentStart)
    setLastChild(level.children[cells.upperBound])
  }

  private func setLastChild(_ child: UInt32) {
    page.storeBytes(of: child.bigEndian, toByteOffset: 8, as: UInt32.self)
  }

  /// A page without cells above a leaf.
  func page(above leaf: UInt32, _ kind: TreeKind) -> UnsafeMutableRawBufferPointer {
    guard let start = page.baseAddress else { return page }
    layout.finish(start, kind.interior, cells: 0, contentStart: layout.pageSize)
    setLastChild(leaf)
    return page
  }
}
