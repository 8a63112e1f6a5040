// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import TrailData

/// Peaks whose elevation is mapped, and the nodes and samples around them.
///
/// Each post of a terrain model is a mean of the ground around it. Slopes and saddles survive that,
/// but summits lose their tops. Where a peak has a tag `ele`, the terrain is raised to it, and around
/// it by a share that falls to 0 at ``reachMetres`` from the peak and ``reachBelowMetres`` below it.
struct Summits: Sendable {
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
  init(_ trails: TrailsFile, near points: PointLists, threads: Int = 1) {
    self.init(Self.mapped("peak", in: trails), near: points, threads: threads)
  }

  /// Finds the peaks that are near one of the points.
  init(_ peaks: [Peak], near points: PointLists, threads: Int = 1) {
    guard !peaks.isEmpty else { return }
    let peaks = Self.highest(peaks)
    let index = PeakIndex(peaks)
    var summits = [UInt32?](repeating: nil, count: peaks.count)
    let cells = PeakCells(peaks)
    let candidates = mapPieces(of: points.count, threads: threads) { piece in
      var candidates: [UInt32] = []
      points.forEachPart(of: piece) { part in
        for index in part.latitudes.indices
        where cells.mayHavePeak(
          nearLatitude: part.latitudes[index], longitude: part.longitudes[index])
        { candidates.append(UInt32(part.start + index)) }
      }
      return candidates
    }
    for point in candidates.joined() {
      let coordinate = points[Int(point)]
      index.forEachPeak(nearLatitude: coordinate.latitude, longitude: coordinate.longitude) {
        peak, metres in
        let summit = summits[peak] ?? UInt32(count)
        if summits[peak] == nil {
          summits[peak] = summit
          self.latitudes.append(peaks[peak].latitude)
          self.longitudes.append(peaks[peak].longitude)
          elevations.append(peaks[peak].metres)
        }
        neighbours.append((point, summit, Float(1 - metres / Self.reachMetres)))
      }
    }
  }

  /// Raises the terrain around the peaks; returns how many peaks did so and how many were refused.
  ///
  /// - Parameter terrain: The model's elevations of the nodes, the samples and the peaks, rounded to
  ///   Float; NaN where unknown.
  func raise(_ terrain: UnsafeMutableBufferPointer<Double>) -> (raised: Int, refused: Int) {
    let modelled = Array(terrain.suffix(count))
    let rises = zip(elevations, modelled).map { $0 - $1 }
    var next = neighbours.startIndex
    while next < neighbours.endIndex {
      let point = neighbours[next].point
      let metres = terrain[Int(point)]
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
      if rise > 0 { terrain[Int(point)] = Double(Float(metres + rise)) }
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
        let metres = TaggedElevation.metres(strings[Int(value)])
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
  static let metresPerUnit = earthRadiusMetres * .pi / 180 / 1e7
}
