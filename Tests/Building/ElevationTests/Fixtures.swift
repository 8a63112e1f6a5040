// SPDX-License-Identifier: Apache-2.0
import CDeflate
import CairnDiagnostics
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

/// A tile for tests: one elevation everywhere, except for single posts.
struct TileDrawing {
  let shape: HGTShape
  private var posts: [Int16]

  init(_ metres: Int16, rows: Int = 1201, columns: Int = 1201) {
    shape = HGTShape(rows: rows, columns: columns)
    posts = [Int16](repeating: metres.bigEndian, count: shape.posts)
  }

  /// The post `north` rows above the southern border and `east` columns from the western one.
  subscript(north north: Int, east east: Int) -> Int16 {
    get { Int16(bigEndian: posts[(shape.rows - 1 - north) * shape.columns + east]) }
    set { posts[(shape.rows - 1 - north) * shape.columns + east] = newValue.bigEndian }
  }

  var bytes: [UInt8] { posts.withUnsafeBytes { Array($0) } }
}

func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  try compressed(bytes, bound: libdeflate_gzip_compress_bound, by: libdeflate_gzip_compress)
}

func deflate(_ bytes: [UInt8]) throws -> [UInt8] {
  try compressed(bytes, bound: libdeflate_deflate_compress_bound, by: libdeflate_deflate_compress)
}

private func compressed(
  _ bytes: [UInt8], bound: (OpaquePointer?, Int) -> Int,
  by compress: (OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int) -> Int
) throws -> [UInt8] {
  let compressor = try #require(libdeflate_alloc_compressor(1))
  defer { libdeflate_free_compressor(compressor) }
  return [UInt8](unsafeUninitializedCapacity: bound(compressor, bytes.count)) { buffer, count in
    count = compress(compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
  }
}

/// A member of a zip file for tests.
struct ZipMember {
  var name: String
  var content: [UInt8]
  var isStored = false
  var flags: UInt16 = 0
  var method: UInt16?
  var checksum: UInt32?
  var claimedByteCount: UInt32?
}

/// A zip file with these members.
func zip(_ members: [ZipMember]) throws -> [UInt8] {
  var file: [UInt8] = []
  var directory: [UInt8] = []
  for member in members {
    let packed = member.isStored ? member.content : try deflate(member.content)
    let checksum =
      member.checksum ?? libdeflate_crc32(0, member.content, member.content.count)
    // With a data descriptor (flag 8) the sizes in the local header are 0.
    let isStreamed = member.flags & 8 != 0
    var fields: [UInt8] = []
    fields += little(20 as UInt16) + little(member.flags)
    fields += little(member.method ?? (member.isStored ? 0 : 8)) + little(0 as UInt32)
    let sizes =
      little(checksum) + little(UInt32(packed.count))
      + little(member.claimedByteCount ?? UInt32(member.content.count))
    let lengths = little(UInt16(member.name.utf8.count)) + little(0 as UInt16)
    directory += little(0x0201_4B50 as UInt32) + little(20 as UInt16) + fields + sizes + lengths
    directory += [UInt8](repeating: 0, count: 10) + little(UInt32(file.count)) + member.name.utf8
    file += little(0x0403_4B50 as UInt32) + fields
    file += isStreamed ? [UInt8](repeating: 0, count: 12) : sizes
    file += lengths + member.name.utf8 + packed
    if isStreamed { file += little(0x0807_4B50 as UInt32) + sizes }
  }
  let start = file.count
  file += directory + little(0x0605_4B50 as UInt32) + little(0 as UInt32)
  file += little(UInt16(members.count)) + little(UInt16(members.count))
  file += little(UInt32(directory.count)) + little(UInt32(start)) + little(0 as UInt16)
  return file
}

func little(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// A point in degrees as a fixed-point coordinate.
func point(_ latitude: Double, _ longitude: Double) throws -> FixedCoordinate {
  try #require(FixedCoordinate(Coordinate(latitude: latitude, longitude: longitude)))
}

extension ElevationDataManager {
  /// The metres at a point in degrees.
  func metres(_ latitude: Double, _ longitude: Double) throws -> Float? {
    try elevation(at: point(latitude, longitude))?.metres
  }

  /// The batch of some points.
  func elevations(_ points: [FixedCoordinate], threads: Int = 1) throws -> ElevationBatch {
    let latitudes = points.map(\.latitude)
    let longitudes = points.map(\.longitude)
    return try latitudes.withUnsafeBufferPointer { latitudes in
      try longitudes.withUnsafeBufferPointer { longitudes in
        try elevations(latitudes: latitudes, longitudes: longitudes, threads: threads)
      }
    }
  }
}
