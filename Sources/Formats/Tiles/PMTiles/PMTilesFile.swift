// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import JSONKit
import SystemIO

/// A PMTiles file of version 3, open for reading.
package final class PMTilesFile: TileArchive {
  package let path: String
  package var byteCount: Int { file.size }
  package var isPacked: Bool? {
    switch header.tileCompression {
    case PMTilesHeader.Code.plain: false
    case PMTilesHeader.Code.gzip: true
    default: nil
    }
  }
  package let entries: [String: String]
  /// The header.
  package let header: PMTilesHeader
  /// The entries of all directories with tiles, in the order of the tiles.
  package let directory: [PMTilesDirectory.Entry]
  private let file: InputFile

  /// Opens a file and reads all directories. Throws 66 if it cannot be read, 65 if it is of another
  /// kind or damaged, and 74 if it was truncated meanwhile.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    file = try InputFile(path)
    let head = try file.read(0..<min(PMTilesHeader.byteCount, file.size))
    guard
      let header = head.withUnsafeBytes({ [file] in PMTilesHeader($0, fileSize: file.size) })
    else { throw Self.damage(path, "is not a PMTiles file of version 3, or is truncated") }
    self.header = header
    guard [PMTilesHeader.Code.plain, PMTilesHeader.Code.gzip].contains(header.internalCompression)
    else { throw Self.damage(path, "has directories in a compression that is not supported") }
    let reader = try DirectoryReader(file, header)
    guard let directory = try reader.all(), Self.areApart(directory) else {
      throw Self.damage(path, "is damaged: its directories cannot be read")
    }
    self.directory = directory
    guard
      let json = try reader.unpack(header.metadata, from: 0, limit: TileLimits.metadataBytes),
      let object = JSONValue(json: json)?.object
    else { throw Self.damage(path, "is damaged: its metadata cannot be read") }
    entries = Self.entries(object, header)
  }

  private static func damage(_ path: String, _ message: String) -> CairnError {
    CairnError(.notATileArchive, .dataError, message, at: Location(file: path))
  }

  /// The metadata under its MBTiles names.
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
      case PMTilesHeader.Code.jpeg: "jpg"
      case PMTilesHeader.Code.webP: "webp"
      default: "\(header.tileType)"
      }
    return entries
  }

  /// Whether contents are either equal or disjoint, so that together they are no larger than the
  /// file.
  private static func areApart(_ directory: [PMTilesDirectory.Entry]) -> Bool {
    let contents = directory.map { (start: $0.offset, end: $0.offset + UInt64($0.length)) }
      .sorted { $0 < $1 }
    return zip(contents, contents.dropFirst()).allSatisfy { $0.end <= $1.start || $0 == $1 }
  }

  private static let gap = "says that its tiles are in order, and has gaps between them"

  package func contradictions() -> [String] {
    var found: [String] = []
    // 0 where the tool did not count.
    func compare(_ stated: UInt64, _ counted: UInt64, _ what: String) {
      guard stated != 0, stated != counted else { return }
      found.append("has \(counted) \(what), \(stated) by its header")
    }
    compare(header.addressedTiles, directory.reduce(0) { $0 + UInt64($1.run) }, "tiles")
    compare(header.tileEntries, UInt64(directory.count), "entries")
    compare(header.tileContents, UInt64(Set(directory.map(\.offset)).count), "contents")
    if isPacked == nil, header.tileCompression != PMTilesHeader.Code.unknown {
      found.append("has tiles in a compression that is not supported")
    }
    if header.isClustered {
      var end: UInt64 = 0
      for entry in directory where entry.offset >= end {
        if entry.offset > end, found.last != Self.gap { found.append(Self.gap) }
        end = entry.offset + UInt64(entry.length)
      }
    }
    if header.root.offset + header.root.length > UInt64(PMTilesHeader.firstBytes) {
      found.append("has a root directory that is not within its first 16 KiB")
    }
    let parts = [header.root, header.metadata, header.leaves, header.tiles]
      .filter { $0.length > 0 }.sorted { $0.offset < $1.offset }
    var end = UInt64(PMTilesHeader.byteCount)
    for part in parts {
      if part.offset < end { found.append("has parts that overlap") }
      end = part.offset + part.length
    }
    return found
  }

  private func content(_ entry: PMTilesDirectory.Entry) throws(CairnError) -> [UInt8] {
    let (end, overflow) = entry.offset.addingReportingOverflow(UInt64(entry.length))
    guard !overflow, end <= header.tiles.length, entry.length <= TileLimits.tileBytes else {
      throw Self.damage(path, "is damaged: a tile is too large or beyond the end of the tiles")
    }
    let start = Int(header.tiles.offset + entry.offset)
    return try file.read(start..<start + Int(entry.length))
  }

  package func forEachTile<Found>(
    look: (UnsafeRawBufferPointer) -> Found,
    _ body: (TileSquare, Found) throws(CairnError) -> Void
  ) throws(CairnError) {
    var found: [UInt64: Found] = [:]
    var squares = 0
    for entry in directory {
      let result: Found
      if let known = found[entry.offset] {
        result = known
      } else {
        result = try content(entry).withUnsafeBytes(look)
        found[entry.offset] = result
      }
      let areTiles = try TileSquare.forEach(from: entry.tile, count: UInt64(entry.run)) {
        square throws(CairnError) in
        squares += 1
        guard squares <= TileLimits.squares else {
          throw Self.damage(path, "is damaged: its directories have far more tiles than any map")
        }
        try body(square, result)
      }
      guard areTiles else {
        throw Self.damage(path, "is damaged: it has an impossible tile")
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
    return try content(directory[low - 1]).withUnsafeBytes(body)
  }
}

/// Reads the root directory and the leaves.
private struct DirectoryReader {
  /// The largest directory or metadata, unpacked, in bytes: four million entries.
  private static let limit = 1 << 24
  /// The most entries of all directories together. The box of Germany has 0.3 million tiles down to
  /// zoom 14.
  private static let mostEntries = 1 << 22
  /// The most tiles of a file.
  private static let mostTiles: UInt64 = 1 << 32
  /// The most leaves of the root. Writers put some thousand entries in a leaf.
  private static let mostLeaves = 1 << 14

  private let file: InputFile
  private let header: PMTilesHeader
  private let unpacker: GzipUnpacker

  init(_ file: InputFile, _ header: PMTilesHeader) throws(CairnError) {
    (self.file, self.header) = (file, header)
    unpacker = try GzipUnpacker()
  }

  /// The unpacked content of a part within the file; nil if it is damaged or too large.
  func unpack(_ part: PMTilesHeader.Part, from start: UInt64, limit: Int = limit)
    throws(CairnError) -> [UInt8]?
  {
    guard part.length <= UInt64(limit) else { return nil }
    let first = Int(start + part.offset)
    let packed = try file.read(first..<first + Int(part.length))
    guard header.internalCompression == PMTilesHeader.Code.gzip else { return packed }
    return packed.withUnsafeBytes { unpacker.unpack($0, limit: limit) }
  }

  /// The entries of all directories, in ascending order; nil if one is damaged. Leaves have no
  /// leaves of their own, so that a file cannot send its reader in circles.
  func all() throws(CairnError) -> [PMTilesDirectory.Entry]? {
    guard let root = try unpack(header.root, from: 0)?.withUnsafeBytes(PMTilesDirectory.decode),
      root.count(where: { $0.run == 0 }) <= Self.mostLeaves
    else { return nil }
    var entries: [PMTilesDirectory.Entry] = []
    // The number after the last tile so far.
    var nextTile: UInt64 = 0
    var tiles: UInt64 = 0
    // At once, so that a file whose root repeats a leaf is refused before it fills the memory.
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
        let leaf = try unpack(
          .init(offset: entry.offset, length: UInt64(entry.length)), from: header.leaves.offset)?
          .withUnsafeBytes(PMTilesDirectory.decode),
        leaf.allSatisfy(append)
      else { return nil }
    }
    return entries
  }
}
