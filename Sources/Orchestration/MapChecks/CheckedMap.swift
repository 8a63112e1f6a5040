// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import OSMInput
import TrailData

/// The ways, routes and points of an extract with all their tags, as mappers see them.
struct CheckedMap: Sendable {
  /// A way, or a piece of one that lacks nodes.
  struct Way: Sendable {
    /// The properties that decide which ways can be joined.
    struct Nature: OptionSet, Sendable {
      let rawValue: UInt16
      /// Open to walkers and reached on foot: not a platform, lift or ferry.
      static let walkable = Nature(rawValue: 1)
      /// A bridge or tunnel, or covered.
      static let structure = Nature(rawValue: 1 << 1)
      /// Inside a building, or on a storey.
      static let indoor = Nature(rawValue: 1 << 2)
      /// Walked along its outline.
      static let area = Nature(rawValue: 1 << 3)
      /// Motor vehicles may go from its first node to its last.
      static let drivenAhead = Nature(rawValue: 1 << 4)
      /// Motor vehicles may go from its last node to its first.
      static let drivenBack = Nature(rawValue: 1 << 5)
      /// It exists and is used by routes.
      static let routable = Nature(rawValue: 1 << 6)
      /// A street of its own class: not a driveway, aisle or track, which lead into buildings.
      static let street = Nature(rawValue: 1 << 7)
    }

    var id: Int64
    /// Its nodes as indices into ``CheckedMap/refs``.
    var range: Range<Int>
    var nature: Nature
    var layer: Int
  }

  let content: TrailsContent
  let strings: [String]
  let points: [Coordinate]
  let refs: [UInt32]
  let ways: [Way]
  /// The nodes next to which a way lacks one.
  let cut: Set<UInt32>
  let area: KnownArea
  /// The occurrences in ``refs`` by their node, and the start of each node's.
  let occurrences: [UInt32]
  let firstOccurrences: [UInt32]
  /// The way of each of ``refs``.
  let wayOfRef: [UInt32]
  private let taggedIndices: [UInt32: Int]

  init(_ extract: MappedExtract, isWhole: Bool) {
    let content = extract.content
    self.content = content
    let strings = content.strings.map { String(decoding: $0, as: UTF8.self) }
    self.strings = strings
    points = zip(content.latitudes, content.longitudes).map {
      FixedCoordinate(latitude: $0, longitude: $1).degrees
    }
    refs = content.refs
    taggedIndices = Dictionary(
      zip(content.taggedNodes, content.taggedNodes.indices), uniquingKeysWith: { one, _ in one })
    cut = Set(extract.cutNodes.compactMap { content.nodeIDs.binarySearch($0).map(UInt32.init) })
    var wayOfRef = [UInt32](repeating: 0, count: refs.count)
    var ways: [Way] = []
    for way in content.wayIDs.indices {
      let range = Int(content.refOffsets[way])..<Int(content.refOffsets[way + 1])
      for ref in range { wayOfRef[ref] = UInt32(way) }
      let tags = Self.tags(content.wayTags, way, strings)
      let nature = Way.Nature(tags, isClosed: refs[range.lowerBound] == refs[range.upperBound - 1])
      ways.append(
        Way(
          id: content.wayIDs[way], range: range, nature: nature,
          layer: tags["layer"].flatMap { Int($0) } ?? 0))
    }
    self.ways = ways
    self.wayOfRef = wayOfRef
    var first = [UInt32](repeating: 0, count: points.count + 1)
    for node in refs { first[Int(node) + 1] += 1 }
    for node in points.indices { first[node + 1] += first[node] }
    var next = first
    var occurrences = [UInt32](repeating: 0, count: refs.count)
    for (ref, node) in refs.enumerated() {
      occurrences[Int(next[Int(node)])] = UInt32(ref)
      next[Int(node)] += 1
    }
    self.occurrences = occurrences
    firstOccurrences = first
    area = isWhole ? .everything : KnownArea(content, points, ways, bounds: extract.bounds)
  }

  static func tags(_ lists: TagLists, _ object: Int, _ strings: [String]) -> WayTags {
    var tags: WayTags = [:]
    for tag in Int(lists.offsets[object])..<Int(lists.offsets[object + 1]) {
      tags[strings[Int(lists.keys[tag])]] = strings[Int(lists.values[tag])]
    }
    return tags
  }

  func tags(ofWay way: Int) -> WayTags { Self.tags(content.wayTags, way, strings) }

  /// The tags of a node of a way.
  func tags(ofNode node: UInt32) -> WayTags {
    taggedIndices[node].map { Self.tags(content.nodeTags, $0, strings) } ?? [:]
  }

  /// The refs at a node, one for each time that a way passes it.
  func refs(at node: UInt32) -> ArraySlice<UInt32> {
    occurrences[Int(firstOccurrences[Int(node)])..<Int(firstOccurrences[Int(node) + 1])]
  }

  func point(_ node: UInt32) -> Coordinate { points[Int(node)] }

  /// Whether everything near a node is in the file.
  func isComplete(at node: UInt32) -> Bool { !cut.contains(node) && area.contains(point(node)) }

  func line(_ way: Int) -> [Coordinate] { refs[ways[way].range].map(point) }

  func node(_ node: UInt32) -> MapObject {
    MapObject(type: .node, id: content.nodeIDs[Int(node)])
  }

  func object(_ way: Int) -> MapObject { MapObject(type: .way, id: ways[way].id) }

  /// The index of a way that is complete in the file; nil for any other.
  func wholeWay(_ id: Int64) -> Int? {
    guard let way = content.wayIDs.binarySearch(id),
      way + 1 == ways.count || ways[way + 1].id != id
    else { return nil }
    let ends = refs[ways[way].range]
    return ends.contains(where: cut.contains) ? nil : way
  }
}

extension CheckedMap.Way.Nature {
  init(_ tags: WayTags, isClosed: Bool) {
    self = []
    let highway = tags["highway"] ?? ""
    func says(_ key: String) -> Bool { !["no", nil].contains(tags[key]) }
    if TagSelection.routableHighways.contains(highway) { insert(.routable) }
    let access = Access(tags, for: .foot, on: nil)
    let isWalked = min(access.forwardClass, access.backwardClass) < .uncertain
    if contains(.routable), !["elevator", "platform"].contains(highway), isWalked {
      insert(.walkable)
    }
    if says("bridge") || says("tunnel") || says("covered") { insert(.structure) }
    if highway == "corridor" || says("indoor") || tags["level"] != nil || highway == "elevator" {
      insert(.indoor)
    }
    if isClosed, says("area") || ["pedestrian", "platform"].contains(highway) { insert(.area) }
    guard Self.roads.contains(highway) else { return }
    if !["pedestrian", "service", "track"].contains(highway), contains(.routable) {
      insert(.street)
    }
    let isRound = ["roundabout", "circular"].contains(tags["junction"] ?? "")
    switch tags["oneway"] ?? (highway == "motorway" || isRound ? "yes" : "no") {
    case "yes", "true", "1": insert(.drivenAhead)
    case "-1", "reverse": insert(.drivenBack)
    default: formUnion([.drivenAhead, .drivenBack])
    }
  }

  private static let roads: Set<String> = [
    "busway", "living_street", "motorway", "motorway_link", "pedestrian", "primary",
    "primary_link", "residential", "road", "secondary", "secondary_link", "service", "tertiary",
    "tertiary_link", "track", "trunk", "trunk_link", "unclassified",
  ]
}
