// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// Compares the ways of two databases.
///
/// Segments (pairs of neighbouring points) in both are the same stretch, whatever their way and its
/// division. A remaining segment is the same stretch if it lies along a remaining segment of the
/// other side, within a tolerance. The rest was added, removed, or, if a way has both, rerouted.
/// Stretches in both are compared by their traits.
struct NetworkComparison {
  private let old: ComparedNetwork
  private let new: ComparedNetwork
  private let table: TraitTable
  private let tolerance: Double
  private let comparesRoutes: Bool
  private var tally = ChangeTally()

  /// Stretches of a line without a counterpart nearby in the other database.
  struct Run {
    var line: Int
    var metres = 0.0
    var points: [MapPoint] = []
    /// Whether it is the whole line.
    var isWhole = false
  }

  init(
    _ old: ComparedNetwork, _ new: ComparedNetwork, _ table: TraitTable, toleranceMetres: Double
  ) {
    (self.old, self.new, self.table) = (old, new, table)
    tolerance = toleranceMetres
    // A database of another program has no information on routes.
    comparesRoutes = old.hasTags && new.hasTags
  }

  /// The changes, by kind, trails before roads, longest first.
  mutating func changes() -> [NetworkChange] {
    let oldIndex = SegmentsByEnds(old)
    let newIndex = SegmentsByEnds(new)
    let unmatched = matchExactly(oldIndex)
    let oldLeft = old.lines.flatMap(\.segments).filter { segment in
      newIndex.segments(SegmentKey(old.points[segment], old.points[segment + 1])).isEmpty
    }
    let oldNearby = NearbySegments(old, table, oldLeft, toleranceMetres: tolerance)
    let newNearby = NearbySegments(new, table, unmatched, toleranceMetres: tolerance)
    let added = runs(of: new, unmatched, newIndex.lines) { piece, line in
      guard let segment = oldNearby.counterpart(of: piece, line, oldIndex.lines) else {
        return false
      }
      let before = old.lines[Int(oldIndex.lines[segment])].traits
      compare(before, line, piece.start, piece.end, piece.metres, isExact: false)
      return true
    }
    let removed = runs(of: old, oldLeft, oldIndex.lines) { piece, line in
      newNearby.counterpart(of: piece, line, newIndex.lines) != nil
    }
    settle(removed, added)
    return tally.changes(table, shortest: 2 * tolerance)
  }

  /// Compares the stretches with equal points, and returns the segments in the new network only.
  private mutating func matchExactly(_ index: SegmentsByEnds) -> [Int] {
    var left: [Int] = []
    for line in new.lines {
      let scale = new.scale(of: line)
      for segment in line.segments {
        let (start, end) = (new.points[segment], new.points[segment + 1])
        let lines = index.segments(SegmentKey(start, end)).map { old.lines[Int(index.lines[$0])] }
        guard let first = lines.first else {
          left.append(segment)
          continue
        }
        // If several ways lie on each other, the one that has changed least.
        let before =
          lines.first { $0.traits == line.traits } ?? lines.first { $0.way == line.way } ?? first
        guard before.traits != line.traits else { continue }
        compare(
          before.traits, line, start, end, new.segmentMetres(segment) * scale, isExact: true)
      }
    }
    return left
  }

  /// Divides the segments of one network into those along something in the other, and runs of the
  /// rest.
  private func runs(
    of network: ComparedNetwork, _ segments: [Int], _ lines: [Int32],
    isKnown: (SegmentPieces.Piece, ComparedNetwork.Line) -> Bool
  ) -> [Run] {
    var runs: [Run] = []
    for segment in segments {
      let number = Int(lines[segment])
      let line = network.lines[number]
      for piece in SegmentPieces(network, segment, pieceMetres: tolerance)
      where !isKnown(piece, line) {
        if let last = runs.last, last.line == number, last.points.last == piece.start {
          runs[runs.count - 1].points.append(piece.end)
        } else {
          runs.append(Run(line: number, points: [piece.start, piece.end]))
        }
        runs[runs.count - 1].metres += piece.metres
      }
    }
    return runs.compactMap { run in
      var run = run
      let line = network.lines[run.line]
      run.metres *= network.scale(of: line)
      run.isWhole = run.metres >= line.metres * 0.999
      // A cut corner, or an end moved by a few steps.
      return run.isWhole || run.metres >= 2 * tolerance ? run : nil
    }
  }

  /// Adds the differences on a stretch in both.
  private mutating func compare(
    _ before: Int32, _ line: ComparedNetwork.Line, _ start: MapPoint, _ end: MapPoint,
    _ metres: Double, isExact: Bool
  ) {
    for key in keys(table[before], table[line.traits], line.way) {
      tally.change(key) { sum in
        sum.add(line.way, line.traits, metres, isExact: isExact)
        ChangeTally.Sum.extend(&sum.newLines, start, end)
      }
    }
  }

  private func keys(_ before: WayTraits, _ now: WayTraits, _ way: Int64?) -> [ChangeKey] {
    let name = now.name ?? before.name
    var keys: [ChangeKey] = []
    func add(_ kind: NetworkChange.Kind, _ from: String? = nil, _ to: String? = nil) {
      keys.append(
        ChangeKey(kind: kind, name: name, way: name == nil ? way : nil, from: from, to: to))
    }
    if before.isOpen != now.isOpen { add(now.isOpen ? .reopened : .closed) }
    if before.grade != now.grade { add(.regraded, before.grade, now.grade) }
    if before.visibility != now.visibility { add(.visibility, before.visibility, now.visibility) }
    if before.name != now.name { add(.renamed, before.name, now.name) }
    if before.surface != now.surface { add(.resurfaced, before.surface, now.surface) }
    if before.highway != now.highway { add(.reclassified, before.highway, now.highway) }
    if comparesRoutes {
      if before.footRoute != now.footRoute { add(.waymarked, before.footRoute, now.footRoute) }
      if before.bicycleRoute != now.bicycleRoute {
        add(.waymarked, before.bicycleRoute, now.bicycleRoute)
      }
    }
    return keys
  }

  /// Classifies runs: two of one way, or between the same ends, are a rerouting.
  private mutating func settle(_ removed: [Run], _ added: [Run]) {
    var pairs = RunPairs(old, removed, new, added, toleranceMetres: tolerance)
    for pair in pairs.take() { addRerouted(pair) }
    for run in pairs.removed { add(.removed, run, old, elsewhere: new.metresOfWays) }
    for run in pairs.added { add(.added, run, new, elsewhere: old.metresOfWays) }
  }

  private mutating func add(
    _ kind: NetworkChange.Kind, _ run: Run, _ network: ComparedNetwork,
    elsewhere: [Int64: Double]
  ) {
    let line = network.lines[run.line]
    let traits = table[line.traits]
    let key = ChangeKey(
      kind: kind, name: traits.name, way: traits.name == nil ? line.way : nil,
      isClosed: !traits.isOpen)
    tally.change(key) { sum in
      sum.add(line.way, line.traits, run.metres)
      sum.isPart = sum.isPart && line.way.map { elsewhere[$0] != nil } ?? false
      if kind == .removed { sum.oldLines.append(run.points) }
      if kind == .added { sum.newLines.append(run.points) }
    }
  }

  private mutating func addRerouted(_ pair: RunPairs.Pair) {
    guard let first = pair.added.first, let before = pair.removed.first else { return }
    let line = new.lines[first.line]
    let earlier = old.lines[before.line]
    let key = ChangeKey(kind: .rerouted, name: table[line.traits].name, way: line.way)
    let lengths = (
      before: earlier.way.flatMap { old.metresOfWays[$0] } ?? earlier.metres,
      now: line.way.flatMap { new.metresOfWays[$0] } ?? line.metres
    )
    tally.change(key) { sum in
      for run in pair.added {
        sum.add(line.way, new.lines[run.line].traits, run.metres)
        sum.newLines.append(run.points)
      }
      sum.oldLines += pair.removed.map(\.points)
      sum.wayMetres = lengths
    }
    for run in pair.added {
      for (start, end) in zip(run.points, run.points.dropFirst()) {
        let metres = haversineDistance(start.coordinate, end.coordinate)
        compare(earlier.traits, new.lines[run.line], start, end, metres, isExact: true)
      }
    }
  }
}

extension ComparedNetwork.Line {
  /// Its segments.
  var segments: Range<Int> { points.dropLast() }
}
