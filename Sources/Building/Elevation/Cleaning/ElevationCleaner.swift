// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import TrailData

/// How elevations are sampled along ways and cleaned.
package struct ElevationCleaning: Equatable, Sendable {
  /// The defaults.
  package static let standard = ElevationCleaning(
    smoothingMetres: 60, thresholdMetres: 5, stepMetres: 30)
  /// The allowed range of the smoothing distance and the threshold, in metres.
  package static let range = 0.0...1000.0
  /// The allowed range of the step, in metres.
  package static let stepRange = 1.0...10_000.0

  /// The distance along the way over which elevations are smoothed, in metres; 0 for no smoothing.
  package var smoothingMetres: Double
  /// The smallest climb or descent that is kept, in metres; 0 to keep all.
  package var thresholdMetres: Double
  /// The maximum distance between two points at which the terrain is looked up, in metres.
  package var stepMetres: Double

  /// Makes parameters, which must be within ``range`` and ``stepRange``.
  package init(smoothingMetres: Double, thresholdMetres: Double, stepMetres: Double) {
    self.smoothingMetres = smoothingMetres
    self.thresholdMetres = thresholdMetres
    self.stepMetres = stepMetres
  }
}

/// Cleans the elevations of a whole network at once, so that each node and each sample has a single
/// elevation, whichever way passes it and in whatever direction.
///
/// The climb along an edge is then a plain sum over its points: a round trip climbs as much as it
/// descends, gain − loss is the difference between the ends, the way back mirrors the way there, and
/// splitting a way does not change its climb.
///
/// 1. Structures are interpolated between their portals (``Structures``).
/// 2. Steps that are steeper than any path are flattened (``SlopeLimit``).
/// 3. Along each stroke (``Strokes``) short gaps are filled, the elevation is smoothed by distance
///    and small ripples are removed (``ElevationProfileFilter``). A stroke passes through nodes whose
///    elevation is already fixed by other strokes.
/// 4. Steps 1 and 2 are repeated to undo what smoothing did to them.
struct ElevationCleaner {
  /// The longest gap between two known elevations that is filled, in metres.
  static let longestGapMetres = 500.0
  /// The maximum number of rounds of flattening steps and interpolating structures.
  private static let limitRounds = 10

  let network: WayNetwork
  let samplePoints: SamplePoints
  let strokes: Strokes
  let cleaning: ElevationCleaning
  private let structures: Structures
  private(set) var tooSteepSteps = 0
  private(set) var structureNodes = 0

  /// Whether the elevation of each node is fixed.
  private var isFixed: [Bool]
  private var filter = ElevationProfileFilter()
  /// How steep the terrain is at each node and then at each sample, in percent.
  private var steepness: [UInt8] = []
  /// The points of the current stroke: indices of nodes, then of samples.
  private var points: [UInt32] = []
  /// Where the current stroke first passed each node; only valid if the stroke matches.
  private var visits: [(stroke: Int32, index: Int32)]
  private var repeats: [(index: Int, first: Int)] = []

  init(
    _ network: WayNetwork, _ samplePoints: SamplePoints, _ trails: TrailsFile,
    _ cleaning: ElevationCleaning
  ) {
    self.network = network
    self.samplePoints = samplePoints
    self.cleaning = cleaning
    strokes = Strokes(network, trails)
    structures = Structures(network, trails)
    isFixed = [Bool](repeating: false, count: network.nodeCount)
    visits = Array(repeating: (stroke: -1, index: 0), count: network.nodeCount)
  }

  /// Cleans the elevations of all nodes and then of the samples; NaN where unknown.
  ///
  /// - Parameters:
  ///   - sampled: Metres above sea level, as the terrain has them.
  ///   - steepness: How steep the terrain is at each of them, in percent.
  mutating func clean(_ sampled: [Float], steepness: [UInt8]) -> [Float] {
    self.steepness = steepness
    var raw = sampled.map { Double($0) }
    let limit = SlopeLimit(network: network, samplePoints: samplePoints)
    structureNodes = structures.innerNodeCount
    structures.interpolate(&raw)
    tooSteepSteps = limit.apply(to: &raw)
    var cleaned = raw
    for stroke in strokes.order() { clean(stroke, raw, &cleaned) }
    // A path that joins a bridge in its middle is adjusted to the bridge, by half of the excess slope
    // in each round.
    structures.interpolate(&cleaned)
    for _ in 0..<Self.limitRounds {
      guard limit.apply(to: &cleaned) > 0 else { break }
      structures.interpolate(&cleaned)
    }
    return cleaned.map { Float($0) }
  }

  private mutating func clean(_ stroke: Int, _ raw: [Double], _ cleaned: inout [Double]) {
    collect(stroke, raw, cleaned)
    filter.fillGaps(limitMetres: Self.longestGapMetres)
    let stretches = filter.knownStretches()
    for stretch in stretches { filter.smooth(stretch, metres: cleaning.smoothingMetres) }
    for (index, first) in repeats {
      if filter.pins[first].isNaN { filter.pins[first] = filter.elevations[first] }
      filter.pins[index] = filter.pins[first]
    }
    for stretch in stretches {
      filter.meetPins(stretch)
      filter.removeRipples(stretch, threshold: cleaning.thresholdMetres)
      for index in stretch {
        let point = Int(points[index])
        cleaned[point] = filter.elevations[index]
        if point < network.nodeCount { isFixed[point] = true }
      }
    }
  }

  /// Lays the points of a stroke out by distance.
  private mutating func collect(_ stroke: Int, _ raw: [Double], _ cleaned: [Double]) {
    filter.removeAll()
    points.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    var node = Int(strokes.starts[stroke])
    var metres = 0.0
    append(node, metres, stroke, raw, cleaned)
    for segment in strokes.segments(ofStroke: stroke).lazy.map({ Int($0) }) {
      let samples = samplePoints.samples(ofSegment: segment, network)
      let step = network.metres[segment] / Double(samples.count + 1)
      let isForward = Int(network.lower[segment]) == node
      for index in 0..<samples.count {
        let sample = isForward ? samples.lowerBound + index : samples.upperBound - 1 - index
        points.append(UInt32(sample))
        filter.append(
          metres: metres + step * Double(index + 1), elevation: raw[sample], pin: .nan,
          steepness: steepness[sample])
      }
      metres += network.metres[segment]
      node = network.other(segment, node)
      append(node, metres, stroke, raw, cleaned)
    }
  }

  private mutating func append(
    _ node: Int, _ metres: Double, _ stroke: Int, _ raw: [Double], _ cleaned: [Double]
  ) {
    if visits[node].stroke == Int32(truncatingIfNeeded: stroke) {
      repeats.append((points.count, Int(visits[node].index)))
    } else {
      visits[node] = (Int32(truncatingIfNeeded: stroke), Int32(truncatingIfNeeded: points.count))
    }
    points.append(UInt32(node))
    let pin = isFixed[node] ? cleaned[node] : .nan
    filter.append(
      metres: metres, elevation: raw[node].isNaN ? pin : raw[node], pin: pin,
      steepness: steepness[node])
  }
}
