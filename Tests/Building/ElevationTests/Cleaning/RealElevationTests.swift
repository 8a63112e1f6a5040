// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import OSMInput
import RoutingGraph
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite(
  "Elevations of Andorra",
  .enabled(
    if: sharedData("andorra.osm.pbf") != nil && sharedData("hgt/N42E001.hgt.zip") != nil))
struct RealElevationTests {
  private let folder: TemporaryFolder
  private let tiles = sharedData("hgt") ?? ""

  init() throws {
    folder = try TemporaryFolder()
    let extract = try #require(sharedData("andorra.osm.pbf"))
    try runStage(
      DecodePBFCommand.self, ["--input", extract, "--output", folder.file("andorra.trails")])
  }

  @Test("raising the terrain to mapped peaks shrinks the error at peaks and saddles left out")
  func leftOut() throws {
    let trails = try TrailsFile(folder.file("andorra.trails"))
    let manager = try ElevationDataManager(folders: [tiles])
    func modelled(_ latitude: Int32, _ longitude: Int32) throws -> Float {
      try manager.elevation(at: FixedCoordinate(latitude: latitude, longitude: longitude))?.metres
        ?? .nan
    }
    let peaks = Summits.mapped("peak", in: trails)
    func errors(_ points: [Summits.Peak]) throws -> [(before: Double, after: Double)] {
      try points.compactMap { point in
        // A summit may be mapped twice.
        let others = peaks.filter { haversineDistance($0.degrees, point.degrees) > 10 }
        let summits = Summits(others, near: [(point.latitude, point.longitude)])
        let model = try modelled(point.latitude, point.longitude)
        guard summits.count > 0, abs(Double(model) - point.metres) < 150 else { return nil }
        var elevations = [model]
        for index in 0..<summits.count {
          elevations.append(try modelled(summits.latitudes[index], summits.longitudes[index]))
        }
        let raised = summits.raised(elevations).elevations[0]
        return (abs(Double(model) - point.metres), abs(Double(raised) - point.metres))
      }
    }
    func means(_ errors: [(before: Double, after: Double)]) -> (before: Double, after: Double) {
      let count = Double(errors.count)
      return (
        errors.reduce(0) { $0 + $1.before } / count, errors.reduce(0) { $0 + $1.after } / count
      )
    }
    let atPeaks = try errors(peaks)
    let atSaddles = try errors(Summits.mapped("saddle", in: trails))
    #expect(atPeaks.count > 15 && atSaddles.count > 8)
    #expect(means(atPeaks).before > 40 && means(atPeaks).after < 30)
    #expect(means(atSaddles).after < means(atSaddles).before)
  }

  @Test("paths that contour steep slopes climb less than 20 m a kilometre")
  func contourPaths() throws {
    let files = ElevatedFiles(in: folder, name: "andorra")
    let output = folder.file("andorra.graph")
    try runStage(
      SampleElevationCommand.self,
      ["--input", files.trails, "--hgt", tiles, "--output", files.elevated])
    try runStage(BuildGraphCommand.self, files.arguments + ["--output", output])
    let graph = try GraphFile(output)
    // The footpath along the Rec del Solà, a canal, and the Camí de les Pardines.
    for ways: Set<Int64> in [[191_582_664, 299_510_085], [122_395_986, 762_662_142, 762_662_143]] {
      let edges = graph.from.indices.filter { ways.contains(graph.wayIDs[Int(graph.ways[$0])]) }
      let metres = edges.reduce(0) { $0 + graph.distances[$1] }
      #expect(metres > 2000)
      #expect(edges.reduce(0) { $0 + graph.gains[$1] } < 0.02 * metres)
    }
  }
}

extension Summits.Peak {
  fileprivate var degrees: Coordinate {
    FixedCoordinate(latitude: latitude, longitude: longitude).degrees
  }
}
