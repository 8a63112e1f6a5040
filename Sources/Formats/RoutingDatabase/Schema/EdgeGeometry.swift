// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The geometry blob of an edge: the points between its two nodes, excluding these, as
/// little-endian Float32 in degrees: latitude, longitude, latitude, …
public enum EdgeGeometry {
  /// The size of one point in bytes.
  public static let bytesPerPoint = 8
  /// The largest number of points of an edge that are read: more than Cairn writes, and far more than
  /// a way of OpenStreetMap has.
  package static let maximumPoints = 1 << 14
  /// Whether edges have as many points as real ones may have. Larger lists would exhaust memory.
  package static func isPlausible(points: Int, edges: Int) -> Bool {
    points <= (1 << 20) + 256 * edges
  }

  /// Points as a blob, precise to about 0.4 m at worst.
  public static func pack(_ points: [Coordinate]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(points.count * bytesPerPoint)
    for point in points {
      append(Float(point.latitude), to: &bytes)
      append(Float(point.longitude), to: &bytes)
    }
    return bytes
  }

  /// Writes points in 10⁻⁷ degrees into a buffer that has space for them, and returns their size.
  static func pack(
    _ latitudes: UnsafeBufferPointer<Int32>, _ longitudes: UnsafeBufferPointer<Int32>,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = min(latitudes.count, longitudes.count, buffer.count / bytesPerPoint)
    for index in 0..<count {
      let latitude = stored(latitudes[index]).bitPattern.littleEndian
      let longitude = stored(longitudes[index]).bitPattern.littleEndian
      let offset = index * bytesPerPoint
      buffer.storeBytes(of: latitude, toByteOffset: offset, as: UInt32.self)
      buffer.storeBytes(of: longitude, toByteOffset: offset + 4, as: UInt32.self)
    }
    return count * bytesPerPoint
  }

  /// The points of a blob, or nil if its length is not a multiple of ``bytesPerPoint``, a point is
  /// out of range or there are more than ``maximumPoints``.
  public static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Coordinate]? {
    guard bytes.count % bytesPerPoint == 0, bytes.count <= maximumPoints * bytesPerPoint else {
      return nil
    }
    var points: [Coordinate] = []
    points.reserveCapacity(bytes.count / bytesPerPoint)
    for offset in stride(from: 0, to: bytes.count, by: bytesPerPoint) {
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let point = Self.point(bits: UInt64(littleEndian: bits))
      guard point.isValid else { return nil }
      points.append(point)
    }
    return points
  }

  /// The points of a blob; see ``unpack(_:)-(UnsafeRawBufferPointer)``.
  public static func unpack(_ bytes: [UInt8]) -> [Coordinate]? {
    bytes.withUnsafeBytes { unpack($0) }
  }

  /// A point in 10⁻⁷ degrees as it is stored.
  package static func stored(_ latitude: Int32, _ longitude: Int32) -> Coordinate {
    Coordinate(latitude: Double(stored(latitude)), longitude: Double(stored(longitude)))
  }

  /// As ``FixedCoordinate/degrees``, which would be a call for each point.
  @inline(__always)
  private static func stored(_ units: Int32) -> Float {
    Float(Double(units) / FixedCoordinate.unitsPerDegree)
  }

  /// A point by its bits, the latitude in the lower half.
  @inlinable package static func point(bits: UInt64) -> Coordinate {
    Coordinate(
      latitude: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))),
      longitude: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))))
  }

  /// Appends a latitude or a longitude.
  @inline(__always)
  static func append(_ degrees: Float, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: degrees.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
