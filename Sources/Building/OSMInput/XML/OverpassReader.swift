// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import XMLKit

/// Collects nodes, ways and relations from the elements of OSM XML.
final class OverpassReader: ExpatParser {
  /// The routable ways found so far, their tags as indices into ``pool``.
  var ways = WayBatch()
  /// All ways found so far, with tags if those make them a point of interest: a later relation may
  /// need any of them.
  var areas = WayBatch()
  /// The routes and areas found so far.
  var relations = RelationBatch()
  /// The relations found so far whose tags are inherited by their ways.
  var tagSources = RelationBatch()
  /// The nodes found so far that are points of interest.
  var points = PointBatch()
  /// The centres that the file itself states.
  var stated = StatedCentres()
  /// The texts of tags.
  var pool = TextPool()
  /// The counts of all objects so far.
  var counts = OSMCounts()
  /// The time of the data, if the file states it.
  var dataTimestamp: String?

  /// The element that contains the current one.
  enum Parent {
    case nothing
    case node
    case way
    case relation
    case remark
  }

  /// The nodes whose coordinates are stored on ways.
  var implicitNodes: [ImplicitNode] = []

  var nodeIDs: [Int64] = []
  var nodeCoordinates: [NodeCoordinate] = []
  var nodeTags: [(node: Int, tag: PooledTag)] = []
  var parent = Parent.nothing
  var object = CurrentObject()
  var tags = CurrentTags()
  var refs: [Int64] = []
  var members: [Member] = []
  var remark: [UInt8] = []
  var versions = WayVersions()
  var lastPoint: Int64?

  struct CurrentObject {
    var id: Int64 = 0
    var isDeleted = false
    /// The centre that the file states for an area.
    var centre: NodeCoordinate?
  }

  struct Member {
    var id: Int64
    var isWay: Bool
    var isOuter: Bool
  }

  /// Adds the needed nodes among those that were read; returns their tags.
  func foundTags(_ needed: NeededNodes, _ nodes: inout NodeTable) -> [NodeTag] {
    var found: [NodeTag] = []
    var cursor = NeededNodes.Cursor(needed)
    var tag = 0
    for (node, id) in nodeIDs.enumerated() {
      while tag < nodeTags.count, nodeTags[tag].node < node { tag += 1 }
      guard let neededIndex = cursor.index(of: id) else { continue }
      let occurrence = nodes.add(neededIndex, nodeCoordinates[node])
      while tag < nodeTags.count, nodeTags[tag].node == node {
        found.append(
          NodeTag(
            node: UInt32(truncatingIfNeeded: neededIndex), tag: nodeTags[tag].tag,
            occurrence: occurrence))
        tag += 1
      }
    }
    return found
  }

  override func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    switch depth {
    case 1: try startRoot(name, attributes)
    case 2: try startObject(name, attributes)
    case 3 where parent != .nothing:
      if equals(name, "nd") {
        if parent == .way { try addRef(attributes) }
      } else if equals(name, "tag") {
        try addTag(attributes)
      } else if equals(name, "member") {
        if parent == .relation { try addMember(attributes) }
      } else if equals(name, "center") || equals(name, "bounds") {
        try addCentre(attributes)
      }
    default: break
    }
  }

  override func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    guard depth == 2 else { return }
    switch parent {
    case .node: endNode()
    case .way: endWay()
    case .relation: endRelation()
    case .remark: throw remarkError()
    case .nothing: break
    }
    parent = .nothing
  }

  override func text(_ bytes: UnsafeRawBufferPointer) {
    if remark.count < 1000 { remark += bytes }
  }

  override var kind: String { "OpenStreetMap data" }

  override var hint: String { "is it OpenStreetMap XML? Ask Overpass for [out:xml]" }

  override func misreading() -> CairnError? {
    HTMLPage.isLikely(head) ? HTMLPage.error(head) : nil
  }

  override func refusal(ofDocumentType name: String) -> CairnError {
    name.lowercased() == "html" ? HTMLPage.error(head) : super.refusal(ofDocumentType: name)
  }
}

extension OverpassReader {
  private func startRoot(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, "osm") {
      for (key, value) in attributes where equals(key, "timestamp") { noteTimestamp(value) }
      return
    }
    let root = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
    if root.lowercased() == "html" { throw HTMLPage.error(head) }
    if root == "osmChange" {
      throw .badData(
        .wrongFileKind, "is a file of changes (osmChange), not of data",
        hint: "apply it to an extract: osmium apply-changes EXTRACT CHANGES -o NEW.osm.pbf")
    }
    throw .badData(
      .wrongFileKind, "is not OpenStreetMap XML: it begins with <\(root)>, not with <osm>")
  }

  private func startObject(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, "node") {
      try startNode(attributes)
    } else if equals(name, "way") {
      try startObject(attributes, "way")
      counts.ways += 1
      parent = .way
    } else if equals(name, "relation") {
      try startObject(attributes, "relation")
      counts.relations += 1
      parent = .relation
    } else if equals(name, "meta") {
      for (key, value) in attributes where equals(key, "osm_base") { noteTimestamp(value) }
    } else if equals(name, "remark") {
      parent = .remark
      reportText(true)
    } else if equals(name, "action") {
      throw .badData(
        .wrongFileKind, "is an Overpass augmented diff, not a file of data",
        hint: "query Overpass without [adiff:…] and [diff:…]")
    }
  }

  private func noteTimestamp(_ value: UnsafePointer<CChar>) {
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    if isUTCTimestamp(text) { dataTimestamp = text }
  }

  private func remarkError() -> CairnError {
    let words = String(decoding: remark.prefix(1000), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return .badData(
      .overpassFailure, "Overpass reported an error: “\(words)”",
      hint: "the data is incomplete: query a smaller region, or use a longer [timeout:…]")
  }
}
