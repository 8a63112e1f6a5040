// SPDX-License-Identifier: Apache-2.0

/// The elevation profile of an edge: evenly spaced elevations along it.
///
/// The blob is a version byte, 1, followed by varints (seven bits a byte, the lowest ones first,
/// the eighth bit set in all but the last byte of a varint): the first elevation and then the
/// difference from each to the next, in centimetres, zigzag encoded (0, −1, 1, −2, … are 0, 1, 2,
/// 3, …).
public struct EdgeElevation: Hashable, Sendable {
  /// The version of the blob format.
  package static let version: UInt8 = 1
  /// The greatest elevation or depth in metres that is written or accepted.
  package static let greatestMetres = 20_000.0

  /// The slope of the steepest stretch between neighbouring ``elevations`` in percent:
  /// rise over run, positive where it climbs, negative where it descends.
  public var maximumSlope: Double
  /// Metres above sea level at the distances k·L/n from the start of an edge of length L, for
  /// k = 0…n, at least two. They are at most 30 m apart (more in edges of over 600 km).
  public var elevations: [Float]

  /// Makes a profile of at least two elevations.
  public init(maximumSlope: Double, elevations: [Float]) {
    self.maximumSlope = maximumSlope
    self.elevations = elevations
  }

  /// The profile in the other direction.
  public func reversed() -> EdgeElevation {
    EdgeElevation(maximumSlope: 0 - maximumSlope, elevations: elevations.reversed())
  }

  /// The elevation at a share of the edge's length, 0…1, interpolated linearly.
  public func elevation(at share: Double) -> Double {
    let intervals = Double(elevations.count - 1)
    let position = min(max(share, 0), 1) * intervals
    let before = Int(position.rounded(.down))
    let one = Double(elevations[before])
    guard before + 1 < elevations.count else { return one }
    return one + (position - Double(before)) * (Double(elevations[before + 1]) - one)
  }

  /// The shares of the edge's length, from `start` to `end` inclusive, between which the slope is
  /// even.
  package func shares(from start: Double, to end: Double) -> [Double] {
    let intervals = Double(elevations.count - 1)
    let inner = (0..<elevations.count).lazy.map { Double($0) / intervals }
    return [start] + inner.filter { $0 > start && $0 < end } + [end]
  }

  /// Metres climbed and descended between two shares of the edge's length.
  public func climb(from start: Double, to end: Double) -> (gain: Double, loss: Double) {
    var (gain, loss) = (0.0, 0.0)
    var last = elevation(at: start)
    for share in shares(from: start, to: end).dropFirst() {
      let next = elevation(at: share)
      if next > last { gain += next - last } else { loss += last - next }
      last = next
    }
    return (gain, loss)
  }

  /// Elevations as a blob, precise to half a centimetre; nil if there are fewer than two or one of
  /// them is beyond ``greatestMetres``.
  package static func pack(_ elevations: [Float]) -> [UInt8]? {
    var isPacked = false
    let bytes = [UInt8](unsafeUninitializedCapacity: greatestSize(count: elevations.count)) {
      buffer, count in
      let size = elevations.withUnsafeBufferPointer {
        pack($0, into: UnsafeMutableRawBufferPointer(buffer))
      }
      isPacked = size != nil
      count = size ?? 0
    }
    return isPacked ? bytes : nil
  }

  /// The greatest size of a blob in bytes: no difference takes more than four.
  static func greatestSize(count: Int) -> Int { 1 + 4 * count }

  /// Writes elevations as a blob into a buffer of ``greatestSize(count:)``, and returns its size; nil
  /// if they cannot be packed, which leaves the content undefined.
  static func pack(
    _ elevations: UnsafeBufferPointer<Float>, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard elevations.count > 1, buffer.count >= greatestSize(count: elevations.count) else {
      return nil
    }
    buffer[0] = version
    var size = 1
    var previous = 0
    for metres in elevations {
      guard abs(metres) <= Float(greatestMetres) else { return nil }
      // Rounded to the nearest, halves away from zero. The sum is exact: a Float has 24 bits, 100
      // has 7, and a Double 53.
      let exact = Double(metres) * 100
      let centimetres = Int(exact + (exact < 0 ? -0.5 : 0.5))
      let difference = centimetres - previous
      var rest = UInt32(truncatingIfNeeded: difference << 1 ^ difference >> 63)
      while rest >= 0x80 {
        buffer[size] = UInt8(truncatingIfNeeded: rest) | 0x80
        rest >>= 7
        size += 1
      }
      buffer[size] = UInt8(truncatingIfNeeded: rest)
      size += 1
      previous = centimetres
    }
    return size
  }

  /// The elevations of a blob, or nil if it is damaged: of another version, truncated, with fewer
  /// than two elevations or with one beyond ``greatestMetres``.
  public static func unpack(_ bytes: UnsafeRawBufferPointer) -> [Float]? {
    var elevations: [Float] = []
    return unpack(bytes, into: &elevations) ? elevations : nil
  }

  /// Replaces the content of an array with the elevations of a blob; false if the blob is damaged,
  /// which leaves the array undefined.
  package static func unpack(_ bytes: UnsafeRawBufferPointer, into elevations: inout [Float])
    -> Bool
  {
    elevations.removeAll(keepingCapacity: true)
    // Most differences take one byte or two.
    elevations.reserveCapacity(bytes.count)
    guard bytes.first == version else { return false }
    var centimetres = 0
    var next = 1
    while next < bytes.count {
      var value = UInt64(bytes[next] & 0x7F)
      var shift: UInt64 = 7
      while bytes[next] & 0x80 != 0 {
        next += 1
        // No difference of two elevations needs more than four bytes.
        guard shift < 28, next < bytes.count else { return false }
        value |= UInt64(bytes[next] & 0x7F) << shift
        shift += 7
      }
      next += 1
      centimetres += Int(value >> 1) ^ -Int(value & 1)
      guard abs(centimetres) <= Int(greatestMetres * 100) else { return false }
      elevations.append(Float(Double(centimetres) / 100))
    }
    return elevations.count > 1
  }

  /// The elevations of a blob; see ``unpack(_:)-(UnsafeRawBufferPointer)``.
  public static func unpack(_ bytes: [UInt8]) -> [Float]? {
    bytes.withUnsafeBytes { unpack($0) }
  }
}
