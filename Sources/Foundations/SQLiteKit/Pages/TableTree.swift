// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Lays out the pages of a table with rowids.
package final class TableTree {
  private let pages: TreePages
  private var lastRowid: Int64?

  /// Begins a table in a file or a run of pages, which must not be given other pages until
  /// ``finish()``.
  package convenience init(_ sink: any PageSink) { self.init(sink, reserved: 0) }

  init(_ sink: any PageSink, reserved: Int) {
    pages = TreePages(sink, leaf: .tableLeaf, interior: .tableInterior, reserved: reserved)
  }

  /// Adds a row; in ascending order of rowids. Throws 70 otherwise.
  package func add(rowid: Int64, _ record: SQLiteRecord) throws(CairnError) {
    try pages.checkOpen()
    let bytes = try record.bytes()
    if let lastRowid, rowid <= lastRowid {
      throw CairnError(.database, .software, "row \(rowid) was added after row \(lastRowid)")
    }
    let layout = pages.layout
    let local = layout.localSize(of: bytes.count, longest: layout.longestTableRecord)
    let key = UInt64(bitPattern: rowid)
    let head = Varint.size(UInt64(bytes.count)) + Varint.size(key)
    let size = head + local + (local < bytes.count ? 4 : 0)
    if !pages.fitsLeaf(size), let lastRowid { try completeLeaf(lastRowid) }
    lastRowid = rowid
    var next: UInt32 = 0
    if local < bytes.count {
      next = try pages.writeOverflow(UnsafeRawBufferPointer(rebasing: bytes[local...]))
    }
    let cell = pages.leaf.addCell(size)
    let used = Varint.write(UInt64(bytes.count), to: cell)
    _ = Varint.write(key, to: cell + used)
    UnsafeMutableRawBufferPointer(start: cell + head, count: local)
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<local]))
    if local < bytes.count {
      (cell + head + local).storeBytes(of: next.bigEndian, as: UInt32.self)
      pages.leaf.addLink(inLastCell: head + local)
    }
  }

  private func completeLeaf(_ lastRowid: Int64) throws(CairnError) {
    let key = UInt64(bitPattern: lastRowid)
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      if let start = buffer.baseAddress { count = Varint.write(key, to: start) }
    }
    try pages.completeLeaf(TreeCell(bytes: bytes, link: nil))
  }

  /// Completes the table and returns the number of its root page.
  package func finish() throws(CairnError) -> UInt32 { try pages.finish() }

  /// Completes the table with its root on page 1, which is returned.
  func finishAsFirstPage() throws(CairnError) -> [UInt8] { try pages.finishAsFirstPage() }
}
