// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A point of the sample map with a name for examples and tests.
package enum Landmark: String, CaseIterable, Sendable {
  /// The square of the western village.
  case unterarvenSquare = "Unterarven, Dorfplatz"
  /// The bus stop, where the hike begins.
  case unterarvenBusStop = "Unterarven, bus stop"
  /// The hut on the way to the pass.
  case kraehenhuette = "Krähenhütte"
  /// The pass between the two regions.
  case kraehenjoch = "Krähenjoch"
  /// The highest summit.
  case arvenspitze = "Arvenspitze"
  /// The tarn above the western village.
  case milchsee = "Milchsee, shore"
  /// The lake in the east.
  case arvensee = "Arvensee, western landing"
  /// The square of the eastern village.
  case hinterarvenSquare = "Hinterarven, Kapellplatz"
  /// A summit that only a via ferrata and an alpine path reach.
  case grauerZahn = "Grauer Zahn"
  /// The path on the island, without connection.
  case island = "Arvensee, island"

  var point: PlanePoint {
    switch self {
    case .unterarvenSquare: PlanePoint(3640, 3050)
    case .unterarvenBusStop: PlanePoint(3600, 2760)
    case .kraehenhuette: PlanePoint(6130, 5640)
    case .kraehenjoch: PlanePoint(7500, 6700)
    case .arvenspitze: PlanePoint(7400, 8600)
    case .milchsee: PlanePoint(2330, 7570)
    case .arvensee: PlanePoint(11637, 2350)
    case .hinterarvenSquare: PlanePoint(10800, 3130)
    case .grauerZahn: PlanePoint(5200, 8000)
    case .island: PlanePoint(12900, 2400)
    }
  }

  /// The coordinate. Every landmark is a node of a way.
  package var coordinate: FixedCoordinate { point.fixed }
}
