// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a stretch from a path: its edges, its line with times, and the positions of its fixes.
struct StretchBuilder {
  /// A fix of the stretch.
  struct PlacedFix {
    /// The index in the track.
    var index: Int
    /// Metres along the stretch.
    var metres: Float
    var matched: MatchedFix
  }

  /// Shorter parts of an edge at the ends of the stretch are left out: they are below the precision
  /// of geometries.
  private static let shortestEndMetres: Float = 1

  private let network: MatchingNetwork
  private var parts: [PathPart]
  /// The fixes in the order of the track.
  private(set) var fixes: [PlacedFix] = []
  private var clock: PathClock

  init(
    _ network: MatchingNetwork, _ path: PathBuilder, _ observations: [Observation],
    _ track: [MatchingFix]
  ) {
    self.network = network
    parts = path.parts
    clock = PathClock(path.anchors.map { .init($0, observations[$0.observation]) })
    fixes = FixPlacement(network, path, observations).placed(track)
  }

  /// Cuts off the fixes before one and after another, and the line there.
  mutating func trim(to range: ClosedRange<Int>, _ track: [MatchingFix]) {
    guard let first = fixes.first(where: { $0.index >= range.lowerBound }),
      let last = fixes.last(where: { $0.index <= range.upperBound }), first.index <= last.index
    else { return }
    fixes.removeAll { $0.index < first.index || $0.index > last.index }
    clock.trim(
      from: .init(metres: first.metres, seconds: track[first.index].seconds),
      to: .init(metres: last.metres, seconds: track[last.index].seconds))
    parts = parts.compactMap { part in
      guard part.end >= first.metres, part.start <= last.metres else { return nil }
      let low = max(first.metres, part.start)
      let high = max(low, min(last.metres, part.end))
      var piece = part
      piece.from = part.position(at: low)
      piece.to = high < part.end ? part.position(at: high) : part.to
      piece.start = low
      return piece
    }
  }

  /// The stretch.
  func stretch() -> MatchedStretch {
    var clock = clock
    return MatchedStretch(
      edges: withoutShortEnds().map { edge($0, &clock) },
      fixes: fixes[0].index...fixes[fixes.count - 1].index)
  }

  private func withoutShortEnds() -> [PathPart] {
    var kept = parts.filter { $0.length > 0 }
    while kept.count > 1, kept[kept.count - 1].length < Self.shortestEndMetres { kept.removeLast() }
    while kept.count > 1, kept[0].length < Self.shortestEndMetres { kept.removeFirst() }
    return kept.isEmpty ? Array(parts.prefix(1)) : kept
  }

  private func edge(_ part: PathPart, _ clock: inout PathClock) -> MatchedEdge {
    let index = Int(part.edge)
    let texts = network.roads.texts(ofEdge: index)
    let length = Double(network.lines.length(part.edge))
    func share(_ along: Float) -> Double { length > 0 ? Double(along) / length : 0 }
    let (from, to) = (share(part.from), share(part.to))
    return MatchedEdge(
      edge: network.roads.edges[index].id, osmWayID: texts.osmWayID, name: texts.name,
      highwayType: texts.highway, isReversed: part.isReversed, fromShare: from, toShare: to,
      lengthMetres: abs(to - from) * network.roads.edges[index].distance, line: line(part, &clock))
  }

  private func line(_ part: PathPart, _ clock: inout PathClock) -> [TimedPoint] {
    var line: [TimedPoint] = []
    func add(_ point: Coordinate, _ metres: Float) {
      guard line.last?.coordinate != point else { return }
      line.append(TimedPoint(coordinate: point, time: clock.time(at: metres)))
    }
    add(network.lines.point(part.edge, at: part.from), part.start)
    network.lines.forEachPoint(part.edge, from: part.from, to: part.to) { point, along in
      add(point, part.start + abs(along - part.from))
    }
    add(network.lines.point(part.edge, at: part.to), part.end)
    return line
  }
}

/// The times along a stretch, interpolated between its observations; call it with ascending
/// distances.
struct PathClock {
  /// A position of the track with its times.
  struct Mark {
    var metres: Float
    /// The times of arrival and departure in seconds; NaN if unknown.
    var arrival: Double
    var departure: Double

    init(metres: Float, seconds: Double) {
      self.metres = metres
      (arrival, departure) = (seconds, seconds)
    }

    /// A rest has its arrival at its beginning and its departure at its end.
    init(_ anchor: PathBuilder.Anchor, _ observation: Observation) {
      self.init(metres: anchor.metres, seconds: observation.middle)
      if observation.isRest { (arrival, departure) = (observation.start, observation.end) }
    }
  }

  private var marks: [Mark]
  /// The last mark that is not beyond the position.
  private var index = 0

  init(_ marks: [Mark]) { self.marks = marks }

  mutating func trim(from first: Mark, to last: Mark) {
    marks = [first] + marks.filter { $0.metres > first.metres && $0.metres < last.metres } + [last]
    index = 0
  }

  mutating func time(at metres: Float) -> Date? {
    while index + 1 < marks.count, marks[index + 1].metres <= metres { index += 1 }
    let here = marks[index]
    guard metres > here.metres else { return date(here.arrival) }
    guard index + 1 < marks.count else { return date(here.departure) }
    let next = marks[index + 1]
    let share = Double((metres - here.metres) / (next.metres - here.metres))
    // Times that run backwards are not interpolated.
    let span = max(0, next.arrival - here.departure)
    return date(here.departure + share * span)
  }

  private func date(_ seconds: Double) -> Date? {
    seconds.isNaN ? nil : Date(timeIntervalSince1970: seconds)
  }
}
