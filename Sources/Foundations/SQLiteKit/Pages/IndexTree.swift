// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Lays out the pages of an index or of a WITHOUT ROWID table.
package final class IndexTree {
  private let pages: TreePages
  private let keyColumns: Int
  private var previous: [UInt8] = []
  private var hasPrevious = false
  /// What follows the leaf, once that is full. It belongs to the level above, unless it is the last
  /// record of all.
  private var separator: TreeCell?

  /// Begins an index in a file or a run of pages, which must not be given other pages until
  /// ``finish()``.
  ///
  /// - Parameter keyColumns: How many of the first columns identify a record: those of the primary
  ///   key of a WITHOUT ROWID table, all columns of an index with its rowid.
  package init(_ sink: any PageSink, keyColumns: Int) {
    pages = TreePages(sink, leaf: .indexLeaf, interior: .indexInterior)
    self.keyColumns = keyColumns
  }

  /// Adds a record; in ascending order of its key by the collation BINARY: NULL, numbers, texts,
  /// blobs. Throws 70 otherwise.
  package func add(_ record: SQLiteRecord) throws(CairnError) {
    try pages.checkOpen()
    let bytes = try record.bytes()
    try checkOrder(bytes)
    let layout = pages.layout
    let local = layout.localSize(of: bytes.count, longest: layout.longestIndexRecord)
    let head = Varint.size(UInt64(bytes.count))
    let size = head + local + (local < bytes.count ? 4 : 0)
    if let separator {
      try pages.completeLeaf(separator)
      self.separator = nil
    }
    var next: UInt32?
    if local < bytes.count {
      next = try pages.writeOverflow(UnsafeRawBufferPointer(rebasing: bytes[local...]))
    }
    let start = UnsafeRawBufferPointer(rebasing: bytes[..<local])
    if pages.fitsLeaf(size) {
      Self.write(start, of: bytes.count, next, to: pages.leaf.addCell(size))
      if next != nil { pages.leaf.addLink(inLastCell: head + local) }
    } else {
      let cell = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        guard let target = buffer.baseAddress else { return }
        Self.write(start, of: bytes.count, next, to: UnsafeMutableRawPointer(target))
        count = size
      }
      separator = TreeCell(bytes: cell, link: next == nil ? nil : head + local)
    }
  }

  private static func write(
    _ start: UnsafeRawBufferPointer, of size: Int, _ next: UInt32?, to cell: UnsafeMutableRawPointer
  ) {
    let head = Varint.write(UInt64(size), to: cell)
    UnsafeMutableRawBufferPointer(start: cell + head, count: start.count).copyMemory(from: start)
    if let next { (cell + head + start.count).storeBytes(of: next.bigEndian, as: UInt32.self) }
  }

  private func checkOrder(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    if hasPrevious {
      let isAscending = previous.withUnsafeBytes {
        RecordOrder.precedes($0, bytes, columns: keyColumns)
      }
      guard isAscending else {
        throw CairnError(.database, .software, "records of an index are not in ascending order")
      }
    }
    hasPrevious = true
    previous.removeAll(keepingCapacity: true)
    previous.append(contentsOf: bytes)
  }

  /// Completes the index and returns the number of its root page.
  package func finish() throws(CairnError) -> UInt32 {
    if let last = separator {
      // No leaf may be empty, so the last record of this one becomes the separator.
      separator = nil
      try pages.completeLeaf(pages.leaf.removeLastCell())
      let cell = pages.leaf.addCell(last.bytes.count)
      last.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(start: cell, count: $0.count).copyMemory(from: $0)
      }
      if let link = last.link { pages.leaf.addLink(inLastCell: link) }
    }
    return try pages.finish()
  }
}
