// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import TrailData

/// How elevations are sampled along ways and cleaned.
package struct ElevationCleaning: Equatable, Sendable {
  /// What takes part where nothing else is said.
  package static let standard = ElevationCleaning(
    smoothingMetres: 60, thresholdMetres: 5, stepMetres: 30)
  /// The smoothing and the threshold that are allowed, in metres.
  package static let range = 0.0...1000.0
  /// The steps that are allowed, in metres.
  package static let stepRange = 1.0...10_000.0

  /// How far a place takes its neighbours along the way into account, in metres; 0 for not at all.
  package var smoothingMetres: Double
  /// The least climb or descent that is believed, in metres; 0 for any.
  package var thresholdMetres: Double
  /// The longest step between two places where the terrain is looked up, in metres.
  package var stepMetres: Double

  /// Makes a set of numbers within ``range`` and ``stepRange``.
  package init(smoothingMetres: Double, thresholdMetres: Double, stepMetres: Double) {
    self.smoothingMetres = smoothingMetres
    self.thresholdMetres = thresholdMetres
    self.stepMetres = stepMetres
  }
}

/// Cleans the elevations of a whole network at once, so that each node and each sample has one
/// elevation whoever passes it and in whatever direction.
///
/// The climb along an edge is then a plain sum over its places: what a round trip climbs it
/// descends, gain − loss is the difference of the ends, back is there reversed, and a way that is
/// cut climbs as much as a whole one.
///
/// 1. Structures get the elevation of their portals (``Structures``).
/// 2. Steps that are steeper than any path are flattened (``SlopeLimit``).
/// 3. Along each stroke (``Strokes``) short gaps are filled, the elevation is smoothed by distance
///    and small ripples are taken out (``ProfileFilter``). A stroke that meets others whose
///    elevation is decided already passes through that.
/// 4. The first two once more, for what smoothing did to them.
struct ElevationCleaner {
  /// The longest gap along a way that is filled between two known elevations, in metres.
  static let longestGapMetres = 500.0
  /// How often steps are flattened at most, and structures laid across them.
  private static let limitRounds = 10

  let network: WayNetwork
  let places: SamplePlaces
  let strokes: Strokes
  let cleaning: ElevationCleaning
  private let structures: Structures
  private(set) var tooSteepSteps = 0
  private(set) var structureNodes = 0

  /// Nodes whose elevation is decided.
  private var isDecided: [Bool]
  private var filter = ProfileFilter()
  /// The points of the stroke at hand: nodes, and samples behind them.
  private var points: [UInt32] = []
  /// Where the stroke at hand passed a node for the first time; valid where the stroke matches.
  private var visits: [(stroke: Int32, place: Int32)]
  private var repeats: [(place: Int, first: Int)] = []

  init(
    _ network: WayNetwork, _ places: SamplePlaces, _ trails: TrailsFile,
    _ cleaning: ElevationCleaning
  ) {
    self.network = network
    self.places = places
    self.cleaning = cleaning
    strokes = Strokes(network, trails)
    structures = Structures(network, trails)
    isDecided = [Bool](repeating: false, count: network.nodeCount)
    visits = Array(repeating: (stroke: -1, place: 0), count: network.nodeCount)
  }

  /// Cleans the elevations of all nodes and then of the samples; NaN where unknown.
  mutating func clean(_ sampled: [Float]) -> [Float] {
    var raw = sampled.map { Double($0) }
    let limit = SlopeLimit(network: network, places: places)
    structureNodes = structures.innerNodeCount
    structures.interpolate(&raw)
    tooSteepSteps = limit.apply(to: &raw)
    var cleaned = raw
    for stroke in strokes.order() { clean(stroke, raw, &cleaned) }
    // A path that leads up to the deck of a bridge amid it gives way to the deck, by half of what is
    // too steep a time.
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
    for (place, first) in repeats {
      if filter.pins[first].isNaN { filter.pins[first] = filter.elevations[first] }
      filter.pins[place] = filter.pins[first]
    }
    for stretch in stretches {
      filter.meetPins(stretch)
      filter.takeOutRipples(stretch, threshold: cleaning.thresholdMetres)
      for place in stretch {
        let point = Int(points[place])
        cleaned[point] = filter.elevations[place]
        if point < network.nodeCount { isDecided[point] = true }
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
      let samples = places.samples(ofSegment: segment, network)
      let step = network.metres[segment] / Double(samples.count + 1)
      let isForward = Int(network.lower[segment]) == node
      for number in 0..<samples.count {
        let sample = isForward ? samples.lowerBound + number : samples.upperBound - 1 - number
        points.append(UInt32(sample))
        filter.append(
          metres: metres + step * Double(number + 1), elevation: raw[sample], pin: .nan)
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
      repeats.append((points.count, Int(visits[node].place)))
    } else {
      visits[node] = (Int32(truncatingIfNeeded: stroke), Int32(truncatingIfNeeded: points.count))
    }
    points.append(UInt32(node))
    let pin = isDecided[node] ? cleaned[node] : .nan
    filter.append(metres: metres, elevation: raw[node].isNaN ? pin : raw[node], pin: pin)
  }
}
