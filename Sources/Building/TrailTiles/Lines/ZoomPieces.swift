// SPDX-License-Identifier: Apache-2.0
import Tiles
import TrailData

/// The content of a zoom in pieces, in the order of their tiles and features.
struct ZoomPieces: Sendable {
  let zoom: Int
  let points: [TilePoint]
  let pieces: [TilePiece]
  /// The start of the pieces of each tile, and finally the end.
  let tileStarts: [Int]

  init(zoom: Int, _ features: TileFeatures, _ ways: TileWays) {
    self.zoom = zoom
    let isLast = features.zooms.keys.allSatisfy { $0 <= zoom }
    var maker = PieceMaker(zoom: zoom, ways, dropsSmallest: !isLast)
    if let shown = features.zooms[zoom] {
      maker.countDegrees(shown.lines[0])
      for (layer, lines) in shown.lines.enumerated() {
        maker.add(lines, layer: UInt32(layer))
      }
      for (set, point) in shown.points {
        maker.addPoint(ways.pointOfInterest(point), set: set, layer: 2)
      }
    }
    points = maker.cutter.points
    pieces = maker.cutter.pieces.sorted {
      ($0.tile, $0.feature, $0.start) < ($1.tile, $1.feature, $1.start)
    }
    let pieces = pieces
    tileStarts =
      pieces.indices.filter { $0 == 0 || pieces[$0 - 1].tile != pieces[$0].tile } + [pieces.count]
  }

  /// The number of tiles.
  var tileCount: Int { tileStarts.count - 1 }
}

/// The columns of ways, taken out of the file once.
struct TileWays: Sendable {
  let offsets: Column<UInt32>
  let refs: Column<UInt32>
  let positions: NodePositions
  let nodeCount: Int
  private let pointsOfInterest: PointsOfInterest

  init(_ trails: TrailsFile, threads: Int) {
    offsets = trails.refOffsets
    refs = trails.refs
    nodeCount = trails.nodeIDs.count
    pointsOfInterest = trails.pointsOfInterest
    positions = NodePositions(trails, threads: threads)
  }

  func refs(of way: UInt32) -> Range<Int> { Int(offsets[Int(way)])..<Int(offsets[Int(way) + 1]) }

  func pointOfInterest(_ index: Int) -> GridPoint {
    NodePositions.point(pointsOfInterest.coordinate(index))
  }
}

/// Merges, simplifies and cuts the lines of a zoom.
private struct PieceMaker {
  private let zoom: Int
  private let ways: TileWays
  private let dropsSmallest: Bool
  private let tolerance: Double
  /// The number of shown segments that end at each node, up to 255.
  private var degrees: [UInt8] = []
  private(set) var cutter: TileCutter
  private var merger = LineMerger()
  private var simplifier = GridSimplifier()
  private var line: [GridPoint] = []
  private var pins: [Bool] = []
  private var crossesAntimeridian = false

  init(zoom: Int, _ ways: TileWays, dropsSmallest: Bool) {
    self.zoom = zoom
    self.ways = ways
    self.dropsSmallest = dropsSmallest
    tolerance = ZoomRules.tolerance(zoom: zoom)
    cutter = TileCutter(zoom: zoom)
  }

  mutating func countDegrees(_ lines: [TileFeatures.Line]) {
    degrees = [UInt8](repeating: 0, count: ways.nodeCount)
    for line in lines {
      let refs = ways.refs(of: line.way)
      for ref in refs {
        let isEnd = ref == refs.lowerBound || ref == refs.upperBound - 1
        let node = Int(ways.refs[ref])
        degrees[node] = UInt8(clamping: Int(degrees[node]) + (isEnd ? 1 : 2))
      }
    }
  }

  mutating func addPoint(_ point: GridPoint, set: UInt32, layer: UInt32) {
    cutter.add(
      NodePositions.scale(point, zoom: zoom), feature: layer << TilePiece.layerShift | set)
  }

  /// Adds lines that are sorted by their sets.
  mutating func add(_ lines: [TileFeatures.Line], layer: UInt32) {
    var start = 0
    while start < lines.count {
      let set = lines[start].set
      var end = start + 1
      while end < lines.count, lines[end].set == set { end += 1 }
      merge(lines[start..<end], feature: layer << TilePiece.layerShift | set)
      start = end
    }
  }

  private mutating func merge(_ lines: ArraySlice<TileFeatures.Line>, feature: UInt32) {
    let ways = ways
    let usable = lines.filter { ways.refs(of: $0.way).count > 1 }[...]
    merger.merge(usable) {
      ways.refs[ways.refs(of: $0).lowerBound]
    } lastNode: {
      ways.refs[ways.refs(of: $0).upperBound - 1]
    }
    var first = 0
    for index in merger.lineEnds.indices {
      let end = merger.lineEnds[index]
      add(first..<end, feature)
      first = end
    }
  }

  private mutating func add(_ steps: Range<Int>, _ feature: UInt32) {
    line.removeAll(keepingCapacity: true)
    pins.removeAll(keepingCapacity: true)
    crossesAntimeridian = false
    var ends: (first: UInt32, last: UInt32)?
    for index in steps {
      let step = merger.steps[index]
      let refs = ways.refs(of: step.way)
      for offset in 0..<refs.count {
        let ref = step.isReversed ? refs.upperBound - 1 - offset : refs.lowerBound + offset
        let node = ways.refs[ref]
        ends = (ends?.first ?? node, node)
        append(ways.positions.point(node, zoom: zoom), isPinned: degrees[Int(node)] > 2, feature)
      }
    }
    if dropsSmallest, !crossesAntimeridian, let ends, isSmall,
      isDeadEnd(ends.first) || isDeadEnd(ends.last)
    {
      return
    }
    flush(feature)
  }

  private mutating func append(_ point: GridPoint, isPinned: Bool, _ feature: UInt32) {
    if let last = line.last {
      if last == point {
        if isPinned { pins[pins.count - 1] = true }
        return
      }
      // Across the antimeridian: the line leads beyond the border, and comes from beyond it on the other
      // side of the map.
      let world = Int32(4096) << Int32(zoom)
      if abs(last.x - point.x) > world / 2 {
        let turn = point.x < last.x ? world : -world
        line.append(GridPoint(x: point.x + turn, y: point.y))
        pins.append(isPinned)
        crossesAntimeridian = true
        flush(feature)
        line.append(GridPoint(x: last.x - turn, y: last.y))
        pins.append(false)
      }
    }
    line.append(point)
    pins.append(isPinned)
  }

  private mutating func flush(_ feature: UInt32) {
    if line.count > 1 {
      simplifier.simplify(&line, pins: pins, tolerance: tolerance)
      cutter.add(line, feature: feature)
    }
    line.removeAll(keepingCapacity: true)
    pins.removeAll(keepingCapacity: true)
  }

  private func isDeadEnd(_ node: UInt32) -> Bool { degrees[Int(node)] < 2 }

  private var isSmall: Bool {
    guard let first = line.first else { return true }
    var (west, east, north, south) = (first.x, first.x, first.y, first.y)
    for point in line {
      (west, east) = (min(west, point.x), max(east, point.x))
      (north, south) = (min(north, point.y), max(south, point.y))
    }
    return max(east - west, south - north) < ZoomRules.smallestUnits
  }
}
