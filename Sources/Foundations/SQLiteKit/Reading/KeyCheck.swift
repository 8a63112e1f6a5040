// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension SQLiteConnection {
  /// Whether the keys of a table are proved to be in order: each index has an entry for each row and
  /// no other; or, if the table is stored by a key of its own, its rows ascend. False if SQLite has to
  /// check them, because they are wrong or merely unusual.
  ///
  /// For a database that is open read-only, and in which `PRAGMA quick_check` finds nothing.
  ///
  /// SQLite's own check looks each row up in each index. This reads table and indexes once, in the
  /// order in which they are stored. The entries of an index are right if they ascend, so that no two
  /// are equal, if there are as many as rows, and if the sum of their fingerprints is the same: that
  /// of others is so by chance once in 2⁶⁴.
  package func provesKeys(of table: String) throws(CairnError) -> Bool {
    guard isReadOnly, let reader = PageReader(self, for: .scans) else { return false }
    // The entries of an index end with the id of a row unless the table is stored by a key.
    let list = try prepare(
      """
      SELECT name, "unique", NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) WHERE cid = -1)
      FROM pragma_index_list(?) l
      """)
    try list.bind(1, table)
    var indexes: [StoredIndex] = []
    var isStoredByKey = false
    while try list.step() {
      isStoredByKey = list.integer(2) != 0
      guard
        let index = try StoredIndex(
          self, list.text(0) ?? "", of: table, isUnique: list.integer(1) != 0,
          storesRows: isStoredByKey)
      else { return false }
      indexes.append(index)
    }
    guard let first = indexes.first else { return false }
    if isStoredByKey {
      guard indexes.count == 1 else { return false }
      return try reader.sum(of: first) != nil
    }
    guard let rows = try fingerprints(of: table, indexes, reader) else { return false }
    for (index, sum) in zip(indexes, rows) {
      guard try reader.sum(of: index) == sum else { return false }
    }
    return true
  }

  /// The sums of what the entries of some indexes have to be; nil if SQLite has to read the table.
  private func fingerprints(of table: String, _ indexes: [StoredIndex], _ reader: PageReader)
    throws(CairnError) -> [FingerprintSum]?
  {
    var wanted: [String] = []
    for column in indexes.flatMap({ $0.columns }) where !wanted.contains(column) {
      // The record leaves the id of the row out.
      if try isRowID(column, of: table) { return nil }
      wanted.append(column)
    }
    guard let tree = try StoredTree(self, wanted, of: table, key: "") else { return nil }
    let places = indexes.map { $0.columns.compactMap { wanted.firstIndex(of: $0) } }
    var sums = indexes.map { _ in FingerprintSum() }
    let isRead = try reader.scan(tree) { id, values throws(CairnError) in
      guard let values else { return false }
      for (index, places) in places.enumerated() {
        var fingerprint = Fingerprint(id)
        for place in places { fingerprint.add(values[place]) }
        sums[index].add(fingerprint)
      }
      return true
    }
    return isRead ? sums : nil
  }
}

/// An index of plain columns, or a table that is stored by such a key.
private struct StoredIndex {
  let columns: [String]
  let tree: StoredTree
  /// Whether the columns alone have to differ.
  let isUnique: Bool

  /// Nil if SQLite has to read it.
  init?(
    _ connection: SQLiteConnection, _ name: String, of table: String, isUnique: Bool,
    storesRows: Bool
  ) throws(CairnError) {
    let row = try connection.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
    try row.bind(1, name)
    var columns: [String] = []
    while try row.step() { columns.append(row.text(0) ?? "") }
    guard
      let tree = try StoredTree(
        connection, storesRows ? columns : columns + [""], ofIndex: name, of: table,
        storesRows: storesRows)
    else { return nil }
    (self.columns, self.tree, self.isUnique) = (columns, tree, isUnique || storesRows)
  }
}

extension PageReader {
  /// The sum of the entries of an index; nil if they do not ascend, or SQLite has to read them.
  fileprivate func sum(of index: StoredIndex) throws(CairnError) -> FingerprintSum? {
    let count = index.columns.count
    let hasID = index.tree.columns.count > count
    let values = StoredValues(index.tree)
    var sum = FingerprintSum()
    let columns = index.isUnique ? count : count + 1
    // The record before, as far as it was read, which is not beyond its page.
    let last = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { last.deallocate() }
    var isFirst = true
    let isRead = try forEachEntry(of: index.tree) { entry throws(CairnError) in
      guard let found = values.read(&entry, 0) else { return false }
      let record = entry.bytesRead
      guard
        isFirst
          || RecordOrder.precedes(UnsafeRawBufferPointer(last), record, columns: columns)
      else { return false }
      isFirst = false
      last.copyMemory(from: record)
      guard hasID else { return true }
      guard found[count].type != 0 else { return false }
      var fingerprint = Fingerprint(PageBytes.integer(found[count].bytes, type: found[count].type))
      for column in 0..<count { fingerprint.add(found[column]) }
      sum.add(fingerprint)
      return true
    }
    return isRead ? sum : nil
  }
}

/// The number and the sum of fingerprints, whatever their order.
private struct FingerprintSum: Equatable {
  private var count = 0
  private var sum: UInt64 = 0

  mutating func add(_ fingerprint: Fingerprint) {
    count += 1
    sum &+= fingerprint.bits
  }
}

/// 64 bits that stand for the id of a row and some of its values. Those of two rows that differ in one
/// number are never the same.
private struct Fingerprint {
  private(set) var bits: UInt64 = 0

  @inline(__always)
  init(_ id: Int64) { mix(UInt64(bitPattern: id)) }

  /// Appends a value; whole numbers are the same in each of their types.
  @inline(__always)
  mutating func add(_ value: StoredValue) {
    switch value.type {
    case 0: mix(0)
    case 7: mix(7, PageBytes.number(value.bytes, type: 7).bitPattern)
    case 1...9:
      mix(1, UInt64(bitPattern: PageBytes.integer(value.bytes, type: value.type)))
    default:
      mix(UInt64(value.type))
      let size = PageBytes.size(ofType: value.type)
      var offset = 0
      while offset + 8 <= size {
        mix(value.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      // Eight bytes can always be read; the first ones count.
      if offset < size {
        let word = value.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        mix(UInt64(bigEndian: word) >> UInt64(8 * (8 - size + offset)))
      }
    }
  }

  private mutating func mix(_ type: UInt64, _ word: UInt64) {
    mix(type)
    mix(word)
  }

  /// SplitMix64's finalizer: what goes in one to one comes out one to one.
  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    bits = (bits ^ word) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
  }
}
