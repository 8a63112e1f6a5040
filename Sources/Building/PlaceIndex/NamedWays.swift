// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase
import TrailData

/// The named ways, of which those of one name that touch or lie near each other are one place.
struct NamedWays {
  /// A trail or a road and the ways that it consists of.
  struct Group {
    var place: IndexedPlace
    var ways: [Int]
  }

  /// Ways of one name are one place if they have points in the same or in neighbouring cells of
  /// this size, in 10⁻⁷ degrees: some 250 m.
  private static let cellUnits: Int32 = 25_000

  /// The values of `highway` that make a way a trail rather than a road.
  private static let trailHighways: Set<String> = [
    "bridleway", "cycleway", "footway", "ladder", "path", "steps", "track", "via_ferrata",
  ]

  /// The groups, in the order of their first ways.
  private(set) var groups: [Group] = []

  private let trails: TrailsFile
  private let lines: WayLines

  init(_ trails: TrailsFile, _ names: PlaceNames) {
    self.trails = trails
    lines = WayLines(trails)
    let highway = trails.strings.index(of: "highway")
    var kinds: [UInt32?: PlaceKind] = [:]
    var ways: [(way: Int, kind: PlaceKind, names: [PlaceName])] = []
    var members: [Key: [Int]] = [:]
    for way in trails.wayIDs.indices {
      let found = names.names(of: way, in: trails.wayTags)
      guard let first = found.first else { continue }
      let value = highway.flatMap { trails.wayTags.value(of: $0, on: way) }
      let kind = kinds[value] ?? kind(value)
      kinds[value] = kind
      members[Key(kind: kind, name: first.folded), default: []].append(ways.count)
      ways.append((way, kind, found))
    }
    for entries in members.values.sorted(by: { $0[0] < $1[0] }) {
      for cluster in clusters(entries.map { ways[$0].way }) {
        add(cluster.map { ways[entries[$0]] })
      }
    }
    groups.sort { $0.ways[0] < $1.ways[0] }
  }

  private struct Key: Hashable {
    let kind: PlaceKind
    let name: FoldedName
  }

  private func kind(_ highway: UInt32?) -> PlaceKind {
    guard let highway else { return .ferry }
    return Self.trailHighways.contains(trails.strings[Int(highway)]) ? .trail : .road
  }

  private mutating func add(_ members: [(way: Int, kind: PlaceKind, names: [PlaceName])]) {
    let ways = members.map(\.way)
    guard let first = members.first, let middle = lines.middle(of: ways) else { return }
    var names = first.names
    for member in members.dropFirst() { names.merge(member.names) }
    let metres = ways.reduce(0) { $0 + lines.metres($1) }
    groups.append(
      Group(
        place: IndexedPlace(
          osm: "w\(trails.wayIDs[first.way])", kind: first.kind, names: names, coordinate: middle,
          length: metres.rounded(), importance: LineImportance.ofWay(first.kind, metres: metres),
          reach: .line),
        ways: ways))
  }

  private struct Cell: Hashable {
    var row: Int32
    var column: Int32
  }

  /// Which of some ways belong together, by their positions in the list.
  private func clusters(_ ways: [Int]) -> [[Int]] {
    guard ways.count > 1 else { return [[0]] }
    var roots = Array(ways.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while roots[index] != index {
        roots[index] = roots[roots[index]]
        index = roots[index]
      }
      return index
    }
    var first: [Cell: Int] = [:]
    for (position, way) in ways.enumerated() {
      var last: Cell?
      for ref in trails.refs(ofWay: way) {
        let point = trails.coordinate(Int(trails.refs[ref]))
        let cell = Cell(
          row: point.latitude / Self.cellUnits, column: point.longitude / Self.cellUnits)
        // The points of a way follow each other closely.
        if cell == last { continue }
        last = cell
        for row in -1...1 as ClosedRange<Int32> {
          for column in -1...1 as ClosedRange<Int32> {
            let near = Cell(row: cell.row + row, column: cell.column + column)
            guard let other = first[near] else { continue }
            let (one, two) = (root(other), root(position))
            // The lower one stays, so that groups are in the order of their first ways.
            roots[max(one, two)] = min(one, two)
          }
        }
        if first[cell] == nil { first[cell] = position }
      }
    }
    var groups: [Int: [Int]] = [:]
    for position in ways.indices { groups[root(position), default: []].append(position) }
    return groups.values.sorted { $0[0] < $1[0] }
  }
}
