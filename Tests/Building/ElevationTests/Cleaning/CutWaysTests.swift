// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite("Cleaning, however ways are cut")
struct CutWaysTests {
  /// The nodes of a ring, of a line that crosses it twice, and of a ring that nothing meets.
  private let lines: [[UInt32]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 0], [8, 9, 2, 10, 11, 6, 12, 13],
    [20, 14, 15, 16, 17, 18, 19, 20],
  ]

  private func elevations(_ ways: [[UInt32]], seed: UInt64) throws -> [Float] {
    var random = SeededGenerator(seed: seed)
    var content = TrailsContent()
    for node in 0..<21 {
      content.nodeIDs.append(Int64(node + 1))
      content.latitudes.append(470_000_000 + .random(in: 0...9_000, using: &random))
      content.longitudes.append(100_000_000 + .random(in: 0...14_000, using: &random))
    }
    for (index, way) in ways.enumerated() {
      content.refs += way
      content.refOffsets.append(UInt32(content.refs.count))
      content.wayIDs.append(Int64(index + 1))
      content.wayTags.endObject()
    }
    let folder = try TemporaryFolder()
    try content.write(to: folder.file("x.trails"), provenance: Provenance(tool: "a test"))
    let network = WayNetwork(try TrailsFile(folder.file("x.trails")))
    let samplePoints = try SamplePoints(network, stepMetres: 30)
    let terrain = SampledTerrain(
      elevations: allPoints(network, samplePoints).map {
        let (east, north) = ($0.longitude - 100_000_000, $0.latitude - 470_000_000)
        return Float(500 + 8 * noise(Double(east) / 130, Double(north) / 90))
      }, steepness: Array(repeating: 20, count: network.nodeCount + samplePoints.count))
    var cleaner = ElevationCleaner(network, samplePoints, .standard)
    cleaner.clean(terrain)
    return Array(terrain.elevations.elements[..<21])
  }

  /// Cuts ways at random nodes and turns and shuffles the pieces; a ring begins somewhere else.
  private func cut(_ random: inout SeededGenerator) -> [[UInt32]] {
    var pieces: [[UInt32]] = []
    for line in lines {
      var line = line
      if line.first == line.last {
        let start = Int.random(in: 0..<line.count - 1, using: &random)
        line = Array(line[start...] + line[1..<start + 1])
      }
      while line.count > 3, Bool.random(using: &random) {
        let end = Int.random(in: 1..<line.count - 1, using: &random)
        pieces.append(Array(line[...end]))
        line = Array(line[end...])
      }
      pieces.append(line)
    }
    return pieces.shuffled(using: &random).map {
      Bool.random(using: &random) ? $0 : $0.reversed()
    }
  }

  @Test("where ways begin, end and run to does not matter, for rings neither")
  func pieces() throws {
    var random = SeededGenerator(seed: 17)
    for seed in 0..<25 as Range<UInt64> {
      let whole = try elevations(lines, seed: seed)
      for _ in 0..<4 {
        let ways = cut(&random)
        for (one, other) in zip(whole, try elevations(ways, seed: seed)) {
          #expect(abs(one - other) < 1e-6, "seed \(seed), \(ways)")
        }
      }
    }
  }
}
