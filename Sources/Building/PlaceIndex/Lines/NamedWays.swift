// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import SystemIO
import TrailData

/// The named ways, of which those of one name that touch or lie near each other are one place.
struct NamedWays {
  /// The values of `highway` that make a way a trail rather than a road.
  private static let trailHighways = [
    "bridleway", "cycleway", "footway", "ladder", "path", "steps", "track", "via_ferrata",
  ]
  /// The number of ways, and names of ways, that a thread takes at a time.
  private static let blockWays = 4096
  private static let blockNames = 128

  /// A way that has a name.
  private struct Entry: Sendable {
    /// What the name folds to, and the kind: ways that may be one place have the same.
    var name: UInt64
    var way: Int
  }

  private static let kinds: [PlaceKind] = [.trail, .road, .ferry]

  private let trails: TrailsFile
  private let names: NameCollector
  private let lines: WayLines
  private let highway: UInt32?
  private let trailValues: Set<UInt32>

  private init(_ trails: TrailsFile, _ names: NameCollector) {
    self.trails = trails
    self.names = names
    lines = WayLines(trails)
    highway = trails.strings.index(of: "highway")
    trailValues = Set(Self.trailHighways.compactMap { trails.strings.index(of: $0) })
  }

  /// The places, in the order of their first ways.
  static func places(_ trails: TrailsFile, _ names: NameCollector, threads: Int) -> [LinePlace] {
    let ways = NamedWays(trails, names)
    let blocks = mapBlocks(of: trails.wayIDs.count, size: blockWays, threads: threads) { block in
      block.compactMap(ways.entry)
    }
    var entries = Array(blocks.joined())
    entries.sort { ($0.name, $0.way) < ($1.name, $1.way) }
    let starts = entries.indices.filter { $0 == 0 || entries[$0 - 1].name != entries[$0].name }
    let places = mapBlocks(of: starts.count, size: blockNames, threads: threads) {
      [entries] block in
      var places: [LinePlace] = []
      var clusters = WayClusters(ways.lines)
      var points: [LinePoint] = []
      for index in block {
        let end = index + 1 < starts.count ? starts[index + 1] : entries.count
        for cluster in clusters.clusters(entries[starts[index]..<end].map(\.way)) {
          let kind = Self.kinds[Int(entries[starts[index]].name & 3)]
          ways.place(cluster, kind, &points).map { places.append($0) }
        }
      }
      return places
    }
    let all = Array(places.joined())
    let order = all.indices.map { (way: all[$0].ways[0], index: $0) }.sorted { $0 < $1 }
    return order.map { all[$0.index] }
  }

  private func entry(_ way: Int) -> Entry? {
    guard let folding = names.firstFolding(of: way, in: trails.wayTags) else { return nil }
    let value = highway.flatMap { trails.wayTags.value(of: $0, on: way) }
    let kind: UInt64 = if let value { trailValues.contains(value) ? 0 : 1 } else { 2 }
    return Entry(name: UInt64(folding) << 2 | kind, way: way)
  }

  /// The place of ways that belong together; nil if they have no points.
  private func place(_ ways: [Int], _ kind: PlaceKind, _ points: inout [LinePoint]) -> LinePlace? {
    guard let (metres, middle) = lines.measure(ways, &points) else { return nil }
    var names = PlaceNames()
    for way in ways { self.names.add(namesOf: way, in: trails.wayTags, to: &names) }
    return LinePlace(
      place: IndexedPlace(
        id: trails.wayIDs[ways[0]], names: names, coordinate: middle,
        importance: LineImportance.ofWay(kind, metres: metres), type: .way, kind: kind,
        reach: .line, length: metres.rounded()),
      ways: ways)
  }
}
