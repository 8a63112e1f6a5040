// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import Elevation
import TrailData

/// Peaks and huts whose `ele` differs from the terrain.
struct ElevationCheck {
  /// The distance from a point within which terrain counts, since the position may be off by as
  /// much.
  private static let radiusMetres = 150.0
  private static let stepMetres = 50.0
  /// The difference from all of that terrain within which a tag is credible.
  private static let credibleMetres = 40.0
  /// A model of 3″ cuts off summits: verified ones in Andorra are up to 63 m above it.
  private static let credibleSummitMetres = 70.0
  private static let summits: Set<String?> = ["arete", "peak", "ridge", "volcano"]

  private let map: CheckedMap
  private let elevations: ElevationDataManager

  init(_ map: CheckedMap, _ elevations: ElevationDataManager) {
    (self.map, self.elevations) = (map, elevations)
  }

  func findings() throws(CairnError) -> [MapFinding] {
    try map.pointsOfInterest { object, place, tags throws(CairnError) in
      guard let ele = tags["ele"], let metres = TaggedElevation.metres(ele),
        let terrain = try terrain(around: place)
      else { return nil }
      let above =
        Self.summits.contains(tags["natural"])
        ? Self.credibleSummitMetres : Self.credibleMetres
      guard metres > terrain.upperBound + above || metres < terrain.lowerBound - Self.credibleMetres
      else { return nil }
      return MapFinding(
        kind: .elevation, objects: [object], place: place,
        text: "\(tags["name"] ?? "this point") has ele=\(ele), and the terrain around it is "
          + "\(Int(terrain.lowerBound)) to \(Int(terrain.upperBound)) m high")
    }
  }

  /// The elevations of the terrain near a point; nil if one is unknown.
  private func terrain(around point: Coordinate) throws(CairnError) -> ClosedRange<Double>? {
    var (low, high) = (Double.infinity, -Double.infinity)
    let steps = Int(Self.radiusMetres / Self.stepMetres)
    for row in -steps...steps {
      for column in -steps...steps {
        let (east, north) = (Double(column) * Self.stepMetres, Double(row) * Self.stepMetres)
        guard let sample = try elevations.elevation(at: point.moved(east: east, north: north))
        else {
          return nil
        }
        (low, high) = (min(low, Double(sample.metres)), max(high, Double(sample.metres)))
      }
    }
    return low...high
  }
}
