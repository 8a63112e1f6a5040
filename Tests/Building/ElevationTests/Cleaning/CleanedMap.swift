// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Glibc
import RoutingGraph
import TestSupport
import Testing
import TrailData

@testable import Elevation

/// A map on a terrain given as a formula, with cleaned elevations and as a graph.
struct CleanedMap {
  private let folder: TemporaryFolder
  let elevated: TrailsFile
  let graph: GraphFile
  let tooSteepSteps: Int
  let excessSteps: [SlopeLimit.Excess]

  /// - Parameter height: Metres above sea level at so many metres east and south of the map’s
  ///   corner; NaN where unknown.
  init(
    _ map: AsciiMap, _ cleaning: ElevationCleaning = .standard,
    height: (_ east: Double, _ south: Double) -> Double
  ) throws {
    folder = try TemporaryFolder()
    let files = ElevatedFiles(in: folder, name: "map")
    let trails = try TrailsFile(try map.trailsFile(in: folder))
    let network = WayNetwork(trails)
    let samplePoints = try SamplePoints(network, stepMetres: cleaning.stepMetres)
    let coordinates = allPoints(network, samplePoints)
    let metresPerDegree = earthRadiusMetres * Double.pi / 180
    let shrinking = longitudeShrinking(atLatitude: 47)
    let points = coordinates.map { point in
      (
        east: Double(point.longitude - 100_000_000) / 1e7 * metresPerDegree * shrinking,
        south: Double(470_000_000 - point.latitude) / 1e7 * metresPerDegree
      )
    }
    // As steep as between the posts of a tile of 3″.
    let steepness = points.map { east, south in
      let slopes = [
        height(east + 45, south) - height(east - 45, south),
        height(east, south + 45) - height(east, south - 45),
      ].map { $0 / 90 }
      let percent = 100 * (slopes[0] * slopes[0] + slopes[1] * slopes[1]).squareRoot()
      return percent.isNaN ? 0 : UInt8(min(percent, 255))
    }
    let terrain = SampledTerrain(
      elevations: points.map { Float(height($0.east, $0.south)) }, steepness: steepness)
    var cleaner = ElevationCleaner(network, samplePoints, cleaning)
    cleaner.clean(terrain)
    tooSteepSteps = cleaner.excessSteps.count
    excessSteps = cleaner.excessSteps
    try write(terrain, network, samplePoints, to: files.elevated)
    elevated = try files.open()
    let graphPath = folder.file("map.graph")
    try runStage(BuildGraphCommand.self, files.arguments + ["--output", graphPath])
    graph = try GraphFile(graphPath)
  }

  /// The elevation of a letter’s node.
  func elevation(_ letter: Character) throws -> Float {
    let id = try #require(AsciiMap.nodeID(letter))
    let index = try #require(elevated.nodeIDs.firstIndex(of: id))
    return try #require(elevated.elevations)[index]
  }

  func elevations(_ letters: String) throws -> [Float] { try letters.map { try elevation($0) } }

  var gain: Double { graph.gains.reduce(0, +) }
  var loss: Double { graph.losses.reduce(0, +) }
}

/// The coordinates of all nodes and then of the samples.
func allPoints(_ network: WayNetwork, _ samplePoints: SamplePoints) -> [FixedCoordinate] {
  let columns = network.columns
  let nodes = columns.latitudes.indices.map { columns.coordinate(UInt32($0)) }
  let samples = zip(samplePoints.latitudes.elements, samplePoints.longitudes.elements)
  return nodes + samples.map { FixedCoordinate(latitude: $0, longitude: $1) }
}

/// Writes a `.elevated` file with these elevations.
func write(
  _ terrain: SampledTerrain, _ network: WayNetwork, _ samplePoints: SamplePoints, to path: String,
  threads: Int = 1
) throws {
  let writer = try ElevatedWriter(network.columns.trails, to: path)
  _ = try ElevationOutput(network, samplePoints, terrain)
    .write(to: writer, unknownBefore: [], threads: threads)
  try writer.commit(Provenance(tool: "a test"))
}

extension ElevationCleaning {
  /// No cleaning.
  static let none = ElevationCleaning(smoothingMetres: 0, thresholdMetres: 0, stepMetres: 30)
}

/// The noise of an elevation model: ± 3 m, at wavelengths above about 60 m.
func noise(_ east: Double, _ south: Double) -> Double {
  var sum = 0.0
  for (wave, share) in [(61.0, 0.9), (97, 0.8), (173, 0.7), (311, 0.6)] {
    sum += share * sin(2 * .pi * (east + 0.31 * south) / wave + share * 20)
    sum += share * 0.5 * sin(2 * .pi * (south - 0.17 * east) / wave + share * 30)
  }
  return sum * 0.7
}
