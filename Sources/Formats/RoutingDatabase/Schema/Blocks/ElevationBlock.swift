// SPDX-License-Identifier: Apache-2.0

/// The elevation profiles of ``edges`` consecutive edges, as three blobs of a row of
/// `routing_elevation_blocks`, whose `block` is (edge − 1) / ``edges``.
///
/// `slopes` are the largest slopes in hundredths of a percent plus half the range of their width
/// (``PackedNumbers``): 32 768 or 2³¹. `profiles` are the blobs of ``EdgeElevation``, one after
/// another, and `ends` are their ends in `profiles`. An edge with unknown elevation has an empty
/// profile and the number 0 as its slope, without the addition. A block without any profile is left
/// out.
package struct ElevationBlock {
  /// The number of edges in a block; the last one may have fewer. Small enough to read little for
  /// one edge, and large enough that the overhead of a row hardly counts.
  package static let edges = 32
  /// The greatest slope that is written, in percent, up or down.
  private static let greatestSlope = 2e7

  private let slopes: PackedNumbers
  private let ends: PackedNumbers
  private let profiles: UnsafeRawBufferPointer

  /// A block of three blobs, which must stay valid; nil if they are damaged.
  package init?(
    slopes: UnsafeRawBufferPointer, ends: UnsafeRawBufferPointer, profiles: UnsafeRawBufferPointer
  ) {
    guard let slopes = PackedNumbers(slopes), let ends = PackedNumbers(ends),
      slopes.count == ends.count, slopes.count <= Self.edges
    else { return nil }
    var last = 0
    for index in 0..<ends.count {
      guard ends[index] >= last, ends[index] <= profiles.count else { return nil }
      last = ends[index]
    }
    guard last == profiles.count else { return nil }
    self.slopes = slopes
    self.ends = ends
    self.profiles = profiles
  }

  /// The number of edges.
  package var count: Int { ends.count }

  /// The blob of an edge by its index below ``count``; empty where the elevation is unknown.
  package func profile(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: profiles[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
  }

  /// The largest slope of an edge in percent; nil where the elevation is unknown.
  package func slope(_ index: Int) -> Double? { Self.slope(slopes, index) }

  /// The same from `slopes` alone.
  static func slope(_ slopes: PackedNumbers, _ index: Int) -> Double? {
    let number = slopes[index]
    return number == 0 ? nil : Double(number - (1 << (8 * slopes.width - 1))) / 100
  }

  /// A slope in percent as written, before the addition.
  static func hundredths(_ slope: Double) -> Int {
    Int((min(max(slope, -greatestSlope), greatestSlope) * 100).rounded())
  }

  /// The width of numbers for slopes; that of an unknown one does not matter.
  static func width(ofHundredths slopes: [Int]) -> Int {
    slopes.allSatisfy { $0 == .min || abs($0) < 1 << 15 } ? 2 : 4
  }

  /// `slopes` for slopes in percent, nil where the elevation is unknown.
  package static func packSlopes(_ slopes: [Double?]) -> [UInt8] {
    let known = slopes.map { $0.map(hundredths) }
    let width = width(ofHundredths: known.map { $0 ?? .min })
    let half = 1 << (8 * width - 1)
    return PackedNumbers.pack(known.map { $0.map { $0 + half } ?? 0 }, width: width)
  }
}
