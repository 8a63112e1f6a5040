// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TrailData

/// Writes the elevations of a region.
struct ElevationOutput: Sendable {
  /// The reported statistics of node elevations.
  struct Statistics: Sendable {
    /// Nodes with an elevation.
    var knownCount = 0
    /// Nodes without data in any tile whose elevation was interpolated from their neighbours.
    var filledCount = 0
    private var lowest = Float.infinity
    private var highest = -Float.infinity

    /// The lowest and the highest elevation in metres; nil if there is none.
    var range: ClosedRange<Float>? { lowest <= highest ? lowest...highest : nil }

    fileprivate mutating func add(_ metres: Float) {
      guard !metres.isNaN else { return }
      knownCount += 1
      lowest = min(lowest, metres)
      highest = max(highest, metres)
    }
  }

  private static let chunk = 1 << 15
  private let network: WayNetwork
  private let rule: SampleRule
  private let samples: Int
  private let elevations: Numbers<Float>
  /// The points of interest among the elevations; empty if they were not looked up.
  private let pointsOfInterest: Range<Int>

  init(_ region: SampledRegion) {
    self.init(region.network, region.samplePoints, region.terrain, region.pointsOfInterest)
  }

  init(
    _ network: WayNetwork, _ samplePoints: SamplePoints, _ terrain: SampledTerrain,
    _ pointsOfInterest: Range<Int> = 0..<0
  ) {
    self.pointsOfInterest = pointsOfInterest
    self.network = network
    rule = SampleRule(stepMetres: samplePoints.stepMetres)
    samples = samplePoints.regionCount(network)
    elevations = terrain.elevations
  }

  /// Writes the elevations of nodes and samples. Throws 65 if there are too many samples because
  /// ways share segments.
  ///
  /// - Parameter unknownBefore: The points that had no elevation before cleaning.
  func write(to writer: ElevatedWriter, unknownBefore: [UInt32], threads: Int)
    throws(CairnError) -> Statistics
  {
    let columns = writer.reserveElevations(samples: try sampleCount())
    let count = network.columns.trails.pointsOfInterest.count
    let points =
      pointsOfInterest.isEmpty
      ? [Float](repeating: .nan, count: count)
      : Array(elevations.elements[pointsOfInterest])
    try columns.pointElevations.write(points, at: 0)
    return try concurrently(threads: threads) { () throws(CairnError) in
      try writeNodes(columns.elevations, unknownBefore)
    } _: { () throws(CairnError) in
      try writeSamples(columns)
    }.0
  }

  /// The number of samples of all ways of the region, which may share segments.
  private func sampleCount() throws(CairnError) -> Int {
    var count = samples
    for (index, link) in network.links.elements[..<network.regionLinkCount].enumerated()
    where Int(link.original) != index {
      count += rule.count(ofLink: Int(link.original), network)
      guard count <= SamplePoints.limit else { throw SamplePoints.tooMany(network.columns.trails) }
    }
    return count
  }

  private func writeNodes(_ column: ReservedColumn<Float>, _ unknownBefore: [UInt32])
    throws(CairnError) -> Statistics
  {
    var statistics = Statistics()
    let elevations = elevations.elements
    let nodeCount = network.columns.regionNodeCount
    for start in stride(from: 0, to: nodeCount, by: Self.chunk) {
      let chunk = elevations[start..<min(start + Self.chunk, nodeCount)]
      for metres in chunk { statistics.add(metres) }
      try column.write(UnsafeBufferPointer(rebasing: chunk), at: start)
    }
    statistics.filledCount = unknownBefore.count { point in
      Int(point) < nodeCount && !elevations[Int(point)].isNaN
    }
    return statistics
  }

  private func writeSamples(_ columns: ElevatedWriter.Columns) throws(CairnError) {
    let elevations = UnsafeMutableBufferPointer(rebasing: elevations.elements[network.nodeCount...])
    let refs = ColumnBuffer(columns.sampleRefs, capacity: Self.chunk)
    let samples = ColumnBuffer(columns.sampleElevations, capacity: Self.chunk)
    try network.forEachSampledRef(rule) { ref, first, count, isForward throws(CairnError) in
      for index in 0..<count {
        let sample = isForward ? first + index : first + count - 1 - index
        try refs.append(UInt32(ref))
        try samples.append(elevations[sample])
      }
    }
    try refs.flush()
    try samples.flush()
  }
}

/// Collects elements of a column and writes them in larger pieces.
private final class ColumnBuffer<Element: ContainerElement> {
  private let column: ReservedColumn<Element>
  private let elements: UnsafeMutableBufferPointer<Element>
  private var count = 0
  /// How many elements have been written.
  private var written = 0

  init(_ column: ReservedColumn<Element>, capacity: Int) {
    self.column = column
    elements = .allocate(capacity: capacity)
  }

  deinit { elements.deallocate() }

  @inline(__always)
  func append(_ element: Element) throws(CairnError) {
    if count == elements.count { try flush() }
    elements[count] = element
    count += 1
  }

  func flush() throws(CairnError) {
    try column.write(UnsafeBufferPointer(rebasing: elements[..<count]), at: written)
    written += count
    count = 0
  }
}
