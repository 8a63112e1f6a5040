// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

// The rows that ``TreePart/endRow()`` and ``TreePart/endRow(_:)`` cannot simply put into the leaf.
extension TreePart {
  @usableFromInline @inline(never)
  mutating func endRowSlowly(_ rowid: Int64) throws(CairnError) {
    guard isTable else { throw Self.misuse("a record of an index was given a rowid") }
    let bytes = try record.bytes()
    if rowCount == 0 {
      firstRowid = rowid
    } else if rowid <= lastRowid {
      throw Self.misuse("row \(rowid) was added after row \(lastRowid)")
    }
    let local = layout.localSize(of: bytes.count, longest: layout.longestTableRecord)
    let key = UInt64(bitPattern: rowid)
    let head = Varint.size(UInt64(bytes.count)) + Varint.size(key)
    let size = head + local + (local < bytes.count ? 4 : 0)
    if cellCount > 0, PageLayout.space(ofCell: size) > free { completeTableLeaf() }
    if cellCount == 0 { try beginLeaf() }
    rowCount += 1
    lastRowid = rowid
    let next = try addOverflow(UnsafeRawBufferPointer(rebasing: bytes[local...]))
    let cell = addPaddedCell(size)
    let used = Varint.write(UInt64(bytes.count), to: cell)
    _ = Varint.write(key, to: cell + used)
    Self.write(UnsafeRawBufferPointer(rebasing: bytes[..<local]), next, to: cell + head)
    if next != nil { links.append(cell - pages + head + local) }
    record.clear()
  }

  private mutating func completeTableLeaf() {
    let key = UInt64(bitPattern: lastRowid)
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      if let start = buffer.baseAddress { count = Varint.write(key, to: start) }
    }
    completeLeaf()
    separators.append(TreeCell(bytes: bytes, link: nil))
  }

  @usableFromInline @inline(never)
  mutating func endRowSlowly() throws(CairnError) {
    guard case .index(let keyColumns) = kind else {
      throw Self.misuse("a row of a table was given no rowid")
    }
    let bytes = try record.bytes()
    if rowCount == 0 { firstRecord = Array(bytes) } else { try checkOrder(bytes, keyColumns) }
    rowCount += 1
    let local = layout.localSize(of: bytes.count, longest: layout.longestIndexRecord)
    let head = Varint.size(UInt64(bytes.count))
    let size = head + local + (local < bytes.count ? 4 : 0)
    if let pending {
      completeLeaf()
      separators.append(pending)
      self.pending = nil
    }
    let isLeading = hasLeadingRecord && rowCount == 1
    if cellCount == 0, !isLeading { try beginLeaf() }
    let next = try addOverflow(UnsafeRawBufferPointer(rebasing: bytes[local...]))
    let start = UnsafeRawBufferPointer(rebasing: bytes[..<local])
    if !isLeading, cellCount == 0 || PageLayout.space(ofCell: size) <= free {
      let cell = addPaddedCell(size)
      _ = Varint.write(UInt64(bytes.count), to: cell)
      Self.write(start, next, to: cell + head)
      if next != nil { links.append(cell - pages + head + local) }
      remember(bytes, keyColumns, at: next == nil ? cell - pages + head : nil)
    } else {
      let cell = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        guard let first = buffer.baseAddress else { return }
        let target = UnsafeMutableRawPointer(first)
        _ = Varint.write(UInt64(bytes.count), to: target)
        Self.write(start, next, to: target + head)
        count = size
      }
      let separator = TreeCell(bytes: cell, link: next == nil ? nil : head + local)
      if isLeading { separators.append(separator) } else { pending = separator }
      remember(bytes, keyColumns, at: nil)
    }
    record.clear()
  }

  private static func write(
    _ start: UnsafeRawBufferPointer, _ next: UInt32?, to cell: UnsafeMutableRawPointer
  ) {
    UnsafeMutableRawBufferPointer(start: cell, count: start.count).copyMemory(from: start)
    if let next { (cell + start.count).storeBytes(of: next.bigEndian, as: UInt32.self) }
  }

  private func checkOrder(_ bytes: UnsafeRawBufferPointer, _ keyColumns: Int) throws(CairnError) {
    guard withLastRecord({ RecordOrder.precedes($0, bytes, columns: keyColumns) }) else {
      throw Self.misuse("records of an index are not in ascending order")
    }
  }

  /// Calls `body` with the last record of an index.
  func withLastRecord<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard last.typesSize > 0 else { return lastCopy.withUnsafeBytes(body) }
    return body(
      UnsafeRawBufferPointer(
        start: pages + last.start - 1, count: 1 + last.typesSize + last.bodySize))
  }

  /// Records the last record of an index: its offset in ``pages`` if it is in one piece, otherwise
  /// a copy.
  private mutating func remember(
    _ bytes: UnsafeRawBufferPointer, _ keyColumns: Int, at offset: Int?
  ) {
    last = LastRecord()
    let typesSize = record.typesSize
    if let offset, typesSize < 0x7F {
      last.start = offset + 1
      last.typesSize = typesSize
      last.bodySize = bytes.count - 1 - typesSize
      last.keySize = RecordOrder.keySize(bytes, columns: keyColumns)
      last.signs = record.signs
    } else {
      lastCopy.removeAll(keepingCapacity: true)
      lastCopy.append(contentsOf: bytes)
    }
  }

  /// Ends the part. Throws 70 if it is part of an index, not the first, and has fewer than two
  /// records: one belongs between the parts.
  mutating func finish() throws(CairnError) {
    if hasLeadingRecord, rowCount < 2 {
      throw Self.misuse("a part of an index that is not its first has \(rowCount) records")
    }
    if let pending {
      // No leaf may be empty, so the last record of this one becomes the separator.
      self.pending = nil
      let separator = removeLastCell()
      completeLeaf()
      separators.append(separator)
      try beginLeaf()
      let cell = addPaddedCell(pending.bytes.count)
      pending.bytes.withUnsafeBytes { Self.write($0, nil, to: cell) }
      if let link = pending.link { links.append(cell - pages + link) }
    }
    if cellCount > 0 { if isTable { completeTableLeaf() } else { completeLeaf() } }
  }

  static func misuse(_ what: String) -> CairnError { CairnError(.database, .software, what) }
}
