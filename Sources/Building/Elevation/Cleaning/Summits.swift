// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy
import TrailData

/// Peaks whose elevation is mapped, and the nodes and samples around them.
///
/// Each post of a terrain model is a mean of the ground around it. Slopes and saddles survive that,
/// but summits lose their tops. Where a peak has a tag `ele`, the terrain is raised to it, and around
/// it by a share that falls to 0 at ``reachMetres`` from the peak and ``reachBelowMetres`` below it.
struct Summits {
  /// How far away from a peak the terrain is raised, in metres.
  static let reachMetres = 250.0
  /// How far below a peak the terrain is raised, in metres.
  static let reachBelowMetres = 100.0
  /// A peak that the model differs from by more, in metres, is refused: its tag or its position is
  /// wrong.
  static let largestRiseMetres = 80.0
  /// Of the peaks in a square of this size, in metres, the highest counts.
  static let squareMetres = 25.0

  /// Latitudes of the peaks near the network in 10⁻⁷ degrees.
  private(set) var latitudes: [Int32] = []
  /// Their longitudes.
  private(set) var longitudes: [Int32] = []
  /// Their mapped elevations in metres.
  private(set) var elevations: [Double] = []
  /// The nodes and samples near peaks, with the share of each peak’s rise that their distance
  /// leaves them; by point.
  private var neighbours: [(point: UInt32, summit: UInt32, share: Float)] = []

  var count: Int { elevations.count }

  /// Finds the peaks of a file that are near a node or sample.
  init(_ trails: TrailsFile, _ samplePoints: SamplePoints) {
    self.init(Self.mapped("peak", in: trails), samplePoints.latitudes, samplePoints.longitudes)
  }

  /// Finds the peaks that are near one of the points.
  init(_ peaks: [Peak], _ latitudes: [Int32], _ longitudes: [Int32]) {
    guard !peaks.isEmpty else { return }
    let peaks = Self.highest(peaks)
    let index = PeakIndex(peaks)
    var summits = [UInt32?](repeating: nil, count: peaks.count)
    let cells = PeakCells(peaks)
    for point in latitudes.indices
    where cells.mayHavePeak(nearLatitude: latitudes[point], longitude: longitudes[point]) {
      index.forEachPeak(nearLatitude: latitudes[point], longitude: longitudes[point]) {
        peak, metres in
        let summit = summits[peak] ?? UInt32(count)
        if summits[peak] == nil {
          summits[peak] = summit
          self.latitudes.append(peaks[peak].latitude)
          self.longitudes.append(peaks[peak].longitude)
          elevations.append(peaks[peak].metres)
        }
        neighbours.append((UInt32(point), summit, Float(1 - metres / Self.reachMetres)))
      }
    }
  }

  /// Raises the terrain around the peaks; returns how many peaks did so and how many were refused.
  ///
  /// - Parameter terrain: The model's elevations of the nodes, the samples and the peaks; NaN where
  ///   unknown. Those of the peaks are removed.
  func raise(_ terrain: inout [Float]) -> (raised: Int, refused: Int) {
    let modelled = terrain.suffix(count).map { Double($0) }
    terrain.removeLast(count)
    let rises = zip(elevations, modelled).map { $0 - $1 }
    var next = neighbours.startIndex
    while next < neighbours.endIndex {
      let point = neighbours[next].point
      let metres = Double(terrain[Int(point)])
      var rise = 0.0
      while next < neighbours.endIndex, neighbours[next].point == point {
        let summit = Int(neighbours[next].summit)
        let below = modelled[summit] - metres
        if (0...Self.largestRiseMetres).contains(rises[summit]), below < Self.reachBelowMetres {
          let share = min(Double(neighbours[next].share), 1 - below / Self.reachBelowMetres)
          rise = max(rise, rises[summit] * share)
        }
        next += 1
      }
      if rise > 0 { terrain[Int(point)] = Float(metres + rise) }
    }
    return (
      rises.count { $0 > 0 && $0 <= Self.largestRiseMetres },
      rises.count { abs($0) > Self.largestRiseMetres }
    )
  }
}

extension Summits {
  /// A peak with a mapped elevation.
  struct Peak {
    /// 10⁻⁷ degrees north.
    let latitude: Int32
    /// 10⁻⁷ degrees east.
    let longitude: Int32
    /// Metres above sea level.
    let metres: Double
  }

  /// The points of interest with this value of `natural` and a plausible `ele`.
  static func mapped(_ kind: String, in trails: TrailsFile) -> [Peak] {
    let strings = trails.strings
    guard let natural = strings.index(of: "natural"), let kind = strings.index(of: kind),
      let ele = strings.index(of: "ele")
    else { return [] }
    let points = trails.pointsOfInterest
    var peaks: [Peak] = []
    for point in 0..<points.count where points.tags.value(of: natural, on: point) == kind {
      guard let value = points.tags.value(of: ele, on: point),
        let metres = metres(strings[Int(value)])
      else { continue }
      let coordinate = points.coordinate(point)
      peaks.append(
        Peak(latitude: coordinate.latitude, longitude: coordinate.longitude, metres: metres))
    }
    return peaks
  }

  /// The highest peak of each square, so that no point is near very many.
  private static func highest(_ peaks: [Peak]) -> [Peak] {
    struct Square: Hashable {
      let row: Int
      let column: Int
    }
    let rowUnits = squareMetres / metresPerUnit
    var highest: [Square: Int] = [:]
    for (index, peak) in peaks.enumerated() {
      let row = (Double(peak.latitude) / rowUnits).rounded(.down)
      let shrinking = longitudeShrinking(atLatitude: row * rowUnits / 1e7)
      let column = (Double(peak.longitude) * shrinking / rowUnits).rounded(.down)
      let square = Square(row: Int(row), column: Int(column))
      if let other = highest[square], peaks[other].metres >= peak.metres { continue }
      highest[square] = index
    }
    return highest.values.sorted().map { peaks[$0] }
  }

  /// How many metres 10⁻⁷ degrees of latitude are.
  fileprivate static let metresPerUnit = earthRadiusMetres * .pi / 180 / 1e7

  /// The metres in a tag `ele`, such as `2912`, `2912.4`, `2912,4` or `2912 m`; nil for any other
  /// unit or form and for elevations that no terrain has.
  static func metres(_ tag: String) -> Double? {
    var text = Substring(tag)
    if text.hasSuffix("m") {
      text.removeLast()
      if text.hasSuffix(" ") { text.removeLast() }
    }
    let isBelowSea = text.hasPrefix("-")
    if isBelowSea { text.removeFirst() }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard 1...2 ~= parts.count, parts.allSatisfy({ 1...4 ~= $0.utf8.count }),
      parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
      let metres = Double(parts.joined(separator: ".")),
      metres <= Double(HGTTile.plausibleMetres.upperBound)
    else { return nil }
    return isBelowSea ? -metres : metres
  }
}

/// Finds the peaks around a point: rows from south to north, in each of them the peaks within reach,
/// from west to east.
private struct PeakIndex {
  /// The height of a row in 10⁻⁷ degrees, 250.2 m: no less than the reach of a peak. A literal makes
  /// the division fast.
  private static let rowUnits = 22_500

  private let peaks: [Summits.Peak]
  /// How many metres 10⁻⁷ degrees of longitude are at each peak.
  private let metresPerUnitEast: [Double]
  private let firstRow: Int
  /// The index of the first entry of each row, and finally the count.
  private var offsets: [Int]
  /// Peaks, each in its own row and in those beside it.
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

  /// Calls `body` with each peak that is nearer than ``Summits/reachMetres``, and its distance.
  @inline(__always)
  func forEachPeak(
    nearLatitude latitude: Int32, longitude: Int32, _ body: (_ peak: Int, _ metres: Double) -> Void
  ) {
    let row = Self.row(ofLatitude: latitude) - firstRow
    guard row >= 0, row < reaches.count, offsets[row] < offsets[row + 1] else { return }
    let west = Int(longitude) - reaches[row]
    let east = Int(longitude) + reaches[row]
    let range = entries[offsets[row]..<offsets[row + 1]]
    for entry in range[range.partitioningIndex { $0.longitude >= west }...] {
      guard entry.longitude <= east else { break }
      let north = Double(Int(peaks[entry.peak].latitude) - Int(latitude)) * Summits.metresPerUnit
      let side = Double(entry.longitude - Int(longitude)) * metresPerUnitEast[entry.peak]
      let metres = (north * north + side * side).squareRoot()
      if metres < Summits.reachMetres { body(entry.peak, metres) }
    }
  }
}

/// Says quickly of most points that no peak is near: one bit for each cell of about 365 m that a peak
/// reaches. Cells share bits, so a point may be told wrongly that a peak is near.
private struct PeakCells {
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

  @inline(__always)
  func mayHavePeak(nearLatitude latitude: Int32, longitude: Int32) -> Bool {
    let bit = bit(Int(latitude) >> Self.cellShift, Int(longitude) >> Self.cellShift)
    return words[bit >> 6] >> UInt64(bit & 63) & 1 != 0
  }
}
