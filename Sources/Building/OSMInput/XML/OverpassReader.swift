// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import XMLKit

/// Collects nodes, ways and relations from the elements of OSM XML.
final class OverpassReader: ExpatParser {
  /// The ways to route on found so far, their tags as numbers of ``pool``.
  var ways = WayBatch()
  /// All ways found so far, with tags where those make them a point of interest: a relation that
  /// follows may need any of them.
  var areas = WayBatch()
  /// The routes and areas found so far.
  var relations = RelationBatch()
  /// The relations found so far whose ways have their tags.
  var lenders = RelationBatch()
  /// The nodes found so far that are points of interest.
  var points = PointBatch()
  /// The centres that the file states.
  var stated = StatedCentres()
  /// The texts of tags.
  var pool = TextPool()
  /// What was seen so far.
  var counts = OSMCounts()
  /// The time of the data, if the file says it.
  var dataTimestamp: String?

  /// What the current element lies in.
  enum Parent {
    case nothing
    case node
    case way
    case relation
    case remark
  }

  /// The places of nodes that ways state.
  var implicitNodes: [ImplicitNode] = []

  var nodeIDs: [Int64] = []
  var nodePositions: [NodePosition] = []
  var nodeTags: [(place: Int, tag: PooledTag)] = []
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
    /// The place that the file states for an area.
    var centre: NodePosition?
  }

  struct Member {
    var id: Int64
    var isWay: Bool
    var isOuter: Bool
  }

  /// The needed nodes among those that were read.
  func foundNodes(_ needed: NeededNodes) -> NodeBatch {
    var found = NodeBatch()
    var cursor = NeededNodes.Cursor(needed)
    var tag = 0
    for (place, id) in nodeIDs.enumerated() {
      while tag < nodeTags.count, nodeTags[tag].place < place { tag += 1 }
      guard let rank = cursor.rank(of: id) else { continue }
      while tag < nodeTags.count, nodeTags[tag].place == place {
        found.tags.append(
          NodeBatch.Tag(
            rank: UInt32(truncatingIfNeeded: rank), place: found.count, tag: nodeTags[tag].tag))
        tag += 1
      }
      found.add(rank: rank)
      found.positions.append(nodePositions[place])
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

  override var hint: String { "is it OpenStreetMap XML? From Overpass ask for [out:xml]" }

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
      .wrongFileKind, "is no OpenStreetMap XML: it begins with <\(root)> in place of <osm>")
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
        .wrongFileKind, "is an augmented diff of Overpass, not a file of data",
        hint: "ask without [adiff:…] and [diff:…]")
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
      .overpassFailure, "Overpass broke off: “\(words)”",
      hint: "the data is incomplete: ask for a smaller region, or with a longer [timeout:…]")
  }
}
