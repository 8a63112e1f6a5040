// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TrailData

/// The network of a region and its margin, with the points at which the terrain is looked up: all
/// nodes, then all samples, then the points of interest, then the mapped peaks near nodes and samples.
/// Of nodes, samples and peaks those of the region come first.
struct SampledRegion: Sendable {
  let network: WayNetwork
  let samplePoints: SamplePoints
  let summits: Summits
  /// All points, and their tiles.
  let points: PointLists
  private let order: TileOrder
  /// The elevations of all points.
  let terrain: SampledTerrain
  /// The points of interest among ``points``.
  let pointsOfInterest: Range<Int>
  /// The coordinates of the points of interest and the peaks, which ``points`` refers to.
  private let coordinates: (latitudes: Numbers<Int32>, longitudes: Numbers<Int32>)
  private let peaks: (latitudes: Numbers<Int32>, longitudes: Numbers<Int32>)

  /// The network and its samples.
  private struct Ways: Sendable {
    let network: WayNetwork
    let samplePoints: SamplePoints
    let summits: Summits
  }

  /// The number of nodes up to which reading a tile takes longer than building the network.
  private static let smallNodeCount = 200_000

  /// Builds the network. With several threads, a further one meanwhile reads the first tiles, since
  /// it mostly waits for memory and files; only a small network leaves it a processor, as it would
  /// wait for the tiles. Throws 65 if there are too many nodes, refs or samples.
  static func prepare(
    _ trails: TrailsFile, _ manager: ElevationDataManager, stepMetres: Double, threads: Int
  ) throws(CairnError) -> SampledRegion {
    let (marginNodes, marginRefs) = (trails.margin?.nodeIDs.count, trails.margin?.refs.count)
    guard
      max(trails.nodeIDs.count + (marginNodes ?? 0), trails.refs.count + (marginRefs ?? 0))
        < Int(Int32.max)
    else {
      throw CairnError(
        "too-large", .dataError, "has more than 2 147 483 646 nodes or refs of ways",
        at: Location(file: trails.container.path), hint: "choose a smaller region")
    }
    // Nothing reads ids before the warnings.
    trails.nodeIDs.releasePages()
    let columns = MapColumns(trails)
    var nodes = PointLists()
    nodes.append(columns.latitudes, columns.longitudes)
    let nodeList = nodes
    let builders = nodes.count > smallNodeCount ? threads : max(1, threads - 1)
    let (ways, runs) = try concurrently(threads: threads) { () throws(CairnError) in
      let network = WayNetwork(columns, threads: builders)
      let samplePoints = try SamplePoints(network, stepMetres: stepMetres, threads: builders)
      var points = nodeList
      points.append(samplePoints.latitudes, samplePoints.longitudes)
      return Ways(
        network: network, samplePoints: samplePoints,
        summits: Summits(trails, near: points, threads: builders) {
          $0 < columns.regionNodeCount
            || network.nodeCount..<network.nodeCount + samplePoints.regionCount(network) ~= $0
        })
    } _: { () throws(CairnError) in
      let runs = TileRun.runs(of: nodeList, in: 0..<columns.regionNodeCount, threads: 1)
      manager.loadFirstTiles(of: TileOrder(runs), threads: threads)
      return runs
    }
    let points = trails.pointsOfInterest
    let coordinates = (Numbers(points.latitudes.map { $0 }), Numbers(points.longitudes.map { $0 }))
    let needed = columns.isJoined ? [] : ["node.latitude", "node.longitude", "way.ref"]
    trails.releasePages { needed.contains($0) }
    nodes.append(ways.samplePoints.latitudes, ways.samplePoints.longitudes)
    return SampledRegion(ways, nodes, coordinates, nodeRuns: runs, threads: threads)
  }

  private init(
    _ ways: Ways, _ points: PointLists,
    _ coordinates: (latitudes: Numbers<Int32>, longitudes: Numbers<Int32>), nodeRuns: [[TileRun]],
    threads: Int
  ) {
    (network, samplePoints, summits) = (ways.network, ways.samplePoints, ways.summits)
    self.coordinates = coordinates
    peaks = (Numbers(ways.summits.latitudes), Numbers(ways.summits.longitudes))
    var points = points
    let first = points.count
    points.append(coordinates.latitudes, coordinates.longitudes)
    pointsOfInterest = first..<points.count
    points.append(peaks.latitudes, peaks.longitudes)
    self.points = points
    let nodes = ways.network.nodeCount
    let samples = nodes + ways.samplePoints.regionCount(ways.network)
    let summits = pointsOfInterest.upperBound + ways.summits.regionCount
    func runs(_ range: Range<Int>) -> [[TileRun]] {
      TileRun.runs(of: points, in: range, threads: threads)
    }
    order = TileOrder(
      nodeRuns + runs(nodes..<samples) + runs(pointsOfInterest.lowerBound..<summits),
      margin: runs(ways.network.columns.regionNodeCount..<nodes)
        + runs(samples..<pointsOfInterest.lowerBound) + runs(summits..<points.count))
    terrain = SampledTerrain(count: points.count)
  }

  /// Looks up all points, after which the coordinates of samples are gone. Throws 65 or 66 if the file of a tile is damaged or cannot be read.
  func sample(
    _ manager: ElevationDataManager, _ threads: Int,
    _ advance: @escaping @Sendable (_ points: Int) -> Void
  ) throws(CairnError) -> TileCoverage {
    let coverage = try manager.sample(
      points, in: order, into: terrain, threads: threads, advance: advance)
    samplePoints.latitudes.discard()
    samplePoints.longitudes.discard()
    return coverage
  }
}
