// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import FoundationEssentials
import SystemIO

/// A PMTiles file of version 3, open for reading.
package final class PMTilesFile: TileArchive {
  package let path: String
  package let entries: [String: String]
  /// The header.
  package let header: PMTilesHeader
  /// The entries of all directories with tiles, in the order of the tiles.
  package let directory: [PMTilesDirectory.Entry]
  private let file: MappedFile

  /// Opens a file and reads all directories. Throws 66 if it cannot be read and 65 if it is of another
  /// kind or damaged.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    file = try MappedFile(path)
    guard let header = PMTilesHeader(file.bytes, fileSize: file.bytes.count) else {
      throw Self.damage(path, "is not a PMTiles file of version 3, or a truncated one")
    }
    self.header = header
    guard [PMTilesHeader.Code.plain, PMTilesHeader.Code.gzip].contains(header.internalCompression)
    else { throw Self.damage(path, "has directories in a compression that is not supported") }
    let reader = try DirectoryReader(file.bytes, header)
    guard let directory = reader.all() else {
      throw Self.damage(path, "is damaged: its directories cannot be read")
    }
    self.directory = directory
    guard let json = reader.unpack(header.metadata, from: 0),
      case .object(let object)? = try? JSONDecoder().decode(JSONValue.self, from: Data(json))
    else { throw Self.damage(path, "is damaged: its metadata cannot be read") }
    entries = Self.entries(object, header)
  }

  private static func damage(_ path: String, _ message: String) -> CairnError {
    CairnError(.notATileArchive, .dataError, message, at: Location(file: path))
  }

  /// The metadata under the names that MBTiles has for it.
  private static func entries(_ object: [String: JSONValue], _ header: PMTilesHeader) -> [String:
    String]
  {
    var entries: [String: String] = [:]
    for (key, value) in object {
      if case .text(let text) = value { entries[key] = text }
    }
    if let layers = object["vector_layers"],
      let json = try? encodeJSON(JSONValue.object(["vector_layers": layers]), pretty: false)
    {
      entries["json"] = String(decoding: json.dropLast(), as: UTF8.self)
    }
    entries["minzoom"] = "\(header.zooms.lowest)"
    entries["maxzoom"] = "\(header.zooms.highest)"
    entries["bounds"] = header.bounds.map { "\(Double($0) / 1e7)" }.joined(separator: ",")
    entries["center"] =
      (header.centre.map { "\(Double($0) / 1e7)" } + ["\(header.centreZoom)"])
      .joined(separator: ",")
    entries["format"] =
      switch header.tileType {
      case PMTilesHeader.Code.vector: "pbf"
      case PMTilesHeader.Code.png: "png"
      default: "\(header.tileType)"
      }
    return entries
  }

  private func bytes(_ entry: PMTilesDirectory.Entry) throws(CairnError) -> UnsafeRawBufferPointer {
    let (end, overflow) = entry.offset.addingReportingOverflow(UInt64(entry.length))
    guard !overflow, end <= header.tiles.length else {
      throw Self.damage(path, "is damaged: a tile lies beyond the end of the tiles")
    }
    let start = Int(header.tiles.offset + entry.offset)
    return UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + Int(entry.length)])
  }

  package func forEachTile(_ body: (TileID, UnsafeRawBufferPointer) throws(CairnError) -> Void)
    throws(CairnError)
  {
    for entry in directory {
      let bytes = try bytes(entry)
      for number in 0..<UInt64(entry.run) {
        let (tile, overflow) = entry.tile.addingReportingOverflow(number)
        guard !overflow, let id = TileID(hilbertID: tile) else {
          throw Self.damage(path, "is damaged: it has a tile that there is not")
        }
        try body(id, bytes)
      }
    }
  }

  package func withTile<Result>(_ id: TileID, _ body: (UnsafeRawBufferPointer?) -> Result)
    throws(CairnError) -> Result
  {
    let tile = id.hilbertID
    var (low, high) = (0, directory.count)
    while low < high {
      let middle = (low + high) / 2
      if directory[middle].tile <= tile { low = middle + 1 } else { high = middle }
    }
    guard low > 0, tile - directory[low - 1].tile < UInt64(directory[low - 1].run) else {
      return body(nil)
    }
    return body(try bytes(directory[low - 1]))
  }
}

/// Reads the root directory and the leaves.
private struct DirectoryReader {
  /// The largest directory or metadata, unpacked, in bytes: four million entries.
  private static let limit = 1 << 24
  /// How many entries all directories may have together. The box of Germany has 0.3 million tiles down
  /// to zoom 14.
  private static let mostEntries = 1 << 22
  /// How many tiles a file may have.
  private static let mostTiles: UInt64 = 1 << 32

  private let bytes: UnsafeRawBufferPointer
  private let header: PMTilesHeader
  private let unpacker: GzipUnpacker

  init(_ bytes: UnsafeRawBufferPointer, _ header: PMTilesHeader) throws(CairnError) {
    (self.bytes, self.header) = (bytes, header)
    unpacker = try GzipUnpacker()
  }

  /// The unpacked content of a part of the file that is within it.
  func unpack(_ part: PMTilesHeader.Part, from start: UInt64) -> [UInt8]? {
    let first = Int(start + part.offset)
    let packed = UnsafeRawBufferPointer(rebasing: bytes[first..<first + Int(part.length)])
    return header.internalCompression == PMTilesHeader.Code.gzip
      ? unpacker.unpack(packed, limit: Self.limit) : Array(packed.prefix(Self.limit))
  }

  /// The entries of all directories, in ascending order; nil if one is damaged. Leaves have no leaves
  /// of their own, so that a file cannot send its reader in circles.
  func all() -> [PMTilesDirectory.Entry]? {
    guard let root = unpack(header.root, from: 0)?.withUnsafeBytes(PMTilesDirectory.decode) else {
      return nil
    }
    var entries: [PMTilesDirectory.Entry] = []
    // The number after the last tile so far.
    var nextTile: UInt64 = 0
    var tiles: UInt64 = 0
    // At once, so that a file whose root names a leaf again and again is refused before it fills the
    // memory.
    func append(_ entry: PMTilesDirectory.Entry) -> Bool {
      let (next, overflow) = entry.tile.addingReportingOverflow(UInt64(entry.run))
      guard !overflow, entry.run > 0, entry.tile >= nextTile, entries.count < Self.mostEntries
      else { return false }
      nextTile = next
      tiles += UInt64(entry.run)
      entries.append(entry)
      return tiles <= Self.mostTiles
    }
    for entry in root {
      if entry.run > 0 {
        guard append(entry) else { return nil }
        continue
      }
      let (end, overflow) = entry.offset.addingReportingOverflow(UInt64(entry.length))
      guard !overflow, end <= header.leaves.length,
        let leaf = unpack(
          .init(offset: entry.offset, length: UInt64(entry.length)), from: header.leaves.offset)?
          .withUnsafeBytes(PMTilesDirectory.decode),
        leaf.allSatisfy(append)
      else { return nil }
    }
    return entries
  }
}
