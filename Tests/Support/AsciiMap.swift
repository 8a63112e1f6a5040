// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import SystemIO
import TrailData

/// A map drawn with letters as nodes, for tests of everything that reads ways.
///
/// ```swift
/// let map = AsciiMap(
///   """
///   A---B---C
///       |
///       D
///   """,
///   ways: [.init("ABC"), .init("BD", tags: ["highway": "steps"])],
///   nodeTags: ["B": ["barrier": "gate"]],
///   elevations: ["A": 100, "B": 120])
/// let folder = try TemporaryFolder()
/// let trails = try map.elevatedFiles(in: folder).open()
/// ```
///
/// Each letter, A…Z and a…z, is a node at its position: one character further is `cellMetres`
/// further east, one line down is `cellMetres` further south, and the first character of the
/// first line lies at 47° N 10° E. All other characters are decoration; only `ways` connects.
/// The ids are 1…26 for A…Z and 27…52 for a…z.
package struct AsciiMap: Sendable {
  /// A way of the map.
  package struct Way: Sendable {
    /// The letters of its nodes, in order.
    package var nodes: String
    /// The id; if it is nil, 100 plus the index in the list of ways.
    package var id: Int64?
    /// The tags.
    package var tags: [String: String]

    /// Makes a way, a path unless `tags` says something else.
    package init(_ nodes: String, id: Int64? = nil, tags: [String: String] = ["highway": "path"]) {
      self.nodes = nodes
      self.id = id
      self.tags = tags
    }
  }

  /// A waymarked route of the map.
  package struct Route: Sendable {
    /// The tags.
    package var tags: [String: String]
    /// The ids of the ways that it follows.
    package var ways: Set<Int64>

    /// Makes a hiking route of a network.
    package init(network: String?, kind: String = "hiking", ways: Set<Int64>) {
      tags = ["route": kind]
      tags["network"] = network
      self.ways = ways
    }
  }

  /// An area of the map that may be a hazard.
  package struct Area: Sendable {
    /// The letters of its outlines and of those of its holes; each is closed.
    package var rings: [String]
    /// The id; that of a relation if it has several rings.
    package var id: Int64
    /// The tags.
    package var tags: [String: String]

    /// Makes an area.
    package init(_ rings: String..., id: Int64 = 500, tags: [String: String]) {
      self.rings = rings
      self.id = id
      self.tags = tags
    }
  }

  /// A square of paths that cross in rows and columns, for more junctions than there are letters.
  package struct Lattice: Sendable {
    /// The letter of its north-western junction, from where it lies to the south and east.
    package var corner: Character
    /// How many junctions each side has, at least 2.
    package var side: Int

    /// Makes a square.
    package init(at corner: Character, side: Int) {
      self.corner = corner
      self.side = side
    }
  }

  /// The ways, in any order of ids.
  package var ways: [Way]
  /// A square of paths from cell to cell; its ids of nodes and ways begin at 1,000,000. Some way of the
  /// map must be a path, too.
  package var lattice: Lattice?
  /// The waymarked routes; their ids are 1000 plus their indices.
  package var routes: [Route] = []
  /// The areas; those of one ring, then those of several, each in the order of their ids.
  package var areas: [Area] = []
  /// The tags of nodes.
  package var nodeTags: [Character: [String: String]]
  /// Metres above sea level; nodes that are not named have no elevation.
  package var elevations: [Character: Float]
  /// The latitude of the drawing's first line, in degrees.
  package var latitude = 47.0
  /// Where letters lie that do not lie where they are drawn.
  package var places: [Character: FixedCoordinate] = [:]
  private let cells: [Character: [(column: Int, row: Int)]]
  private let cellMetres: Double

  /// Reads a drawing. What is wrong with the map shows when its content is asked for.
  package init(
    _ drawing: String, cellMetres: Double = 100, ways: [Way],
    nodeTags: [Character: [String: String]] = [:], elevations: [Character: Float] = [:]
  ) {
    self.cellMetres = cellMetres
    self.ways = ways
    self.nodeTags = nodeTags
    self.elevations = elevations
    var cells: [Character: [(column: Int, row: Int)]] = [:]
    for (row, line) in drawing.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      for (column, letter) in line.enumerated() where Self.nodeID(letter) != nil {
        cells[letter, default: []].append((column, row))
      }
    }
    self.cells = cells
  }

  /// The id of a letter's node: 1…26 for A…Z, 27…52 for a…z, nil for anything else.
  package static func nodeID(_ letter: Character) -> Int64? {
    switch letter.asciiValue {
    case .some(let code) where (65...90).contains(code): Int64(code) - 64
    case .some(let code) where (97...122).contains(code): Int64(code) - 70
    default: nil
    }
  }

  /// The letter of a node's id, for messages.
  package static func letter(_ nodeID: Int64) -> Character? {
    switch nodeID {
    case 1...26: Character(UnicodeScalar(UInt8(nodeID) + 64))
    case 27...52: Character(UnicodeScalar(UInt8(nodeID) + 70))
    default: nil
    }
  }

  /// Where a letter's node lies. Throws if the letter is not drawn exactly once.
  package func coordinate(_ letter: Character) throws -> Coordinate {
    try fixedCoordinate(letter).degrees
  }

  func fixedCoordinate(_ letter: Character) throws -> FixedCoordinate {
    if let place = places[letter] { return place }
    guard let cell = cells[letter]?.first, cells[letter]?.count == 1 else {
      throw TestFailure("\(letter) must be drawn once, is drawn \(cells[letter]?.count ?? 0) times")
    }
    return try fixedCoordinate(column: cell.column, row: cell.row)
  }

  /// Where a cell lies that is so many further east and south than a letter's.
  func fixedCoordinate(_ letter: Character, east: Int, south: Int) throws -> FixedCoordinate {
    _ = try fixedCoordinate(letter)
    let cell = cells[letter]?.first ?? (0, 0)
    return try fixedCoordinate(column: cell.column + east, row: cell.row + south)
  }

  private func fixedCoordinate(column: Int, row: Int) throws -> FixedCoordinate {
    let corner = Coordinate(latitude: latitude, longitude: 10)
    let metresPerDegree = earthRadiusMetres * Double.pi / 180
    let metresPerDegreeEast = haversineDistance(
      corner, Coordinate(latitude: latitude, longitude: 11))
    let point = Coordinate(
      latitude: corner.latitude - Double(row) * cellMetres / metresPerDegree,
      longitude: corner.longitude + Double(column) * cellMetres / metresPerDegreeEast)
    guard let fixed = FixedCoordinate(point) else {
      throw TestFailure("column \(column), row \(row) lies outside the world")
    }
    return fixed
  }

  /// All letters that are drawn, in the order of their ids.
  package var letters: [Character] {
    cells.keys.sorted { (Self.nodeID($0) ?? 0) < (Self.nodeID($1) ?? 0) }
  }
}
