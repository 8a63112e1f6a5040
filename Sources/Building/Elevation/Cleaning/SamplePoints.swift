// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import TrailData

/// The points between the nodes of a network at which the elevation is looked up as well, so that no
/// hill or hollow between two distant nodes is missed.
///
/// The samples of a segment divide it into equal parts and are ordered from its lower end. Structures
/// have none, because their elevation does not follow the terrain. Very long segments, which no path
/// has, have none either.
struct SamplePoints: Sendable {
  /// The longest segment that is sampled, in metres.
  static let longestSegmentMetres = 50_000.0
  /// The maximum number of samples; more would take gigabytes of memory.
  static let limit = 1 << 28

  /// The index of the first sample of each segment, and finally the count.
  private(set) var offsets: [UInt32] = [0]
  /// Latitudes of all nodes, then of all samples and of what was appended, in 10⁻⁷ degrees.
  private(set) var latitudes: [Int32]
  /// Longitudes of all nodes, then of all samples and of what was appended.
  private(set) var longitudes: [Int32]

  /// Places samples so that no step is longer than `stepMetres`. Throws 65 if there are too many.
  init(
    _ network: WayNetwork, _ trails: TrailsFile, stepMetres: Double, threads: Int = 1
  ) throws(CairnError) {
    offsets.reserveCapacity(network.lower.count + 1)
    var total = 0
    for segment in network.lower.indices {
      let metres = network.metres[segment]
      if !network.kinds[segment].contains(.structure), metres > stepMetres,
        metres <= Self.longestSegmentMetres
      {
        // Rounding errors must not add a sample.
        total += Int((metres / stepMetres - 1e-9).rounded(.up)) - 1
      }
      guard total <= Self.limit else { throw Self.tooMany(trails) }
      offsets.append(UInt32(total))
    }
    latitudes = Self.column(trails.latitudes, reserving: total)
    longitudes = Self.column(trails.longitudes, reserving: total)
    addSamples(network, threads)
  }

  /// The values of the nodes, followed by as many zeros as there will be samples.
  private static func column(_ nodes: Column<Int32>, reserving samples: Int) -> [Int32] {
    var column: [Int32] = []
    column.reserveCapacity(nodes.count + samples)
    nodes.withUnsafeElements { column.append(contentsOf: $0) }
    column.append(contentsOf: repeatElement(0, count: samples))
    return column
  }

  /// Appends summits, whose elevations are looked up together with the others.
  mutating func append(_ summits: Summits) {
    latitudes += summits.latitudes
    longitudes += summits.longitudes
  }

  /// Drops the coordinates, which are needed only until the elevations are looked up.
  mutating func removeCoordinates() { (latitudes, longitudes) = ([], []) }

  private static func tooMany(_ trails: TrailsFile) -> CairnError {
    CairnError(
      "too-many-samples", .dataError, "needs more than \(grouped(limit)) elevation samples",
      at: Location(file: trails.container.path),
      hint: "choose a smaller region or a larger --step-metres")
  }

  private mutating func addSamples(_ network: WayNetwork, _ threads: Int) {
    let offsets = offsets
    latitudes.withUnsafeMutableBufferPointer { latitudes in
      longitudes.withUnsafeMutableBufferPointer { longitudes in
        let (latitudes, longitudes) = (SharedBuffer(latitudes), SharedBuffer(longitudes))
        forEachPiece(of: network.lower.count, threads: threads) { segments in
          for segment in segments where offsets[segment] < offsets[segment + 1] {
            let samples = Int(offsets[segment])..<Int(offsets[segment + 1])
            Self.place(samples, segment, network, latitudes, longitudes)
          }
        }
      }
    }
  }

  /// Places the samples of a segment.
  private static func place(
    _ samples: Range<Int>, _ segment: Int, _ network: WayNetwork,
    _ latitudes: SharedBuffer<Int32>, _ longitudes: SharedBuffer<Int32>
  ) {
    let (low, high) = (Int(network.lower[segment]), Int(network.upper[segment]))
    let start = (latitude: Int(latitudes[low]), longitude: Int(longitudes[low]))
    let rise = Int(latitudes[high]) - start.latitude
    var run = Int(longitudes[high]) - start.longitude
    // The short way round across the antimeridian.
    let circle = 3_600_000_000
    if run > circle / 2 { run -= circle } else if run < -circle / 2 { run += circle }
    let parts = samples.count + 1
    for index in 1..<parts {
      var longitude = start.longitude + run * index / parts
      if longitude > circle / 2 { longitude -= circle }
      if longitude < -circle / 2 { longitude += circle }
      let point = network.nodeCount + samples.lowerBound + index - 1
      latitudes[point] = Int32(truncatingIfNeeded: start.latitude + rise * index / parts)
      longitudes[point] = Int32(truncatingIfNeeded: longitude)
    }
  }

  /// The samples of a segment, as indices into ``latitudes`` and ``longitudes``.
  @inline(__always)
  func samples(ofSegment segment: Int, _ network: WayNetwork) -> Range<Int> {
    let nodes = network.nodeCount
    return nodes + Int(offsets[segment])..<nodes + Int(offsets[segment + 1])
  }

  /// The samples of all ways in the order of their refs, given the elevations of all nodes and
  /// samples. Throws 65 if there are too many because ways share segments.
  func samples(of trails: TrailsFile, _ network: WayNetwork, _ elevations: [Float])
    throws(CairnError) -> TrailsFile.Samples
  {
    var samples = TrailsFile.Samples(offsets: [0], elevations: [])
    samples.offsets.reserveCapacity(trails.refs.count + 1)
    samples.elevations.reserveCapacity(elevations.count - network.nodeCount)
    try trails.refs.withUnsafeElements { refs throws(CairnError) in
      for index in refs.indices {
        guard samples.elevations.count <= Self.limit else { throw Self.tooMany(trails) }
        let segment = network.segmentOfRef[index]
        if segment != WayNetwork.none {
          let range = self.samples(ofSegment: Int(segment), network)
          if network.lower[Int(segment)] == refs[index] {
            for sample in range { samples.elevations.append(elevations[sample]) }
          } else {
            for sample in range.reversed() { samples.elevations.append(elevations[sample]) }
          }
        }
        samples.offsets.append(UInt32(truncatingIfNeeded: samples.elevations.count))
      }
    }
    return samples
  }
}
