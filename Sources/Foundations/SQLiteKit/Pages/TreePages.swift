// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// The pages of one tree: leaves as they are completed by their owner, and above them the interior
/// levels, of which only the page in progress is kept.
final class TreePages {
  let layout: PageLayout
  let sink: any PageSink
  let leaf: TreePage
  /// Less than a page for the tree of the schema, whose root shares page 1 with the file header.
  let reserved: Int
  private let interior: TreePage
  private let overflow: UnsafeMutableRawBufferPointer
  private var levels: [Level] = []
  private var isFinished = false

  /// What waits for its page on an interior level: children, each with the cell that follows it.
  private struct Level {
    var children: [UInt32] = []
    var cells: [TreeCell] = []
    /// How many of them fit into a page from the first one on, and what space they take.
    var fitting = 0
    var space = 0

    mutating func append(_ child: UInt32, _ cell: TreeCell, capacity: Int) {
      children.append(child)
      cells.append(cell)
      count(children.count - 1, capacity)
    }

    mutating func count(_ index: Int, _ capacity: Int) {
      let needed = TreePage.space(ofCell: 4 + cells[index].bytes.count)
      guard fitting == index, space + needed <= capacity else { return }
      fitting += 1
      space += needed
    }

    mutating func removeFirst(_ count: Int, capacity: Int) {
      children.removeFirst(count)
      cells.removeFirst(count)
      (fitting, space) = (0, 0)
      for index in children.indices { self.count(index, capacity) }
    }
  }

  init(_ sink: any PageSink, leaf: PageType, interior: PageType, reserved: Int = 0) {
    let pageSize = sink.pageSize
    layout = PageLayout(pageSize: pageSize)
    self.sink = sink
    self.reserved = reserved
    self.leaf = TreePage(pageSize: pageSize, type: leaf)
    self.interior = TreePage(pageSize: pageSize, type: interior)
    overflow = .allocate(byteCount: pageSize, alignment: 16)
  }

  deinit { overflow.deallocate() }

  private var interiorCapacity: Int {
    layout.pageSize - PageLayout.interiorHeaderSize - reserved
  }

  /// Whether a cell fits into the leaf. The first one always does.
  @inline(__always)
  func fitsLeaf(_ size: Int) -> Bool {
    TreePage.space(ofCell: size) <= leaf.free - reserved || leaf.cellCount == 0
  }

  /// Throws 70 if rows follow the end of the tree.
  @inline(__always)
  func checkOpen() throws(CairnError) {
    if isFinished { throw CairnError(.database, .software, "a finished tree was given a row") }
  }

  /// Writes the part of a record that is not in its cell, and returns the number of its first page.
  func writeOverflow(_ rest: UnsafeRawBufferPointer) throws(CairnError) -> UInt32 {
    let first = sink.nextPage
    var start = 0
    while start < rest.count {
      let count = min(layout.overflowSize, rest.count - start)
      let isLast = start + count == rest.count
      let next = isLast ? 0 : sink.page(after: sink.nextPage)
      overflow.storeBytes(of: next.bigEndian, as: UInt32.self)
      overflow[4...].copyBytes(from: rest[start..<(start + count)])
      UnsafeMutableRawBufferPointer(rebasing: overflow[(4 + count)...])
        .initializeMemory(as: UInt8.self, repeating: 0)
      try sink.append(UnsafeRawBufferPointer(overflow), links: isLast ? [] : [0])
      start += count
    }
    return first
  }

  /// Writes the leaf, which others follow, and begins the next one.
  func completeLeaf(_ separator: TreeCell) throws(CairnError) {
    let number = sink.nextPage
    try append(leaf)
    try add(number, separator, level: 0)
  }

  private func append(_ page: TreePage) throws(CairnError) {
    page.finish()
    try sink.append(page.bytes, links: page.links)
    page.reset()
  }

  private func add(_ child: UInt32, _ cell: TreeCell, level: Int) throws(CairnError) {
    if level == levels.count { levels.append(Level()) }
    levels[level].append(child, cell, capacity: interiorCapacity)
    // One that does not fit becomes the last child and one more stays, so that the next page does
    // not remain without a cell.
    let fitting = levels[level].fitting
    if levels[level].children.count >= fitting + 2 { try completeInterior(level, cells: fitting) }
  }

  /// Writes a page with the first cells of a level. The next cell goes to the level above.
  private func completeInterior(_ level: Int, cells: Int) throws(CairnError) {
    let (child, cell) = (levels[level].children[cells], levels[level].cells[cells])
    let number = sink.nextPage
    fillInterior(level, cells: cells, last: child)
    try append(interior)
    levels[level].removeFirst(cells + 1, capacity: interiorCapacity)
    try add(number, cell, level: level + 1)
  }

  private func fillInterior(_ level: Int, cells: Int, last: UInt32) {
    for index in 0..<cells {
      let cell = levels[level].cells[index]
      let target = interior.addCell(4 + cell.bytes.count)
      target.storeBytes(of: levels[level].children[index].bigEndian, as: UInt32.self)
      cell.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: target + 4, count: $0.count).copyMemory(from: $0)
      }
      interior.addLink(inLastCell: 0)
      if let link = cell.link { interior.addLink(inLastCell: 4 + link) }
    }
    interior.setLastChild(last)
  }

  /// Writes the last leaf and what is left of the levels, and returns the number of the root.
  func finish() throws(CairnError) -> UInt32 {
    let root = try finishBelowRoot()
    let number = sink.nextPage
    try append(root)
    return number
  }

  /// Writes what is left but the root, which is returned as page 1 with space for the file header.
  func finishAsFirstPage() throws(CairnError) -> [UInt8] {
    let root = try finishBelowRoot()
    root.finish()
    if root.makeRoomForFileHeader() { return Array(root.bytes) }
    // A single long row: SQLite, too, then writes a first page without cells above it.
    let number = sink.nextPage
    try append(root)
    interior.setLastChild(number)
    interior.finish()
    _ = interior.makeRoomForFileHeader()
    return Array(interior.bytes)
  }

  private func finishBelowRoot() throws(CairnError) -> TreePage {
    try checkOpen()
    isFinished = true
    guard !levels.isEmpty else { return leaf }
    var last = sink.nextPage
    try append(leaf)
    var level = 0
    while true {
      if levels[level].fitting < levels[level].children.count {
        // One does not fit: it gets a page of its own, and the one before it goes up.
        try completeInterior(level, cells: levels[level].fitting - 1)
      }
      fillInterior(level, cells: levels[level].children.count, last: last)
      level += 1
      if level == levels.count { return interior }
      last = sink.nextPage
      try append(interior)
    }
  }
}
