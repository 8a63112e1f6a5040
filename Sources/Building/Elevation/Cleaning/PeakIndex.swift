// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

/// Finds the peaks around a point: rows from south to north, in each of them the peaks within reach,
/// from west to east.
struct PeakIndex: Sendable {
  /// The height of a row in 10⁻⁷ degrees, 250.2 m: no less than the reach of a peak. A literal makes
  /// the division fast.
  private static let rowUnits = 22_500

  private let peaks: [Summits.Peak]
  /// The length in metres of 10⁻⁷ degrees of longitude at each peak.
  private let metresPerUnitEast: [Double]
  private let firstRow: Int
  /// The index of the first entry of each row, and finally the count.
  private var offsets: [Int]
  /// Peaks, each in its own row and in the adjacent ones.
  private var entries: [(longitude: Int, peak: Int)] = []
  /// The largest reach of the peaks in each row in 10⁻⁷ degrees of longitude.
  private var reaches: [Int]

  init(_ peaks: [Summits.Peak]) {
    self.peaks = peaks
    metresPerUnitEast = peaks.map {
      Summits.metresPerUnit * longitudeShrinking(atLatitude: Double($0.latitude) / 1e7)
    }
    let rows = peaks.map { Self.row(ofLatitude: $0.latitude) }
    let first = (rows.min() ?? 0) - 1
    let last = (rows.max() ?? 0) + 1
    firstRow = first
    reaches = Array(repeating: 0, count: last - first + 1)
    var peaksOfRows = [[Int]](repeating: [], count: last - first + 1)
    for peak in peaks.indices {
      let reach = min(Summits.reachMetres / max(metresPerUnitEast[peak], 1e-9), 3.6e9)
      for row in rows[peak] - first - 1...rows[peak] - first + 1 {
        peaksOfRows[row].append(peak)
        reaches[row] = max(reaches[row], Int(reach.rounded(.up)))
      }
    }
    offsets = [0]
    for row in peaksOfRows {
      entries += row.map { (Int(peaks[$0].longitude), $0) }.sorted { $0 < $1 }
      offsets.append(entries.count)
    }
  }

  private static func row(ofLatitude latitude: Int32) -> Int {
    // From the pole, so that no division is negative.
    (Int(latitude) + 900_000_000) / rowUnits
  }

  /// Calls `body` with each peak nearer than ``Summits/reachMetres``, and its distance.
  @inline(__always)
  func forEachPeak(
    nearLatitude latitude: Int32, longitude: Int32, _ body: (_ peak: Int, _ metres: Double) -> Void
  ) {
    let row = Self.row(ofLatitude: latitude) - firstRow
    guard row >= 0, row < reaches.count, offsets[row] < offsets[row + 1] else { return }
    let west = Int(longitude) - reaches[row]
    let east = Int(longitude) + reaches[row]
    let end = offsets[row + 1]
    // A slice would count references for each point.
    var next = (offsets[row]..<end).partitioningIndex { entries[$0].longitude >= west }
    while next < end, entries[next].longitude <= east {
      let entry = entries[next]
      next += 1
      let north = Double(Int(peaks[entry.peak].latitude) - Int(latitude)) * Summits.metresPerUnit
      let side = Double(entry.longitude - Int(longitude)) * metresPerUnitEast[entry.peak]
      let metres = (north * north + side * side).squareRoot()
      if metres < Summits.reachMetres { body(entry.peak, metres) }
    }
  }
}

/// A quick test that excludes most points far from any peak: one bit for each cell of about 365 m
/// that a peak reaches. Cells share bits, so false positives are possible.
struct PeakCells: Sendable {
  /// The height and width of a cell is 2¹⁵ · 10⁻⁷ degrees.
  private static let cellShift = 15
  /// How far a peak reaches to the north and south in 10⁻⁷ degrees: 250.2 m.
  private static let reachUnits = 22_500
  /// Near the poles, where peaks reach farther than this to the east and west, all bits are set.
  private static let largestReachUnits = 100 << cellShift

  private var words: [UInt64]
  private let mask: Int

  init(_ peaks: [Summits.Peak]) {
    // A peak reaches about ten cells; most bits must stay 0.
    var bits = 1 << 12
    while bits < 128 * peaks.count, bits < 1 << 30 { bits *= 2 }
    mask = bits - 1
    words = [UInt64](repeating: 0, count: bits / 64)
    for peak in peaks {
      let shrinking = longitudeShrinking(atLatitude: Double(peak.latitude) / 1e7)
      let reach = Summits.reachMetres / max(Summits.metresPerUnit * shrinking, 1e-9)
      guard reach <= Double(Self.largestReachUnits) else {
        words = [UInt64](repeating: .max, count: bits / 64)
        return
      }
      let (latitude, longitude) = (Int(peak.latitude), Int(peak.longitude))
      let reachEast = Int(reach.rounded(.up))
      let rows = Self.cells(latitude - Self.reachUnits...latitude + Self.reachUnits)
      for row in rows {
        for column in Self.cells(longitude - reachEast...longitude + reachEast) {
          let bit = bit(row, column)
          words[bit >> 6] |= 1 << UInt64(bit & 63)
        }
      }
    }
  }

  private static func cells(_ units: ClosedRange<Int>) -> ClosedRange<Int> {
    units.lowerBound >> cellShift...units.upperBound >> cellShift
  }

  /// The bit of a cell.
  @inline(__always)
  private func bit(_ row: Int, _ column: Int) -> Int {
    let mixed = (row &* 0x2545_F491 &+ column) &* 0x9E37_79B9_7F4A_7C1
    return (mixed >> 24) & mask
  }

  /// Calls `body` with each point that may have a peak nearby.
  @inline(__always)
  func forEachPoint(
    of part: PointLists.Part, _ body: (_ point: Int, _ latitude: Int32, _ longitude: Int32) -> Void
  ) {
    words.withUnsafeBufferPointer { words in
      for index in part.latitudes.indices {
        let (latitude, longitude) = (part.latitudes[index], part.longitudes[index])
        let bit = bit(Int(latitude) >> Self.cellShift, Int(longitude) >> Self.cellShift)
        guard words[bit >> 6] >> UInt64(bit & 63) & 1 != 0 else { continue }
        body(part.start + index, latitude, longitude)
      }
    }
  }
}
