// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import TrailData

/// The places between the nodes of a network where the elevation is looked up as well, so that no
/// hill or hollow between two distant nodes is missed.
///
/// Those of a segment divide it into equal parts and are counted from its lower end. Structures
/// have none, for their elevation does not follow the terrain, and neither have segments that are
/// longer than anything that can be walked in a straight line.
struct SamplePlaces: Sendable {
  /// The longest segment that is sampled, in metres.
  static let longestSegmentMetres = 50_000.0
  /// The greatest number of samples; more would take gigabytes of memory.
  static let limit = 1 << 28

  /// Where the samples of each segment begin, and at last the end.
  private(set) var offsets: [UInt32] = [0]
  /// Latitudes of all nodes and then of the samples, in 10⁻⁷ degrees.
  private(set) var latitudes: [Int32]
  /// Longitudes of all nodes and then of the samples.
  private(set) var longitudes: [Int32]

  /// Lays out samples so that no step is longer than `stepMetres`. Throws 65 if they are too many.
  init(_ network: WayNetwork, _ trails: TrailsFile, stepMetres: Double) throws(CairnError) {
    offsets.reserveCapacity(network.lower.count + 1)
    var total = 0
    for segment in network.lower.indices {
      let metres = network.metres[segment]
      if !network.kinds[segment].contains(.structure), metres > stepMetres,
        metres <= Self.longestSegmentMetres
      {
        // A hair's breadth must not make another sample.
        total += Int((metres / stepMetres - 1e-9).rounded(.up)) - 1
      }
      guard total <= Self.limit else { throw Self.tooMany(trails) }
      offsets.append(UInt32(total))
    }
    latitudes = Array(trails.latitudes)
    longitudes = Array(trails.longitudes)
    latitudes.reserveCapacity(latitudes.count + total)
    longitudes.reserveCapacity(longitudes.count + total)
    for segment in network.lower.indices { addSamples(segment, network) }
  }

  private static func tooMany(_ trails: TrailsFile) -> CairnError {
    CairnError(
      "too-many-samples", .dataError, "needs more than \(grouped(limit)) elevation samples",
      at: Location(file: trails.container.path),
      hint: "cut out a smaller region, or give a larger --step-metres")
  }

  private mutating func addSamples(_ segment: Int, _ network: WayNetwork) {
    let count = Int(offsets[segment + 1] - offsets[segment])
    guard count > 0 else { return }
    let (low, high) = (Int(network.lower[segment]), Int(network.upper[segment]))
    let start = (latitude: Int(latitudes[low]), longitude: Int(longitudes[low]))
    let rise = Int(latitudes[high]) - start.latitude
    var run = Int(longitudes[high]) - start.longitude
    // The short way round across the antimeridian.
    let circle = 3_600_000_000
    if run > circle / 2 { run -= circle } else if run < -circle / 2 { run += circle }
    for place in 1..<(count + 1) {
      var longitude = start.longitude + run * place / (count + 1)
      if longitude > circle / 2 { longitude -= circle }
      if longitude < -circle / 2 { longitude += circle }
      latitudes.append(Int32(truncatingIfNeeded: start.latitude + rise * place / (count + 1)))
      longitudes.append(Int32(truncatingIfNeeded: longitude))
    }
  }

  /// The samples of a segment, as places behind the nodes.
  @inline(__always)
  func samples(ofSegment segment: Int, _ network: WayNetwork) -> Range<Int> {
    let nodes = network.nodeCount
    return nodes + Int(offsets[segment])..<nodes + Int(offsets[segment + 1])
  }

  /// The samples of all ways in the order of their refs, from the elevations of all nodes and then
  /// of the samples. Throws 65 if ways share so many segments that they are too many.
  func samples(of trails: TrailsFile, _ network: WayNetwork, _ elevations: [Float])
    throws(CairnError) -> TrailsFile.Samples
  {
    var samples = TrailsFile.Samples(offsets: [0], elevations: [])
    samples.offsets.reserveCapacity(trails.refs.count + 1)
    samples.elevations.reserveCapacity(elevations.count - network.nodeCount)
    try trails.refs.withUnsafeElements { refs throws(CairnError) in
      for place in refs.indices {
        guard samples.elevations.count <= Self.limit else { throw Self.tooMany(trails) }
        let segment = network.segmentOfRef[place]
        if segment != WayNetwork.none {
          let range = self.samples(ofSegment: Int(segment), network)
          if network.lower[Int(segment)] == refs[place] {
            samples.elevations += elevations[range]
          } else {
            samples.elevations += elevations[range].reversed()
          }
        }
        samples.offsets.append(UInt32(truncatingIfNeeded: samples.elevations.count))
      }
    }
    return samples
  }
}
