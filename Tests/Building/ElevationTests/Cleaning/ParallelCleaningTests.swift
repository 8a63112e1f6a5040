// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite("Cleaning on several threads")
struct ParallelCleaningTests {
  private static let side = 110
  private let folder: TemporaryFolder
  private let trails: TrailsFile

  /// A grid of ways whose nodes are shifted so far that many strokes end at bends.
  init() throws {
    var random = SeededGenerator(seed: 7)
    var content = TrailsContent()
    let side = Self.side
    for node in 0..<side * side {
      let shift = (0..<2).map { _ in Int32.random(in: -4_000...4_000, using: &random) }
      content.nodeIDs.append(Int64(node + 1))
      content.latitudes.append(470_000_000 + Int32(node / side) * 4_000 + shift[0])
      content.longitudes.append(100_000_000 + Int32(node % side) * 6_000 + shift[1])
    }
    for line in 0..<2 * side {
      for step in 0..<side {
        content.refs.append(UInt32(line < side ? line * side + step : step * side + line - side))
      }
      content.refOffsets.append(UInt32(content.refs.count))
      content.wayIDs.append(Int64(line + 1))
      content.wayTags.endObject()
    }
    folder = try TemporaryFolder()
    try content.write(to: folder.file("grid.trails"), provenance: Provenance(tool: "a test"))
    trails = try TrailsFile(folder.file("grid.trails"))
  }

  @Test("a large network gets the same elevations with any number of threads")
  func threads() throws {
    func clean(_ threads: Int) throws -> (metres: [Float], tooSteepSteps: Int) {
      let network = WayNetwork(trails, threads: threads)
      let samplePoints = try SamplePoints(network, stepMetres: 20, threads: threads)
      var random = SeededGenerator(seed: 11)
      let points = 0..<network.nodeCount + samplePoints.count
      let terrain = SampledTerrain(
        elevations: points.map { _ in Float.random(in: 500...540, using: &random) },
        steepness: points.map { _ in UInt8.random(in: 0...100, using: &random) })
      var cleaner = ElevationCleaner(network, samplePoints, .standard, threads: threads)
      cleaner.clean(terrain)
      return (Array(terrain.elevations.elements), cleaner.excessSteps.count)
    }
    let alone = try clean(1)
    #expect(alone.tooSteepSteps > 1_000)
    for threads in [2, 5] {
      let together = try clean(threads)
      #expect(together.metres == alone.metres)
      #expect(together.tooSteepSteps == alone.tooSteepSteps)
    }
  }

  @Test("steep steps are flattened some at a time as all at once")
  func stepsAtATime() throws {
    let network = WayNetwork(trails)
    let samplePoints = try SamplePoints(network, stepMetres: 20)
    var random = SeededGenerator(seed: 12)
    // Flat ground with peaks, some of which are close together.
    let ground = SampledTerrain(
      elevations: (0..<network.nodeCount + samplePoints.count).map { _ in
        let isPeak = Int.random(in: 0..<60, using: &random) == 0
        return isPeak ? Float.random(in: 500...600, using: &random) : 500
      }, steepness: [])
    func flatten(_ patience: (Int, Int)) -> (metres: [Float], count: Int, positions: [Int]) {
      let elevations = Numbers(Array(ground.elevations.elements))
      var limit = SlopeLimit(network: network, samplePoints: samplePoints)
      limit.patience = patience
      let outcome = limit.apply(to: elevations)
      return (Array(elevations.elements), outcome.count, outcome.positions.sorted())
    }
    let (parted, together) = (flatten((64, 100_000)), flatten((0, 0)))
    #expect(parted.count > 1_000)
    #expect(parted.metres == together.metres && parted.positions == together.positions)
  }

  @Test("the strokes of a round share no node, and follow the order of strokes at each node")
  func rounds() {
    let network = WayNetwork(trails)
    let strokes = Strokes(network)
    func nodes(_ stroke: UInt32) -> Set<UInt32> {
      var nodes = Set<UInt32>()
      strokes.forEachLink(ofStroke: Int(stroke)) { _, _, from, to in
        nodes.formUnion(trails.refs[min(from, to)...max(from, to)])
      }
      return nodes
    }
    let order = strokes.rounds()
    let rounds = zip(order.offsets, order.offsets.dropFirst()).map { order.strokes[$0..<$1] }
    let largest = rounds.map(\.count).max() ?? 0
    // Enough to be dealt to several threads.
    #expect(rounds.count > 2 && largest > 256)
    for threads in [1, 2, 5] {
      let batches = order.batches(threads: threads)
      #expect(batches.flatMap(\.strokes) == Array(order.strokes.indices))
      #expect(
        batches.allSatisfy { order.offsets.contains($0.start) && $0.start <= $0.strokes.lowerBound }
      )
    }
    var strokesOfNodes: [UInt32: [UInt32]] = [:]
    for round in rounds {
      var passed = Set<UInt32>()
      var passes = 0
      for stroke in round {
        let nodes = nodes(stroke)
        passed.formUnion(nodes)
        passes += nodes.count
        for node in nodes { strokesOfNodes[node, default: []].append(stroke) }
      }
      #expect(passed.count == passes)
    }
    var expected: [UInt32: [UInt32]] = [:]
    for stroke in strokes.order() {
      for node in nodes(stroke) { expected[node, default: []].append(stroke) }
    }
    #expect(strokesOfNodes == expected)
  }
}
