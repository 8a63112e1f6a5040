// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Foundation

/// A map that is edited at random, and the changes that lead from one state to a later one.
struct EditedMap: Equatable {
  struct Node: Equatable {
    var latitude: Int64
    var longitude: Int64
    var tags: Int
  }

  struct Way: Equatable {
    var refs: [Int64]
    var tags: Int
  }

  struct Relation: Equatable {
    var members: [String]
    var tags: Int
  }

  /// What may be on a node, the first one for most.
  static let nodeTags: [KeyValuePairs<String, String>] = [
    [:], ["barrier": "gate"], ["barrier": "gate", "access": "no"],
    ["natural": "peak", "name": "Kogel", "ele": "1200"], ["amenity": "drinking_water"],
    ["highway": "crossing"],
  ]
  static let wayTags: [KeyValuePairs<String, String>] = [
    ["highway": "path"], ["highway": "path", "sac_scale": "hiking"],
    ["highway": "track", "name": "Almweg"], ["building": "yes"], [:],
    ["tourism": "alpine_hut", "name": "Hütte"], ["man_made": "pier"], ["route": "ferry"],
    ["natural": "glacier"], ["route": "ferry", "duration": "00:20"], ["duration": "00:30"],
  ]
  static let relationTags: [KeyValuePairs<String, String>] = [
    ["type": "route", "route": "hiking", "name": "Rundweg", "network": "lwn"],
    ["type": "multipolygon", "highway": "pedestrian", "area": "yes"],
    ["type": "multipolygon", "tourism": "alpine_hut"], ["type": "site"],
    ["type": "multipolygon", "natural": "glacier"],
    ["type": "boundary", "boundary": "protected_area", "access": "no", "place": "locality"],
    ["type": "route", "route": "hiking", "ref": "E5", "network": "iwn"],
    ["type": "route", "route": "ferry", "duration": "03:00", "foot": "yes"],
    ["type": "route", "route": "ferry", "duration": "05:00", "foot": "no", "oneway": "yes"],
    ["type": "route", "route": "hiking", "state": "proposed"],
  ]

  private(set) var nodes: [Int64: Node] = [:]
  private(set) var ways: [Int64: Way] = [:]
  private(set) var relations: [Int64: Relation] = [:]
  private var lastID: Int64 = 0
  private var random: SplitMix64
  /// Where new nodes are, in 10⁻⁷ degrees.
  var latitudes: ClosedRange<Int64> = 470_000_000...471_000_000

  static func == (left: Self, right: Self) -> Bool {
    left.nodes == right.nodes && left.ways == right.ways && left.relations == right.relations
  }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    for _ in 0..<40 { addNode() }
    for _ in 0..<25 { addWay() }
    for _ in 0..<8 { addRelation() }
    // There is always something to route on.
    ways[0] = Way(refs: nodes.keys.sorted().prefix(3) + [], tags: 0)
  }

  private mutating func below(_ count: Int) -> Int {
    Int.random(in: 0..<max(1, count), using: &random)
  }

  private mutating func pick<Value>(_ table: [Int64: Value]) -> Int64? {
    let ids = table.keys.sorted()
    return ids.isEmpty ? nil : ids[below(ids.count)]
  }

  private mutating func newID() -> Int64 {
    lastID += Int64(1 + below(3))
    return lastID
  }

  mutating func addNode() {
    let place = (
      Int64.random(in: latitudes, using: &random),
      Int64.random(in: 100_000_000...101_000_000, using: &random)
    )
    nodes[newID()] = Node(
      latitude: place.0, longitude: place.1,
      tags: max(0, below(Self.nodeTags.count * 2) - Self.nodeTags.count))
  }

  private mutating func someRefs() -> [Int64] {
    var refs = (0..<(2 + below(4))).compactMap { _ in pick(nodes) }
    if refs.count > 3, below(2) == 0 { refs.append(refs[0]) }
    return refs
  }

  mutating func addWay() { ways[newID()] = Way(refs: someRefs(), tags: below(Self.wayTags.count)) }

  private mutating func someMembers() -> [String] {
    (0..<(1 + below(4))).compactMap { _ -> String? in
      if below(5) == 0 { return pick(relations).map { "r\($0)" } }
      let role = ["", ":outer", ":inner", ":forward"][below(4)]
      return pick(ways).map { "w\($0)\(role)" }
    }
  }

  mutating func addRelation() {
    relations[newID()] = Relation(
      members: someMembers(), tags: below(Self.relationTags.count))
  }

  /// Edits some objects.
  mutating func edit(_ count: Int) {
    for _ in 0..<count {
      switch below(10) {
      case 0: addNode()
      case 1: addWay()
      case 2: addRelation()
      case 3:
        let metres = Int64(below(2000) - 1000)
        if let id = pick(nodes) { nodes[id]?.latitude += metres }
      case 4:
        let tags = below(Self.nodeTags.count)
        if let id = pick(nodes) { nodes[id]?.tags = tags }
      case 5:
        let tags = below(Self.wayTags.count)
        if let id = pick(ways) { ways[id]?.tags = tags }
      case 6:
        let refs = someRefs()
        if let id = pick(ways) { ways[id]?.refs = refs }
      case 7:
        if let id = pick(relations) {
          relations[id] = Relation(members: someMembers(), tags: below(Self.relationTags.count))
        }
      case 8:
        if below(2) == 0, let id = pick(nodes) {
          nodes[id] = nil
        } else if let id = pick(ways), id != 0 {
          ways[id] = nil
        }
      default: if let id = pick(relations) { relations[id] = nil }
      }
    }
  }

  /// The map in the form that is written as PBF, sorted.
  var map: SmallMap {
    SmallMap(
      nodes: nodes.sorted { $0.key < $1.key }.map {
        MapNode(
          id: $0.key, latitude: $0.value.latitude, longitude: $0.value.longitude,
          tags: Self.nodeTags[$0.value.tags])
      },
      ways: ways.sorted { $0.key < $1.key }.map {
        MapWay(id: $0.key, refs: $0.value.refs, tags: Self.wayTags[$0.value.tags])
      }, relations: 0,
      routes: relations.sorted { $0.key < $1.key }.map {
        MapRelation(
          id: $0.key, members: $0.value.members, tags: Self.relationTags[$0.value.tags])
      })
  }

  /// The changes that lead from an earlier state to this one, as a file.
  func changes(from old: EditedMap, version: Int = 2, timestamp: String? = nil) -> String {
    let state = "version=\"\(version)\"" + (timestamp.map { " timestamp=\"\($0)\"" } ?? "")
    var text = "<?xml version=\"1.0\"?>\n<osmChange version=\"0.6\">\n"
    func add<Value: Equatable>(
      _ name: String, _ old: [Int64: Value], _ new: [Int64: Value],
      _ form: (Value) -> (attributes: String, content: String)
    ) {
      for id in Set(old.keys).union(new.keys).sorted() where old[id] != new[id] {
        let (attributes, content) = new[id].map(form) ?? ("", "")
        let action = new[id] == nil ? "delete" : old[id] == nil ? "create" : "modify"
        text += "<\(action)><\(name) id=\"\(id)\" \(state)\(attributes)>\(content)"
        text += "</\(name)></\(action)>\n"
      }
    }
    add("node", old.nodes, nodes) { node in
      (
        " lat=\"\(degrees(node.latitude))\" lon=\"\(degrees(node.longitude))\"",
        xmlTags(Self.nodeTags[node.tags])
      )
    }
    add("way", old.ways, ways) { way in
      ("", way.refs.map { "<nd ref=\"\($0)\"/>" }.joined() + xmlTags(Self.wayTags[way.tags]))
    }
    add("relation", old.relations, relations) { relation in
      let tags = Self.relationTags[relation.tags]
      let parts = MapRelation(id: 0, members: relation.members, tags: tags).parts
      let members = parts.map { part in
        "<member type=\"\(["node", "way", "relation"][part.kind])\" ref=\"\(part.id)\" "
          + "role=\"\(part.role)\"/>"
      }
      return ("", members.joined() + xmlTags(tags))
    }
    return text + "</osmChange>\n"
  }
}
