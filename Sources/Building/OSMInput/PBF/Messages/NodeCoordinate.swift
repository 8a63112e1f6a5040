// SPDX-License-Identifier: Apache-2.0

/// How the values of a block become 10⁻⁷ degrees: 10⁻⁹ · (offset + granularity · value), rounded
/// half away from zero.
struct CoordinateScale: Equatable, Sendable {
  var granularity: Int64 = 100
  var latitudeOffset: Int64 = 0
  var longitudeOffset: Int64 = 0

  /// The coordinate of a pair of values, or ``NodeCoordinate/invalid`` if it is not on Earth.
  @inline(__always)
  func coordinate(_ latitude: Int64, _ longitude: Int64) -> NodeCoordinate {
    guard let latitude = Self.units(latitude, granularity, latitudeOffset),
      let longitude = Self.units(longitude, granularity, longitudeOffset)
    else { return .invalid }
    return NodeCoordinate(latitude: latitude, longitude: longitude)
  }

  @inline(__always)
  private static func units(_ value: Int64, _ granularity: Int64, _ offset: Int64) -> Int64? {
    // In nearly every file, values are in 10⁻⁷ degrees.
    if granularity == 100, offset == 0 { return value }
    let (product, overflow) = value.multipliedReportingOverflow(by: granularity)
    let (nanodegrees, overflow2) = product.addingReportingOverflow(offset)
    guard !overflow, !overflow2 else { return nil }
    let (units, remainder) = nanodegrees.quotientAndRemainder(dividingBy: 100)
    return units + (remainder >= 50 ? 1 : remainder <= -50 ? -1 : 0)
  }
}

/// The coordinate of a node in 10⁻⁷ degrees, or why it is not known.
struct NodeCoordinate: Equatable, Sendable {
  var latitude: Int32
  var longitude: Int32

  /// A node that was deleted.
  static let deleted = NodeCoordinate(unchecked: .min, 0)
  /// A node without a coordinate, or with one that is not on Earth.
  static let invalid = NodeCoordinate(unchecked: .min, 1)

  /// A node that is missing in the file.
  static let missing = NodeCoordinate(unchecked: .min, 2)

  private init(unchecked latitude: Int32, _ longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The coordinate, or ``invalid`` if it is outside ±90° and ±180°.
  @inline(__always)
  init(latitude: Int64, longitude: Int64) {
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
      self = .invalid
      return
    }
    self.latitude = Int32(truncatingIfNeeded: latitude)
    self.longitude = Int32(truncatingIfNeeded: longitude)
  }

  /// The coordinate as 64 bits, which are all zero if it is ``missing``.
  var bits: UInt64 {
    @inline(__always) get {
      UInt64(UInt32(bitPattern: latitude ^ Self.missing.latitude)) << 32
        | UInt64(UInt32(bitPattern: longitude ^ Self.missing.longitude))
    }
  }

  /// The coordinate of which these are the ``bits``.
  @inline(__always)
  init(bits: UInt64) {
    latitude = Int32(truncatingIfNeeded: Int64(bitPattern: bits) >> 32) ^ Self.missing.latitude
    longitude = Int32(truncatingIfNeeded: bits) ^ Self.missing.longitude
  }

  /// Whether the coordinate is known.
  @inline(__always)
  var isKnown: Bool { latitude != .min }
}
