// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnElevationProfiles
import SystemIO

/// Cleans the elevations of a whole network at once, so that each node and each sample has a single
/// elevation for all ways that pass it, in either direction.
///
/// The climb along an edge is then a plain sum over its points: a round trip climbs as much as it
/// descends, gain − loss is the difference between the ends, the way back mirrors the way there,
/// and splitting a way does not change its climb.
///
/// 1. Structures are interpolated between their portals (``Structures``).
/// 2. Steps that are steeper than any path are flattened (``SlopeLimit``).
/// 3. Along each stroke (``Strokes``) short gaps are filled, the elevation is smoothed by distance
///   and small ripples are removed (``ElevationProfileFilter``). A stroke passes through nodes
///   whose elevation is already fixed by other strokes.
/// 4. Steps 1 and 2 are repeated to undo the effect of smoothing on them.
struct ElevationCleaner: Sendable {
  /// The longest gap between two known elevations that is filled, in metres.
  static let longestGapMetres = ElevationSmoothing.standard.longestGapMetres
  /// The maximum number of rounds of flattening steps and interpolating structures.
  private static let limitRounds = 10

  let network: WayNetwork
  let samplePoints: SamplePoints
  let cleaning: ElevationCleaning
  private let threads: Int
  /// The steps of the region that were too steep, as they were.
  private(set) var excessSteps: [SlopeLimit.Excess] = []
  /// The number of the region's nodes within structures.
  private(set) var structureNodes = 0

  init(
    _ network: WayNetwork, _ samplePoints: SamplePoints, _ cleaning: ElevationCleaning,
    threads: Int = 1
  ) {
    self.network = network
    self.samplePoints = samplePoints
    self.cleaning = cleaning
    self.threads = threads
  }

  /// The strokes and their order, which depend on the network alone.
  private struct OrderedStrokes: Sendable {
    let strokes: Strokes
    let rounds: Strokes.Rounds
  }

  /// The results of the first steps.
  private struct FirstSteps: Sendable {
    let structures: Structures
    let excess: SlopeLimit.Outcome
  }

  /// Cleans the elevations of all nodes and samples; other elevations are left alone.
  mutating func clean(_ terrain: SampledTerrain) {
    let (network, threads) = (network, threads)
    let limit = SlopeLimit(network: network, samplePoints: samplePoints, threads: threads)
    let (ordered, first) = concurrently(threads: threads) {
      let mates = StraightPairs.mates(network, threads)
      // From here on, only lengths matter, except for a few structures.
      network.columns.releaseCoordinates()
      let strokes = Strokes(network, mates: mates, threads: threads)
      return OrderedStrokes(strokes: strokes, rounds: strokes.rounds())
    } _: {
      let structures = Structures(network)
      structures.interpolate(terrain.elevations.elements)
      return FirstSteps(
        structures: structures, excess: limit.apply(to: terrain.elevations))
    }
    let structures = first.structures
    structureNodes = structures.innerNodeCount(below: network.columns.regionNodeCount)
    excessSteps = first.excess.steps.filter { $0.ref < network.columns.regionRefCount }
    cleanStrokes(ordered, terrain)
    // A path that joins a bridge in its middle is adjusted to the bridge, by half of the excess slope
    // in each round. After the first round only what changed can be too steep.
    let besideStructures = structures.passedKnots.flatMap { limit.steps.links(atKnot: $0) }
    structures.interpolate(terrain.elevations.elements)
    var outcome = limit.apply(to: terrain.elevations)
    for _ in 1..<Self.limitRounds where outcome.count > 0 {
      structures.interpolate(terrain.elevations.elements)
      let links = Set(limit.steps.links(at: outcome.positions)).union(besideStructures).sorted()
      outcome = limit.apply(to: terrain.elevations, along: links)
    }
    if outcome.count > 0 { structures.interpolate(terrain.elevations.elements) }
  }

  private func cleanStrokes(_ ordered: OrderedStrokes, _ terrain: SampledTerrain) {
    let (strokes, rounds) = (ordered.strokes, ordered.rounds)
    let junctions = Numbers<StrokeCleaner.Junction>(count: strokes.junctionCount)
    junctions.elements.update(repeating: .init())
    let batches = rounds.batches(threads: threads)
    let (queue, cleaned) = (WorkQueue(count: batches.count), Milestone())
    runWorkers(min(threads, batches.count)) { [self] _ in
      var cleaner = StrokeCleaner(self, strokes, terrain, junctions)
      while let index = queue.next() {
        let batch = batches[index]
        cleaned.wait(for: batch.start)
        for stroke in rounds.strokes[batch.strokes] { cleaner.clean(Int(stroke)) }
        cleaned.add(batch.strokes.count)
      }
    }
    for (index, junction) in junctions.elements.enumerated() where !junction.elevation.isNaN {
      terrain.elevations.elements[strokes.node(ofJunction: index)] = Float(junction.elevation)
    }
  }
}
