// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import SystemIO

/// The lines of trails and routes, cut into pieces by the cells of the grid.
struct LinePieces: Sendable {
  /// A piece of a line, which begins in its cell and ends with its first point outside.
  struct Piece: Sendable {
    var cell: Int
    /// The line that it is of.
    var line: Int
    /// The range of its points in ``bytes``, as in the database.
    var points: Range<Int>
  }

  /// The ways that are lines of places, ascending, each with the ids of its places.
  struct Lines: Sendable {
    private(set) var ways: [Int] = []
    /// The places of all ways one after another, and where those of each begin and finally end.
    private var ids: [Int] = []
    private var starts = [0]

    /// Takes pairs of ways and ids in any order.
    init(_ pairs: [(way: Int, id: Int)]) {
      for (way, id) in pairs.sorted(by: { $0 < $1 }) {
        if ways.last != way {
          ways.append(way)
          starts.append(ids.count)
        }
        ids.append(id)
        starts[ways.count] = ids.count
      }
    }

    /// The ids of the places of a line, ascending.
    func places(_ line: Int) -> ArraySlice<Int> { ids[starts[line]..<starts[line + 1]] }
  }

  /// Points within this distance of the line without them are left out.
  static let toleranceMetres = 3.0
  /// The longest segment of a piece.
  static let segmentMetres = 300.0
  /// The number of ways that a thread cuts at a time.
  private static let blockWays = 512

  /// The lines, in the order of their ways; ways of several places are there once.
  let lines: Lines
  /// The pieces in the order of their cells; within a cell in that of their lines.
  private(set) var pieces: [Piece] = []
  /// The packed points of all pieces.
  private(set) var bytes: [UInt8] = []
  /// The box around all points; nil if there are none.
  private(set) var box: BoundingBox?

  /// Cuts lines on some threads.
  init(_ lines: Lines, of ways: WayLines, threads: Int) {
    self.lines = lines
    let blocks = mapBlocks(of: lines.ways.count, size: Self.blockWays, threads: threads) { block in
      var cutter = LineCutter()
      for line in block { cutter.cut(lines.ways[line], line: line, of: ways) }
      return cutter
    }
    bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.bytes.count })
    pieces.reserveCapacity(blocks.reduce(0) { $0 + $1.pieces.count })
    for block in blocks {
      let start = bytes.count
      bytes += block.bytes
      for piece in block.pieces {
        pieces.append(
          Piece(
            cell: piece.cell, line: piece.line,
            points: start + piece.points.lowerBound..<start + piece.points.upperBound))
      }
      for corner in block.box?.corners ?? [] {
        box = box?.extended(to: corner) ?? BoundingBox(at: corner)
      }
    }
    // In the order in which they were cut, the bytes ascend.
    pieces.sort { ($0.cell, $0.points.lowerBound) < ($1.cell, $1.points.lowerBound) }
  }

  /// The cells that the line of each place begins in, ascending: those of the place with id n are at
  /// `starts[n]..<starts[n + 1]`.
  func cellsOfPlaces(count: Int) -> (starts: [Int], cells: [Int]) {
    // Cells are less than 2³⁰.
    var pairs: [Int] = []
    for piece in pieces {
      for place in lines.places(piece.line) { pairs.append(place << 30 | piece.cell) }
    }
    pairs.sort()
    var starts = [Int](repeating: 0, count: count + 2)
    var cells: [Int] = []
    for (index, pair) in pairs.enumerated() where index == 0 || pairs[index - 1] != pair {
      cells.append(pair & (1 << 30 - 1))
      starts[pair >> 30 + 1] += 1
    }
    for place in 0...count { starts[place + 1] += starts[place] }
    return (starts, cells)
  }
}

extension BoundingBox {
  fileprivate var corners: [Coordinate] {
    [Coordinate(latitude: south, longitude: west), Coordinate(latitude: north, longitude: east)]
  }
}
