// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// An uncompressed directory of a PMTiles file: entries in the order of their tiles.
package enum PMTilesDirectory {
  /// A run of tiles with one content, or, with a run of 0, another directory.
  package struct Entry: Equatable, Sendable {
    /// The Hilbert number of the first tile.
    package var tile: UInt64
    /// The offset of the content, from the start of the tiles or of the leaf directories.
    package var offset: UInt64
    /// Its length in bytes.
    package var length: UInt32
    /// The number of tiles that share it; 0 for a directory.
    package var run: UInt32

    /// Makes an entry.
    package init(tile: UInt64, offset: UInt64, length: UInt32, run: UInt32) {
      (self.tile, self.offset, self.length, self.run) = (tile, offset, length, run)
    }
  }

  /// The entries as columns of varints.
  package static func encode(_ entries: ArraySlice<Entry>) -> [UInt8] {
    var writer = ByteWriter()
    writer.add(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      writer.add(entry.tile - last)
      last = entry.tile
    }
    for entry in entries { writer.add(UInt64(entry.run)) }
    for entry in entries { writer.add(UInt64(entry.length)) }
    var end: UInt64?
    for entry in entries {
      writer.add(entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + UInt64(entry.length)
    }
    return writer.bytes
  }

  /// Reads the entries; nil if they are damaged or out of order.
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> [Entry]? {
    var reader = ByteReader(bytes)
    // An entry takes at least four bytes.
    guard let count = reader.varint(), count <= UInt64(bytes.count / 4) else { return nil }
    var entries: [Entry] = []
    entries.reserveCapacity(Int(count))
    var last: UInt64 = 0
    for index in 0..<count {
      guard let difference = reader.varint() else { return nil }
      let (tile, overflow) = last.addingReportingOverflow(difference)
      guard !overflow, index == 0 || difference > 0 else { return nil }
      entries.append(Entry(tile: tile, offset: 0, length: 0, run: 0))
      last = tile
    }
    for index in entries.indices {
      guard let run = reader.varint().flatMap(UInt32.init(exactly:)) else { return nil }
      entries[index].run = run
    }
    for index in entries.indices {
      guard let length = reader.varint().flatMap(UInt32.init(exactly:)), length > 0 else {
        return nil
      }
      entries[index].length = length
    }
    var end: UInt64?
    for index in entries.indices {
      // 0 for content that begins where the previous one ends.
      guard let offset = reader.varint(), let start = offset > 0 ? offset - 1 : end else {
        return nil
      }
      entries[index].offset = start
      let (next, overflow) = start.addingReportingOverflow(UInt64(entries[index].length))
      guard !overflow else { return nil }
      end = next
    }
    return reader.isAtEnd ? entries : nil
  }
}
