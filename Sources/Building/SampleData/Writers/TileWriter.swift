// SPDX-License-Identifier: Apache-2.0

/// Writes the terrain as HGT tiles in zip archives.
enum TileWriter {
  static let memberName = "N47E010.hgt"
  /// The value of a void post.
  static let voidHeight: Int16 = -32768
  /// The spacing of the coarse tile in posts of the fine one.
  private static let coarseness = 4

  /// The centre of the void west of the tarn. The loop trail runs through it.
  static let voidCentre = PlanePoint(1520, 7000)
  private static let voidRadiusMetres = 260.0

  /// The tile of 3 arc seconds: big-endian, rows north to south, with a void.
  static func fineTile(_ terrain: Terrain) -> [UInt8] {
    let side = Terrain.postsPerSide
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 2)
    for row in 0..<side {
      for column in 0..<side {
        let point = PlanePoint(
          Double(column) * Terrain.postSpacingX, Double(side - 1 - row) * Terrain.postSpacingY)
        let isVoid = point.distance(to: voidCentre) < voidRadiusMetres
        append(isVoid ? voidHeight : terrain.posts[row * side + column], to: &bytes)
      }
    }
    return bytes
  }

  /// The same terrain as in a coarser survey without voids: its posts are interpolated between
  /// every fourth post, at 12 arc seconds.
  static func coarseTile(_ terrain: Terrain) -> [UInt8] {
    let side = Terrain.postsPerSide
    var bytes: [UInt8] = []
    bytes.reserveCapacity(side * side * 2)
    for row in 0..<side {
      let upper = min(row / coarseness * coarseness, side - 1 - coarseness)
      for column in 0..<side {
        let left = min(column / coarseness * coarseness, side - 1 - coarseness)
        func post(_ down: Int, _ right: Int) -> Int {
          Int(terrain.posts[(upper + down * coarseness) * side + left + right * coarseness])
        }
        let down = row - upper
        let right = column - left
        let sum =
          (post(0, 0) * (coarseness - right) + post(0, 1) * right) * (coarseness - down)
          + (post(1, 0) * (coarseness - right) + post(1, 1) * right) * down
        append(Int16(sum / (coarseness * coarseness)), to: &bytes)
      }
    }
    return bytes
  }

  private static func append(_ height: Int16, to bytes: inout [UInt8]) {
    let bits = UInt16(bitPattern: height)
    bytes.append(UInt8(bits >> 8))
    bytes.append(UInt8(bits & 0xff))
  }

  /// A zip archive with the tile as its only member, deflated.
  static func zipFile(_ tile: [UInt8]) -> [UInt8] {
    let packed = Deflate.compress(tile)
    let version: UInt16 = 20
    let name = Array(memberName.utf8)
    // Flags, method, time and date of DOS, checksum, sizes, lengths of name and extra field.
    var facts = littleEndianBytes(UInt16(0)) + littleEndianBytes(UInt16(8))
    facts += littleEndianBytes(UInt16(0)) + littleEndianBytes(dosDate)
    facts += littleEndianBytes(Deflate.crc(tile))
    facts += littleEndianBytes(UInt32(packed.count)) + littleEndianBytes(UInt32(tile.count))
    facts += littleEndianBytes(UInt16(name.count)) + littleEndianBytes(UInt16(0))
    let local = localSignature + littleEndianBytes(version) + facts + name + packed
    // The directory adds a comment's length, a disk, attributes and the offset of the member.
    let directory =
      [0x50, 0x4b, 1, 2] + littleEndianBytes(version) + littleEndianBytes(version) + facts
      + [UInt8](repeating: 0, count: 14) + name
    let end =
      [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 4) + littleEndianBytes(UInt16(1))
      + littleEndianBytes(UInt16(1)) + littleEndianBytes(UInt32(directory.count))
      + littleEndianBytes(UInt32(local.count)) + littleEndianBytes(UInt16(0))
    return local + directory + end
  }

  private static let localSignature: [UInt8] = [0x50, 0x4b, 3, 4]
  /// 1 January 2026: years since 1980, month, day.
  private static let dosDate = UInt16(46 << 9 | 1 << 5 | 1)

  /// Whether a file begins like the output of ``zipFile(_:)``.
  static func isZip(head: [UInt8]) -> Bool {
    let nameOffset = 30
    return head.starts(with: localSignature)
      && head.dropFirst(nameOffset).starts(with: Array(memberName.utf8))
  }
}
