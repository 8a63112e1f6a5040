// SPDX-License-Identifier: Apache-2.0

/// A cell not yet in a page, without the number of a child.
struct TreeCell {
  var bytes: [UInt8]
  /// The offset of the number of its first overflow page.
  var link: Int?
}

/// Many cells.
struct TreeCells: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The cells with overflow pages, ascending, and the offsets of their page numbers in ``bytes``.
  private var links: [(cell: Int, offset: Int)] = []

  var count: Int { ends.count }

  private func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  /// The size of a cell in bytes.
  func size(_ index: Int) -> Int { ends[index] - start(index) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
  }

  mutating func removeLast() { bytes.removeLast(ends.removeLast() - (ends.last ?? 0)) }

  mutating func append(_ cell: TreeCell) {
    if let link = cell.link { links.append((ends.count, bytes.count + link)) }
    bytes += cell.bytes
    ends.append(bytes.count)
  }

  mutating func append(_ index: Int, of other: TreeCells) {
    bytes += other.bytes[other.start(index)..<other.ends[index]]
    ends.append(bytes.count)
  }

  /// Appends cells whose links have final page numbers.
  mutating func append(_ other: TreeCells) {
    ends.append(contentsOf: other.ends.lazy.map { [offset = bytes.count] in $0 + offset })
    bytes += other.bytes
  }

  /// Copies a cell.
  func write(_ index: Int, to target: UnsafeMutableRawPointer) {
    let start = start(index)
    bytes.withUnsafeBytes {
      guard let first = $0.baseAddress else { return }
      target.copyMemory(from: first + start, byteCount: ends[index] - start)
    }
  }

  /// Replaces the numbers of overflow pages.
  mutating func renumber(_ number: (UInt32) -> UInt32) {
    for link in links {
      bytes.withUnsafeMutableBytes {
        let page = UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: link.offset, as: UInt32.self))
        $0.storeBytes(of: number(page).bigEndian, toByteOffset: link.offset, as: UInt32.self)
      }
    }
    links.removeAll(keepingCapacity: true)
  }
}
