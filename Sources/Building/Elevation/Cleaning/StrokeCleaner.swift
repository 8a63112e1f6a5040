// SPDX-License-Identifier: Apache-2.0

/// Cleans strokes one after the other; it holds the points of the current one.
struct StrokeCleaner {
  /// What is known of a junction of strokes.
  struct Junction {
    /// Its elevation in metres, fixed by the first stroke that passes it; NaN before.
    var elevation = Double.nan
    /// The stroke that passed it last, and the index of the point where it did so first.
    var stroke = UInt32.max
    var point: UInt32 = 0
  }

  private let parameters: ElevationCleaning
  private let network: WayNetwork
  private let samplePoints: SamplePoints
  private let strokes: Strokes
  private let steepness: [UInt8]
  /// The elevations of all nodes and then of the samples. Those of junctions are left as they are,
  /// because other strokes need them.
  private let elevations: SharedBuffer<Double>
  private let junctions: SharedBuffer<Junction>

  private var filter = ElevationProfileFilter()
  /// The nodes and samples of the stroke; ``junction`` for junctions.
  private var points: [UInt32] = []
  private static let junction = UInt32.max
  private var passed: [(index: Int, junction: Int)] = []
  private var repeats: [(index: Int, first: Int)] = []

  init(
    _ cleaner: ElevationCleaner, _ steepness: [UInt8], _ elevations: SharedBuffer<Double>,
    _ junctions: SharedBuffer<Junction>
  ) {
    parameters = cleaner.cleaning
    network = cleaner.network
    samplePoints = cleaner.samplePoints
    strokes = cleaner.strokes
    self.steepness = steepness
    self.elevations = elevations
    self.junctions = junctions
  }

  /// Cleans the points of a stroke, and fixes its junctions.
  mutating func clean(_ stroke: Int) {
    collect(stroke)
    filter.fillGaps(limitMetres: ElevationCleaner.longestGapMetres)
    let stretches = filter.knownStretches()
    for stretch in stretches { filter.smooth(stretch, metres: parameters.smoothingMetres) }
    for (index, first) in repeats {
      if filter.pins[first].isNaN { filter.pins[first] = filter.elevations[first] }
      filter.pins[index] = filter.pins[first]
    }
    for stretch in stretches {
      filter.meetPins(stretch)
      filter.removeRipples(stretch, threshold: parameters.thresholdMetres)
      for index in stretch where points[index] != Self.junction {
        elevations[Int(points[index])] = filter.elevations[index]
      }
    }
    for (index, junction) in passed where !filter.elevations[index].isNaN {
      junctions.elements[junction].elevation = filter.elevations[index]
    }
  }

  /// Lays the points of a stroke out by distance.
  private mutating func collect(_ stroke: Int) {
    filter.removeAll()
    points.removeAll(keepingCapacity: true)
    passed.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    let passages = strokes.passages(ofStroke: stroke)
    var next = passages.startIndex
    let first = Int(passages[next].junction)
    var node = Int(strokes.junctions[first])
    var metres = 0.0
    appendJunction(first, node, metres, stroke)
    next += 1
    var position: UInt32 = 0
    for segment in strokes.segments(ofStroke: stroke) {
      let segment = Int(segment)
      let samples = samplePoints.samples(ofSegment: segment, network)
      let isForward = Int(network.lower[segment]) == node
      if !samples.isEmpty {
        let step = network.metres[segment] / Double(samples.count + 1)
        for index in 0..<samples.count {
          let sample = isForward ? samples.lowerBound + index : samples.upperBound - 1 - index
          append(sample, metres + step * Double(index + 1))
        }
      }
      metres += network.metres[segment]
      node = Int(isForward ? network.upper[segment] : network.lower[segment])
      position += 1
      if passages[next].position == position {
        appendJunction(Int(passages[next].junction), node, metres, stroke)
        next += 1
      } else {
        append(node, metres)
      }
    }
  }

  private mutating func append(_ point: Int, _ metres: Double) {
    points.append(UInt32(point))
    filter.append(
      metres: metres, elevation: elevations[point], pin: .nan, steepness: steepness[point])
  }

  private mutating func appendJunction(
    _ junction: Int, _ node: Int, _ metres: Double, _ stroke: Int
  ) {
    let known = junctions[junction]
    if known.stroke == UInt32(stroke) {
      repeats.append((points.count, Int(known.point)))
    } else {
      junctions.elements[junction].stroke = UInt32(stroke)
      junctions.elements[junction].point = UInt32(points.count)
    }
    passed.append((points.count, junction))
    points.append(Self.junction)
    filter.append(
      metres: metres,
      elevation: elevations[node].isNaN ? known.elevation : elevations[node], pin: known.elevation,
      steepness: steepness[node])
  }
}
