// SPDX-License-Identifier: Apache-2.0
import CairnElevationProfiles

/// Cleans strokes one after another, holding the points of the current one.
struct StrokeCleaner {
  /// The state of a junction of strokes.
  struct Junction: BitwiseCopyable, Sendable {
    /// Its elevation in metres, fixed by the first stroke that passes it; NaN before.
    var elevation = Double.nan
    /// The last stroke that passed it, and the first of its passages here.
    var stroke = UInt32.max
    var passage: UInt32 = 0
  }

  /// A junction that the current stroke passes.
  private struct Passed {
    /// The index of its point.
    let index: Int
    let junction: Int
    /// Its elevation in metres if it is fixed; otherwise NaN.
    var elevation: Double
    /// The previous passage of the stroke here.
    let earlier: Int?
  }

  private let parameters: ElevationCleaning
  private let network: WayNetwork
  private let samplePoints: SamplePoints
  private let rule: SampleRule
  private let strokes: Strokes
  /// The elevations of all nodes and then of the samples. Those of junctions are left as they are,
  /// because other strokes need them.
  private let terrain: SampledTerrain
  private let junctions: Numbers<Junction>

  private var filter = ElevationProfileFilter()
  /// In place of the node or sample of a point: a junction.
  private static let junction = UInt32.max
  private var passed: [Passed] = []
  private var hasUnknown = false

  init(
    _ cleaner: ElevationCleaner, _ strokes: Strokes, _ terrain: SampledTerrain,
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
    if hasUnknown {
      filter.fillGaps(limitMetres: ElevationCleaner.longestGapMetres)
      let stretches = filter.knownStretches()
      for stretch in stretches { filter.smooth(stretch, metres: parameters.smoothingMetres) }
      setPins()
      for stretch in stretches { finish(stretch) }
    } else {
      filter.smooth(0..<filter.count, metres: parameters.smoothingMetres)
      setPins()
      finish(0..<filter.count)
    }
    let elevations = filter.buffers.elevations
    for passage in passed where !elevations[passage.index].isNaN {
      junctions.elements[passage.junction].elevation = elevations[passage.index]
    }
  }

  /// Fixes the points at junctions that other strokes have fixed, and those that the stroke passes
  /// again.
  private mutating func setPins() {
    let elevations = filter.buffers.elevations
    for index in passed.indices {
      guard let earlier = passed[index].earlier else { continue }
      if passed[earlier].elevation.isNaN {
        passed[earlier].elevation = elevations[passed[earlier].index]
      }
      passed[index].elevation = passed[earlier].elevation
    }
    filter.pins.removeAll(keepingCapacity: true)
    for passage in passed where !passage.elevation.isNaN {
      filter.pins.append(.init(index: passage.index, elevation: passage.elevation))
    }
  }

  /// Cleans a smoothed stretch and notes its elevations.
  private mutating func finish(_ stretch: Range<Int>) {
    filter.meetPins(stretch)
    filter.removeRipples(stretch, threshold: parameters.thresholdMetres)
    let (elevations, points) = (filter.buffers.elevations, filter.buffers.points)
    let target = terrain.elevations.elements
    for index in stretch where points[index] != Self.junction {
      target[Int(points[index])] = Float(elevations[index])
    }
  }

  /// Lays the points of a stroke out by distance.
  private mutating func collect(_ stroke: Int) {
    passed.removeAll(keepingCapacity: true)
    hasUnknown = false
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
    let (points, distances) = (filter.buffers.points, filter.buffers.metres)
    let (runs, refs) = (network.metres.elements, network.columns.refs)
    let isSampled = !link.kind.contains(.structure)
    var sample = network.nodeCount + Int(link.firstSample)
    if isSampled { for ref in Int(link.first)..<from { sample += rule.count(Double(runs[ref])) } }
    var (next, end) = (filter.count, metres)
    for ref in from..<to {
      let run = Double(runs[ref])
      let samples = isSampled ? rule.count(run) : 0
      if samples > 0 {
        let step = run / Double(samples + 1)
        for part in 0..<samples {
          points[next] = UInt32(truncatingIfNeeded: sample + part)
          distances[next] = end + step * Double(part + 1)
          next += 1
        }
        sample += samples
      }
      end += run
      points[next] = refs[ref + 1]
      distances[next] = end
      next += 1
    }
    look(upTo: next)
    metres = end
  }

  /// Appends the points before a ref down to an earlier one.
  private mutating func appendBackward(
    _ link: WayNetwork.Link, _ index: Int, _ from: Int, _ to: Int, _ metres: inout Double
  ) {
    let (points, distances) = (filter.buffers.points, filter.buffers.metres)
    let (runs, refs) = (network.metres.elements, network.columns.refs)
    let isSampled = !link.kind.contains(.structure)
    var sample = network.nodeCount + samplePoints.samples(ofLink: index, network).upperBound
    if isSampled { for ref in from..<Int(link.last) { sample -= rule.count(Double(runs[ref])) } }
    var (next, end) = (filter.count, metres)
    for ref in (to..<from).reversed() {
      let run = Double(runs[ref])
      let samples = isSampled ? rule.count(run) : 0
      if samples > 0 {
        let step = run / Double(samples + 1)
        for part in 0..<samples {
          points[next] = UInt32(truncatingIfNeeded: sample - 1 - part)
          distances[next] = end + step * Double(part + 1)
          next += 1
        }
        sample -= samples
      }
      end += run
      points[next] = refs[ref]
      distances[next] = end
      next += 1
    }
    look(upTo: next)
    metres = end
  }

  /// Looks the new points up in the terrain.
  private mutating func look(upTo end: Int) {
    let buffers = filter.buffers
    let (points, elevations, steepness) = (buffers.points, buffers.elevations, buffers.steepness)
    let (all, percent) = (terrain.elevations.elements, terrain.steepness.elements)
    var sum = 0.0
    for position in filter.count..<end {
      let point = Int(points[position])
      let elevation = Double(all[point])
      elevations[position] = elevation
      steepness[position] = percent[point]
      sum += elevation
    }
    // Of finite elevations, the sum is finite.
    if sum.isNaN { hasUnknown = true }
    filter.count = end
  }

  private mutating func appendJunction(_ junction: Int, _ metres: Double, _ stroke: Int) {
    let known = junctions.elements.baseAddress.unsafelyUnwrapped + junction
    let point = filter.count
    let isRepeated = known.pointee.stroke == UInt32(stroke)
    passed.append(
      Passed(
        index: point, junction: junction, elevation: known.pointee.elevation,
        earlier: isRepeated ? Int(known.pointee.passage) : nil))
    if !isRepeated {
      known.pointee.stroke = UInt32(stroke)
      known.pointee.passage = UInt32(passed.count - 1)
    }
    let buffers = filter.buffers
    let node = strokes.node(ofJunction: junction)
    let elevation = Double(terrain.elevations.elements[node])
    buffers.points[point] = Self.junction
    buffers.metres[point] = metres
    buffers.elevations[point] = elevation.isNaN ? known.pointee.elevation : elevation
    buffers.steepness[point] = terrain.steepness.elements[node]
    if buffers.elevations[point].isNaN { hasUnknown = true }
    filter.count = point + 1
  }
}
