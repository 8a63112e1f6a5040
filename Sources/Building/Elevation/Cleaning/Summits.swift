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
  /// The nodes and samples near peaks, by point.
  private var neighbours: [Neighbour] = []
  /// The number of peaks in the region and near its ways. They come first.
  private(set) var regionCount = 0

  var count: Int { elevations.count }

  /// A node or sample near a peak.
  private struct Neighbour: BitwiseCopyable {
    let point: UInt32
    /// The number of the peak among all, and later among those near a point.
    var summit: UInt32
    /// The share of the peak's rise that its distance leaves.
    let share: Float
  }

  /// Finds the peaks of a file that are near a node or sample.
  ///
  /// - Parameter isInRegion: Whether a point is one of the region.
  init(
    _ trails: TrailsFile, near points: PointLists, threads: Int = 1,
    isInRegion: (_ point: Int) -> Bool
  ) {
    self.init(
      Self.mapped("peak", in: trails) + Self.inMargin(of: trails), near: points, threads: threads,
      isInRegion: isInRegion)
  }

  /// Finds the peaks that are near one of the points.
  init(
    _ peaks: [Peak], near points: PointLists, threads: Int = 1,
    isInRegion: (_ point: Int) -> Bool = { _ in true }
  ) {
    guard !peaks.isEmpty else { return }
    let peaks = Self.highest(peaks)
    let index = PeakIndex(peaks)
    var summits = [UInt32?](repeating: nil, count: peaks.count)
    var isOwn: [Bool] = []
    let cells = PeakCells(peaks)
    let found = mapPieces(of: points.count, threads: threads) { piece in
      var found: [Neighbour] = []
      points.forEachPart(of: piece) { part in
        cells.forEachPoint(of: part) { point, latitude, longitude in
          index.forEachPeak(nearLatitude: latitude, longitude: longitude) { peak, metres in
            found.append(
              Neighbour(
                point: UInt32(point), summit: UInt32(peak),
                share: Float(1 - metres / Self.reachMetres)))
          }
        }
      }
      return found
    }
    // Growing would copy them, and touch twice as much memory.
    neighbours.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for var neighbour in found.joined() {
      let peak = Int(neighbour.summit)
      let summit = summits[peak] ?? UInt32(count)
      if summits[peak] == nil {
        summits[peak] = summit
        self.latitudes.append(peaks[peak].latitude)
        self.longitudes.append(peaks[peak].longitude)
        elevations.append(peaks[peak].metres)
        isOwn.append(false)
      }
      if !peaks[peak].isInMargin, isInRegion(Int(neighbour.point)) { isOwn[Int(summit)] = true }
      neighbour.summit = summit
      neighbours.append(neighbour)
    }
    putFirst(isOwn)
  }

  /// Puts some peaks before the others, which are those of the margin.
  private mutating func putFirst(_ isOwn: [Bool]) {
    let order = isOwn.indices.filter { isOwn[$0] } + isOwn.indices.filter { !isOwn[$0] }
    regionCount = isOwn.count { $0 }
    if regionCount == count { return }
    latitudes = order.map { latitudes[$0] }
    longitudes = order.map { longitudes[$0] }
    elevations = order.map { elevations[$0] }
    var positions = [UInt32](repeating: 0, count: count)
    for (position, summit) in order.enumerated() { positions[summit] = UInt32(position) }
    for index in neighbours.indices {
      neighbours[index].summit = positions[Int(neighbours[index].summit)]
    }
  }

  /// Raises the terrain around the peaks; returns the numbers of raising and refused peaks of the
  /// region.
  ///
  /// - Parameter terrain: The model's elevations of the nodes, the samples and the peaks; NaN if unknown.
  func raise(_ terrain: UnsafeMutableBufferPointer<Float>) -> (raised: Int, refused: Int) {
    let modelled = terrain.suffix(count).map { Double($0) }
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
    let own = rises[..<regionCount]
    return (
      own.count { $0 > 0 && $0 <= Self.largestRiseMetres },
      own.count { abs($0) > Self.largestRiseMetres }
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
    /// Whether it lies in the margin of the region.
    var isInMargin = false
  }

  /// The points of interest with this value of `natural` and a plausible `ele`.
  static func mapped(_ kind: String, in trails: TrailsFile) -> [Peak] {
    let points = trails.pointsOfInterest
    return elevations(of: kind, points.tags, trails.strings).map { point, metres in
      Peak(latitude: points.latitudes[point], longitude: points.longitudes[point], metres: metres)
    }
  }

  /// The peaks of the margin with a plausible `ele`.
  private static func inMargin(of trails: TrailsFile) -> [Peak] {
    guard let margin = trails.margin else { return [] }
    return elevations(of: "peak", margin.peakTags, trails.strings).map { peak, metres in
      Peak(
        latitude: margin.peakLatitudes[peak], longitude: margin.peakLongitudes[peak],
        metres: metres, isInMargin: true)
    }
  }

  /// The objects with this value of `natural` and a plausible `ele`, and that in metres.
  private static func elevations(of kind: String, _ tags: TagTable, _ strings: StringTable) -> [(
    object: Int, metres: Double
  )] {
    guard let natural = strings.index(of: "natural"), let kind = strings.index(of: kind),
      let ele = strings.index(of: "ele")
    else { return [] }
    return (0..<tags.count).compactMap { object in
      guard tags.value(of: natural, on: object) == kind,
        let value = tags.value(of: ele, on: object),
        let metres = TaggedElevation.metres(strings[Int(value)])
      else { return nil }
      return (object, metres)
    }
  }

  /// The highest peak of each square, which limits the number near any point. Ties are decided by
  /// location, not by being in the margin.
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
      if let other = highest[square],
        (-peaks[other].metres, peaks[other].latitude, peaks[other].longitude)
          <= (-peak.metres, peak.latitude, peak.longitude)
      {
        continue
      }
      highest[square] = index
    }
    return highest.values.sorted().map { peaks[$0] }
  }

  /// The length in metres of 10⁻⁷ degrees of latitude.
  static let metresPerUnit = earthRadiusMetres * .pi / 180 / 1e7
}
