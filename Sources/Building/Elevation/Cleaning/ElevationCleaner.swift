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
  private let threads: Int
  private let structures: Structures
  private(set) var tooSteepSteps = 0
  private(set) var structureNodes = 0

  init(
    _ network: WayNetwork, _ samplePoints: SamplePoints, _ trails: TrailsFile,
    _ cleaning: ElevationCleaning, threads: Int = 1
  ) {
    self.network = network
    self.samplePoints = samplePoints
    self.cleaning = cleaning
    self.threads = threads
    strokes = Strokes(network, trails, threads: threads)
    structures = Structures(network, trails)
  }

  /// Cleans the elevations of all nodes and then of the samples; NaN where unknown.
  ///
  /// - Parameters:
  ///   - sampled: Metres above sea level, as the terrain has them.
  ///   - steepness: How steep the terrain is at each of them, in percent.
  mutating func clean(_ sampled: [Float], steepness: [UInt8]) -> [Float] {
    var elevations = sampled.map { Double($0) }
    let limit = SlopeLimit(network: network, samplePoints: samplePoints, threads: threads)
    structureNodes = structures.innerNodeCount
    structures.interpolate(&elevations)
    tooSteepSteps = limit.apply(to: &elevations)
    cleanStrokes(&elevations, steepness)
    // A path that joins a bridge in its middle is adjusted to the bridge, by half of the excess slope
    // in each round.
    structures.interpolate(&elevations)
    for _ in 0..<Self.limitRounds {
      guard limit.apply(to: &elevations) > 0 else { break }
      structures.interpolate(&elevations)
    }
    return elevations.map { Float($0) }
  }

  private func cleanStrokes(_ elevations: inout [Double], _ steepness: [UInt8]) {
    var junctions = [StrokeCleaner.Junction](repeating: .init(), count: strokes.junctions.count)
    elevations.withUnsafeMutableBufferPointer { elevations in
      junctions.withUnsafeMutableBufferPointer { junctions in
        let (elevations, junctions) = (SharedBuffer(elevations), SharedBuffer(junctions))
        for round in strokes.rounds() {
          forEachPiece(of: round.count, threads: threads, size: 128) { [self] piece in
            var cleaner = StrokeCleaner(self, steepness, elevations, junctions)
            for index in piece { cleaner.clean(Int(round[index])) }
          }
        }
      }
    }
    for (junction, node) in zip(junctions, strokes.junctions) where !junction.elevation.isNaN {
      elevations[Int(node)] = junction.elevation
    }
  }
}
