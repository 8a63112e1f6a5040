// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite("Mapped summits")
struct SummitTests {
  private let top = (latitude: Int32(425_000_000), longitude: Int32(15_000_000))

  private func peak(_ metres: Double, unitsEast: Int32 = 0) -> Summits.Peak {
    Summits.Peak(latitude: top.latitude, longitude: top.longitude + unitsEast, metres: metres)
  }

  /// A point so many metres north of the top.
  private func latitude(_ metresNorth: Double) -> Int32 {
    top.latitude + Int32((metresNorth / (earthRadiusMetres * .pi / 180) * 1e7).rounded())
  }

  /// The elevations of points so many metres north of the top after raising them to the peaks.
  private func raised(
    _ points: [(metresNorth: Double, metres: Float)], _ peaks: [Summits.Peak], modelled: [Float]
  ) -> (elevations: [Float], raised: Int, refused: Int) {
    let coordinates = points.map { (latitude($0.metresNorth), top.longitude) }
    let summits = Summits(peaks, near: coordinates)
    #expect(summits.count == modelled.count)
    let (elevations, counts) = summits.raised(points.map(\.metres) + modelled)
    return (elevations, counts.raised, counts.refused)
  }

  @Test("the terrain is raised to a mapped summit, and less and less up to 250 m away from it")
  func taper() {
    let points: [(Double, Float)] = [
      (0, 2000), (125, 2000), (-200, 2000), (249, 2000), (251, 2000),
    ]
    let (elevations, count, refused) = raised(points, [peak(2030)], modelled: [2000])
    #expect(count == 1 && refused == 0)
    for (metres, expected) in zip(elevations, [2030, 2015, 2006, 2000.12, 2000] as [Float]) {
      #expect(abs(metres - expected) < 0.05)
    }
  }

  @Test("terrain 100 m below a summit is not raised, however near it is")
  func belowCliff() {
    let points: [(Double, Float)] = [(20, 1960), (20, 1900), (20, 1700)]
    let elevations = raised(points, [peak(2040)], modelled: [2000]).elevations
    #expect(abs(elevations[0] - (1960 + 40 * 0.6)) < 0.05)
    #expect(elevations[1...] == [1900, 1700])
  }

  @Test("a summit more than 80 m above or below the model is refused, one just below it ignored")
  func refused() {
    for (metres, refused) in [(2081.0, 1), (1919, 1), (1985, 0), (2000, 0)] {
      let result = raised([(0, 2000)], [peak(metres)], modelled: [2000])
      #expect(result.elevations == [2000] && result.raised == 0 && result.refused == refused)
    }
    #expect(raised([(0, 2000)], [peak(2080)], modelled: [2000]).elevations == [2080])
  }

  @Test("where two summits are near, the higher rise counts, whatever their order")
  func twins() {
    // 98 m east of the top.
    let other = peak(2060, unitsEast: 12_000)
    for peaks in [[peak(2020), other], [other, peak(2020)]] {
      let elevations = raised([(0, 2000)], peaks, modelled: [2000, 2000]).elevations
      #expect(abs(elevations[0] - (2000 + 60 * (1 - 98.4 / 250))) < 0.2)
    }
  }

  @Test("a summit that is mapped many times counts once, with its greatest elevation")
  func repeated() {
    let peaks = (0..<1000).map { peak(2000 + Double($0 % 41), unitsEast: Int32($0 % 10)) }
    #expect(raised([(0, 2000)], peaks, modelled: [2000]).elevations == [2040])
  }

  @Test("unknown elevations stay unknown, of the terrain and below a summit")
  func unknown() {
    #expect(raised([(0, .nan)], [peak(2030)], modelled: [2000]).elevations[0].isNaN)
    let result = raised([(0, 2000)], [peak(2030)], modelled: [.nan])
    #expect(result.elevations == [2000] && result.raised == 0)
  }

  @Test("the elevation of a peak is read in metres; other units and forms are not")
  func tags() {
    let tags: [(String, Double?)] = [
      ("2912", 2912), ("2912.38", 2912.38), ("2912,4", 2912.4), ("2912 m", 2912), ("2912m", 2912),
      ("-12", -12), ("9000", 9000), ("9001", nil), ("9550 ft", nil), ("2 912", nil), ("", nil),
      ("m", nil), ("~2900", nil), ("2900;2912", nil), ("2.900.1", nil), ("29120", nil),
      ("1e3", nil), ("0x10", nil), ("-", nil), ("2912.", nil), ("٢٩١٢", nil),
    ]
    for (tag, metres) in tags { #expect(TaggedElevation.metres(tag) == metres, "\(tag)") }
  }

  private func metres(from peak: Summits.Peak, to point: (latitude: Int32, longitude: Int32))
    -> Double
  {
    let metresPerUnit = earthRadiusMetres * .pi / 180 / 1e7
    let north = Double(Int(peak.latitude) - Int(point.latitude)) * metresPerUnit
    let east =
      Double(Int(peak.longitude) - Int(point.longitude)) * metresPerUnit
      * longitudeShrinking(atLatitude: Double(peak.latitude) / 1e7)
    return (north * north + east * east).squareRoot()
  }

  @Test("every point near a summit is found, at any latitude")
  func neighbours() {
    var random = SeededGenerator(seed: 3)
    for latitude in [0, 42.5, -42.5, 89.9, -89.999] {
      func unit(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
      let width = min(0.02 / longitudeShrinking(atLatitude: latitude), 100)
      func somewhere() -> (latitude: Int32, longitude: Int32) {
        (
          unit(max(-90, min(90, latitude + .random(in: -0.01...0.01, using: &random)))),
          unit(.random(in: -width...width, using: &random))
        )
      }
      var peaks: [Summits.Peak] = []
      while peaks.count < 60 {
        let (latitude, longitude) = somewhere()
        let peak = Summits.Peak(latitude: latitude, longitude: longitude, metres: 1010)
        // Of peaks in one square only one counts.
        if peaks.allSatisfy({ metres(from: peak, to: ($0.latitude, $0.longitude)) > 40 }) {
          peaks.append(peak)
        }
      }
      let points = (0..<400).map { _ in somewhere() }
      let summits = Summits(peaks, near: points)
      let elevations = summits.raised(
        [Float](repeating: 1000, count: points.count + summits.count)
      ).elevations
      for (index, point) in points.enumerated() {
        let share =
          peaks.map { 1 - metres(from: $0, to: point) / Summits.reachMetres }.max() ?? 0
        #expect(abs(Double(elevations[index]) - 1000 - 10 * max(0, share)) < 0.01)
      }
      #expect(elevations.contains { $0 > 1000 } && elevations.contains { $0 == 1000 })
    }
  }
}

extension Summits {
  /// Finds the peaks that are near one of the points.
  init(_ peaks: [Peak], near points: [(latitude: Int32, longitude: Int32)], threads: Int = 1) {
    let (latitudes, longitudes) = (
      Numbers(points.map(\.latitude)), Numbers(points.map(\.longitude))
    )
    var list = PointLists()
    list.append(latitudes, longitudes)
    self = withExtendedLifetime((latitudes, longitudes)) {
      Summits(peaks, near: list, threads: threads)
    }
  }

  /// The elevations of points after raising them, given those of points and peaks.
  func raised(_ terrain: [Float]) -> (elevations: [Float], counts: (raised: Int, refused: Int)) {
    var elevations = terrain
    let counts = elevations.withUnsafeMutableBufferPointer { raise($0) }
    return (elevations.dropLast(count), counts)
  }
}
