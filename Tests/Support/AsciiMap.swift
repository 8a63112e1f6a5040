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
/// let path = try map.elevatedFile(in: folder)
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

  /// The ways, in any order of ids.
  package var ways: [Way]
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
    guard let cell = cells[letter]?.first, cells[letter]?.count == 1 else {
      throw TestFailure("\(letter) must be drawn once, is drawn \(cells[letter]?.count ?? 0) times")
    }
    let corner = Coordinate(latitude: latitude, longitude: 10)
    let metresPerDegree = earthRadiusMetres * Double.pi / 180
    let metresPerDegreeEast = haversineDistance(
      corner, Coordinate(latitude: latitude, longitude: 11))
    let point = Coordinate(
      latitude: corner.latitude - Double(cell.row) * cellMetres / metresPerDegree,
      longitude: corner.longitude + Double(cell.column) * cellMetres / metresPerDegreeEast)
    guard let fixed = FixedCoordinate(point) else {
      throw TestFailure("\(letter) lies outside the world")
    }
    return fixed
  }

  /// All letters that are drawn, in the order of their ids.
  package var letters: [Character] {
    cells.keys.sorted { (Self.nodeID($0) ?? 0) < (Self.nodeID($1) ?? 0) }
  }
}
