// SPDX-License-Identifier: Apache-2.0

/// Cleans strokes one after the other; it holds the points of the current one.
struct StrokeCleaner {
  /// What is known of a junction of strokes.
  struct Junction: BitwiseCopyable, Sendable {
    /// Its elevation in metres, fixed by the first stroke that passes it; NaN before.
    var elevation = Double.nan
    /// The stroke that passed it last, and the index of the point where it did so first.
    var stroke = UInt32.max
    var point: UInt32 = 0
  }

  private let parameters: ElevationCleaning
  private let network: WayNetwork
  private let samplePoints: SamplePoints
  private let rule: SampleRule
  private let strokes: Strokes
  /// The elevations of all nodes and then of the samples. Those of junctions are left as they are,
  /// because other strokes need them.
  private let terrain: Terrain
  private let junctions: Numbers<Junction>

  private var filter = ElevationProfileFilter()
  /// In place of the node or sample of a point: a junction.
  private static let junction = UInt32.max
  private var passed: [(index: Int, junction: Int)] = []
  private var repeats: [(index: Int, first: Int)] = []

  init(
    _ cleaner: ElevationCleaner, _ strokes: Strokes, _ terrain: Terrain,
    _ junctions: Numbers<Junction>
  ) {
    parameters = cleaner.cleaning
    network = cleaner.network
    samplePoints = cleaner.samplePoints
    rule = SampleRule(stepMetres: cleaner.samplePoints.stepMetres)
    self.strokes = strokes
    self.terrain = terrain
    self.junctions = junctions
  }

  /// Cleans the points of a stroke, and fixes its junctions.
  mutating func clean(_ stroke: Int) {
    collect(stroke)
    filter.fillGaps(limitMetres: ElevationCleaner.longestGapMetres)
    let stretches = filter.knownStretches()
    for stretch in stretches { filter.smooth(stretch, metres: parameters.smoothingMetres) }
    let (elevations, pins) = (filter.buffers.elevations, filter.buffers.pins)
    for (index, first) in repeats {
      if pins[first].isNaN { pins[first] = elevations[first] }
      pins[index] = pins[first]
    }
    let (points, target) = (filter.buffers.points, terrain.elevations.elements)
    for stretch in stretches {
      filter.meetPins(stretch)
      filter.removeRipples(stretch, threshold: parameters.thresholdMetres)
      for index in stretch where points[index] != Self.junction {
        target[Int(points[index])] = elevations[index]
      }
    }
    for (index, junction) in passed where !elevations[index].isNaN {
      junctions.elements[junction].elevation = elevations[index]
    }
  }

  /// Lays the points of a stroke out by distance.
  private mutating func collect(_ stroke: Int) {
    passed.removeAll(keepingCapacity: true)
    repeats.removeAll(keepingCapacity: true)
    var count = 1
    strokes.forEachLink(ofStroke: stroke) { _, index, from, to in
      count += abs(to - from) + samplePoints.samples(ofLink: index, network).count
    }
    filter.buffers.reserve(count)
    filter.count = 0
    let passages = strokes.passages(ofStroke: stroke)
    var next = passages.startIndex
    var metres = 0.0
    appendJunction(Int(passages[next].junction), metres, stroke)
    next += 1
    var position: UInt32 = 0
    strokes.forEachLink(ofStroke: stroke) { link, index, from, to in
      if from < to {
        appendForward(link, index, from, to, &metres)
      } else {
        appendBackward(link, index, from, to, &metres)
      }
      position += 1
      if passages[next].position == position {
        // Its node was appended like any other.
        filter.count -= 1
        appendJunction(Int(passages[next].junction), metres, stroke)
        next += 1
      }
    }
  }

  /// Appends the points after a ref up to a later one.
  private mutating func appendForward(
    _ link: WayNetwork.Link, _ index: Int, _ from: Int, _ to: Int, _ metres: inout Double
  ) {
    let line = PointWriter(filter.buffers, terrain)
    let (runs, refs) = (network.metres.elements, network.columns.refs)
    let isSampled = !link.kind.contains(.structure)
    var sample = network.nodeCount + Int(link.firstSample)
    if isSampled { for ref in Int(link.first)..<from { sample += rule.count(runs[ref]) } }
    var (next, end) = (filter.count, metres)
    for ref in from..<to {
      let run = runs[ref]
      let samples = isSampled ? rule.count(run) : 0
      if samples > 0 {
        let step = run / Double(samples + 1)
        for part in 0..<samples {
          line.set(next, UInt32(sample + part), end + step * Double(part + 1))
          next += 1
        }
        sample += samples
      }
      end += run
      line.set(next, refs[ref + 1], end)
      next += 1
    }
    (filter.count, metres) = (next, end)
  }

  /// Appends the points before a ref down to an earlier one.
  private mutating func appendBackward(
    _ link: WayNetwork.Link, _ index: Int, _ from: Int, _ to: Int, _ metres: inout Double
  ) {
    let line = PointWriter(filter.buffers, terrain)
    let (runs, refs) = (network.metres.elements, network.columns.refs)
    let isSampled = !link.kind.contains(.structure)
    var sample = network.nodeCount + samplePoints.samples(ofLink: index, network).upperBound
    if isSampled { for ref in from..<Int(link.last) { sample -= rule.count(runs[ref]) } }
    var (next, end) = (filter.count, metres)
    for ref in (to..<from).reversed() {
      let run = runs[ref]
      let samples = isSampled ? rule.count(run) : 0
      if samples > 0 {
        let step = run / Double(samples + 1)
        for part in 0..<samples {
          line.set(next, UInt32(sample - 1 - part), end + step * Double(part + 1))
          next += 1
        }
        sample -= samples
      }
      end += run
      line.set(next, refs[ref], end)
      next += 1
    }
    (filter.count, metres) = (next, end)
  }

  private mutating func appendJunction(_ junction: Int, _ metres: Double, _ stroke: Int) {
    let known = junctions.elements[junction]
    let point = filter.count
    if known.stroke == UInt32(stroke) {
      repeats.append((point, Int(known.point)))
    } else {
      junctions.elements[junction].stroke = UInt32(stroke)
      junctions.elements[junction].point = UInt32(point)
    }
    passed.append((point, junction))
    let buffers = filter.buffers
    PointWriter(buffers, terrain).set(
      point, UInt32(strokes.node(ofJunction: junction)), metres)
    buffers.points[point] = Self.junction
    if buffers.elevations[point].isNaN { buffers.elevations[point] = known.elevation }
    buffers.pins[point] = known.elevation
    filter.count = point + 1
  }
}

/// Writes the points of a line.
private struct PointWriter {
  private let points: UnsafeMutablePointer<UInt32>
  private let metres: UnsafeMutablePointer<Double>
  private let elevations: UnsafeMutablePointer<Double>
  private let pins: UnsafeMutablePointer<Double>
  private let steepness: UnsafeMutablePointer<UInt8>
  private let terrainElevations: UnsafeMutableBufferPointer<Double>
  private let terrainSteepness: UnsafeMutableBufferPointer<UInt8>

  init(_ buffers: ProfileBuffers, _ terrain: Terrain) {
    (points, metres, elevations) = (buffers.points, buffers.metres, buffers.elevations)
    (pins, steepness) = (buffers.pins, buffers.steepness)
    terrainElevations = terrain.elevations.elements
    terrainSteepness = terrain.steepness.elements
  }

  /// Puts a node or sample at a position of the line and so many metres from its start.
  @inline(__always)
  func set(_ position: Int, _ point: UInt32, _ distance: Double) {
    points[position] = point
    metres[position] = distance
    elevations[position] = terrainElevations[Int(point)]
    pins[position] = .nan
    steepness[position] = terrainSteepness[Int(point)]
  }
}
