// SPDX-License-Identifier: Apache-2.0

/// A point on the WGS 84 ellipsoid, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double

  /// Makes a point from degrees, which are not checked; see ``isValid``.
  @inlinable
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether latitude and longitude are finite and within their ranges.
  public var isValid: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }

  /// Reads `LAT,LON` as given on a command line; nil unless it is a valid coordinate.
  package init?(commandLine text: some StringProtocol) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = decimalNumber(parts[0]),
      let longitude = decimalNumber(parts[1])
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }

  /// The problem with the point, for a person; nil for a valid one.
  package var problem: String? {
    if !(abs(latitude) <= 90) { return Self.problem(latitude: latitude) }
    return abs(longitude) <= 180 ? nil : Self.problem(longitude: longitude)
  }

  /// The problem with `LAT,LON` as given on a command line, for a person; nil for a valid
  /// coordinate, and for a text that is not two numbers.
  package static func problem(commandLine text: some StringProtocol) -> String? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { decimalNumber($0) }
    guard numbers.count == 2 else { return nil }
    return Coordinate(latitude: numbers[0], longitude: numbers[1]).problem
  }

  static func problem(latitude: Double) -> String {
    "latitude \(latitude) is out of range, \u{2212}90 to 90"
  }

  static func problem(longitude: Double) -> String {
    "longitude \(longitude) is out of range, \u{2212}180 to 180"
  }
}

/// A point as OpenStreetMap stores it: in integer units of 10⁻⁷ degrees (about 11 mm).
///
/// Public, so that it is inlined in other modules.
@frozen
public struct FixedCoordinate: Hashable, Sendable {
  /// Units per degree.
  @inlinable public static var unitsPerDegree: Double { 1e7 }

  /// Units of 10⁻⁷ degrees north.
  public var latitude: Int32
  /// Units of 10⁻⁷ degrees east.
  public var longitude: Int32

  /// Makes a point from its units.
  @inlinable
  public init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Rounds a coordinate; nil if it is out of range or NaN.
  @inlinable
  public init?(_ coordinate: Coordinate) {
    guard abs(coordinate.latitude) <= 90, abs(coordinate.longitude) <= 180 else { return nil }
    latitude = Int32((coordinate.latitude * Self.unitsPerDegree).rounded())
    longitude = Int32((coordinate.longitude * Self.unitsPerDegree).rounded())
  }

  /// `LAT,LON` in degrees, as commands take it.
  package var text: String { "\(degrees.latitude),\(degrees.longitude)" }

  /// The same point in degrees.
  @inlinable
  public var degrees: Coordinate {
    Coordinate(
      latitude: Double(latitude) / Self.unitsPerDegree,
      longitude: Double(longitude) / Self.unitsPerDegree)
  }
}

/// Reads a decimal number, with or without spaces around it; nil for anything else, including
/// `nan`, `inf` and the hexadecimal `0x1p3`, which `Double` would accept.
package func decimalNumber(_ text: some StringProtocol) -> Double? {
  let word = trimmed(text)
  guard word.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
  return Double(word)
}

func trimmed(_ text: some StringProtocol) -> String {
  var view = Substring(text)
  while view.first?.isWhitespace == true { view.removeFirst() }
  while view.last?.isWhitespace == true { view.removeLast() }
  return String(view)
}
