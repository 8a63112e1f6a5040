// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics
import CairnFormatting
import SystemIO
import ZipArchive

/// A file with one tile.
struct HGTFile: Equatable, Sendable {
  /// How the file is compressed, simplest first.
  enum Packing: Int, Sendable, CaseIterable {
    case plain
    case gzip
    case zip

    /// The ending of the file's name, in lower case; some tools leave out the dot before `hgt`.
    var nameEnding: String {
      switch self {
      case .plain: ".hgt"
      case .gzip: "hgt.gz"
      case .zip: "hgt.zip"
      }
    }

    /// The ending of a name that says nothing but the tile and the compression.
    var bareEnding: String? {
      switch self {
      case .plain: nil
      case .gzip: ".gz"
      case .zip: ".zip"
      }
    }
  }

  /// The maximum size of a compressed tile, which is hardly larger than a plain one.
  static let largestPackedByteCount = HGTShape.largestByteCount + (1 << 20)

  let tile: ElevationTileID
  let packing: Packing
  let folder: String
  let name: String

  /// The path of the file.
  var path: String { joinPath(folder, name) }

  /// Whether the file is larger than any tile of 1″.
  var isLarge: Bool { fileSize(path) > HGTShape.largestPublishedByteCount }

  /// Reads the file. Throws 66 if it cannot be read, and 65 if it is not a valid tile.
  func read() throws(CairnError) -> HGTTile {
    switch packing {
    case .plain: try readPlain()
    case .gzip: try readGzip()
    case .zip: try readZip()
    }
  }

  private func readPlain() throws(CairnError) -> HGTTile {
    let file = try InputFile(path)
    guard let shape = HGTShape(byteCount: file.size) else {
      throw HGTShape.sizeError("has \(grouped(file.size)) bytes", in: path)
    }
    return try HGTTile(shape) { buffer throws(CairnError) in
      let count = try file.read(into: buffer, at: 0)
      guard count == buffer.count else {
        throw HGTShape.sizeError("ends after \(grouped(count)) bytes", in: path)
      }
    }
  }

  private func readGzip() throws(CairnError) -> HGTTile {
    let packed = try InputFile(path).readAll(limit: Self.largestPackedByteCount)
    guard packed.starts(with: [0x1F, 0x8B]) else {
      throw damage(packed.isEmpty ? "is empty" : "is not a gzip file")
    }
    let decompressor = try Decompressor()
    // The last four bytes state the size of the last member, usually the only one.
    let statedByteCount = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let shape = HGTShape(byteCount: statedByteCount) else {
      return try readGzip(packed, with: decompressor)
    }
    return try HGTTile(shape) { buffer throws(CairnError) in
      let outcome = decompressor.gunzip(packed, into: buffer)
      if outcome != .exact { throw gzipError(outcome, of: buffer.count) }
    }
  }

  /// Reads a gzip file without a valid size at its end: one with several members, or a damaged one.
  private func readGzip(_ packed: [UInt8], with decompressor: Decompressor) throws(CairnError)
    -> HGTTile
  {
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: HGTShape.largestByteCount, alignment: 64)
    defer { scratch.deallocate() }
    let outcome = decompressor.gunzip(packed, into: scratch)
    guard let shape = outcome.byteCount(of: scratch.count).flatMap({ HGTShape(byteCount: $0) })
    else {
      throw gzipError(outcome, of: scratch.count)
    }
    return HGTTile(shape) { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[..<buffer.count]))
    }
  }

  private func gzipError(_ outcome: Decompressor.Outcome, of byteCount: Int) -> CairnError {
    switch outcome {
    case .exact: HGTShape.sizeError("contains \(grouped(byteCount)) bytes", in: path)
    case .short(let count): HGTShape.sizeError("contains \(grouped(count)) bytes", in: path)
    case .tooLong: HGTShape.sizeError("contains more than \(grouped(byteCount)) bytes", in: path)
    case .damaged: damage("is damaged or truncated and cannot be inflated")
    }
  }

  private func readZip() throws(CairnError) -> HGTTile {
    let bytes = try InputFile(path).readAll(limit: Self.largestPackedByteCount)
    let archive: ZipReader
    do throws(ZipError) { archive = try ZipReader(bytes) } catch { throw error.ofTile(at: path) }
    let (member, notes) = try archive.tileMember(of: self)
    guard let shape = HGTShape(byteCount: member.byteCount) else {
      throw HGTShape.sizeError(
        "member \(member.name) has \(grouped(member.byteCount)) bytes", in: path)
    }
    return try HGTTile(shape, notes: notes) { buffer throws(CairnError) in
      do throws(ZipError) { try archive.extract(member, into: buffer) } catch {
        throw error.ofTile(at: path)
      }
    }
  }

  private func damage(_ what: String) -> CairnError {
    CairnError(
      .damagedTile, .dataError, what, at: Location(file: path),
      hint: "download it again")
  }
}

extension HGTFile {
  /// Reads a file name such as `N42E001.hgt`, `n42e001.HGT.GZ`, `N42E001.SRTMGL1.hgt.zip`,
  /// `N42E001hgt.zip`, `N42E001.zip` or `NASADEM_HGT_n42e001.zip`; nil if it does not name a tile.
  init?(folder: String, name: String) {
    if let packing = Self.packing(ofName: name) {
      let stem = name.utf8.dropLast(packing.nameEnding.utf8.count)
      guard let tile = ElevationTileID(fileStem: stem) else { return nil }
      self.init(tile: tile, packing: packing, folder: folder, name: name)
      return
    }
    // Archives of other data have more in their names: N42E001.SRTMSWBD.raw.zip.
    let lower = name.lowercased()
    for packing in Packing.allCases {
      guard let ending = packing.bareEnding, lower.hasSuffix(ending) else { continue }
      let stem = lower.utf8.dropLast(ending.utf8.count)
      guard ElevationTileID.nameOnly(stem).count == ElevationTileID.nameByteCount,
        let tile = ElevationTileID(fileStem: stem)
      else { return nil }
      self.init(tile: tile, packing: packing, folder: folder, name: name)
      return
    }
    return nil
  }

  /// How a file of this name is compressed; nil if it does not have the extension of a tile.
  static func packing(ofName name: String) -> Packing? {
    let lower = name.lowercased()
    return Packing.allCases.first { lower.hasSuffix($0.nameEnding) }
  }
}

extension ElevationTileID {
  /// The tile that a file of this name contains, such as `N42E001.hgt` or
  /// `N42E001.SRTMGL1.hgt.zip`; nil if it is not read as a tile.
  package init?(fileName: String) {
    guard let file = HGTFile(folder: "", name: fileName) else { return nil }
    self = file.tile
  }

  /// The bytes of a name such as `N42E001`.
  fileprivate static let nameByteCount = 7
  /// What NASADEM puts before the names of its elevations. Its other data, such as slopes, have other
  /// words here.
  private static let prefix = Array("nasadem_hgt_".utf8)

  /// The beginning of a file name without what may stand before the name of a tile.
  fileprivate static func nameOnly(_ stem: some Collection<UInt8>) -> [UInt8] {
    // Upper and lower case ASCII letters differ in one bit, which digits and “_” have.
    let hasPrefix = stem.prefix(prefix.count).map { $0 | 0x20 } == prefix.map { $0 | 0x20 }
    return Array(stem.dropFirst(hasPrefix ? prefix.count : 0))
  }

  /// Parses a tile from the beginning of a file name, such as `N42E001`, `s01w180.SRTMGL1` or
  /// `NASADEM_HGT_n42e001`.
  init?(fileStem stem: some Collection<UInt8>) {
    let bytes = Self.nameOnly(stem)
    guard bytes.count >= Self.nameByteCount else { return nil }
    func integer(_ range: Range<Int>) -> Int? {
      bytes[range].reduce(Int?.some(0)) { known, byte in
        guard let known, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return known * 10 + Int(byte - UInt8(ascii: "0"))
      }
    }
    func sign(_ byte: UInt8, positive: Unicode.Scalar, negative: Unicode.Scalar) -> Int? {
      // Upper and lower case ASCII letters differ in one bit.
      switch UInt32(byte & ~0x20) {
      case positive.value: 1
      case negative.value: -1
      default: nil
      }
    }
    guard let northwards = sign(bytes[0], positive: "N", negative: "S"),
      let eastwards = sign(bytes[3], positive: "E", negative: "W"),
      let latitude = integer(1..<3), let longitude = integer(4..<7)
    else { return nil }
    // A suffix must not begin with a letter or digit: N42E0015 is not N42E001.
    let next = bytes.dropFirst(7).first.map { Character(Unicode.Scalar($0)) }
    if let next, next.isLetter || next.isNumber { return nil }
    self.init(latitude: northwards * latitude, longitude: eastwards * longitude)
  }
}
