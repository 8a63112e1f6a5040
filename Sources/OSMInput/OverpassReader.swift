// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Collects nodes and ways from the elements of OSM XML.
final class OverpassReader: ExpatParser {
  /// The ways found so far, their tags as numbers of ``pool``.
  private(set) var ways = WayBatch()
  /// The texts of tags.
  private(set) var pool = TextPool()
  /// What was seen so far.
  private(set) var counts = OSMCounts()
  /// The time of the data, if the file says it.
  private(set) var dataTimestamp: String?

  /// What the current element lies in.
  private enum Parent {
    case nothing
    case node
    case way
    case remark
  }

  private var nodeIDs: [Int64] = []
  private var nodePositions: [NodePosition] = []
  private var nodeTags: [(place: Int, tag: PooledTag)] = []
  private var parent = Parent.nothing
  private var way = CurrentWay()
  private var remark: [UInt8] = []
  private var lastCandidate: Int64?

  private struct CurrentWay {
    var id: Int64 = 0
    var isDeleted = false
    var isHighway = false
    var isRoutable = false
    var hasSACScale = false
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
    case 3 where parent == .way:
      if equals(name, "nd") {
        try addRef(attributes)
      } else if equals(name, "tag") {
        try addWayTag(attributes)
      }
    case 3 where parent == .node:
      if equals(name, "tag") { try addNodeTag(attributes) }
    default: break
    }
  }

  override func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    guard depth == 2 else { return }
    switch parent {
    case .way: endWay()
    case .remark: throw remarkError()
    case .node, .nothing: break
    }
    parent = .nothing
  }

  override func text(_ bytes: UnsafeRawBufferPointer) {
    if remark.count < 1000 { remark += bytes }
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
      try startWay(attributes)
    } else if equals(name, "relation") {
      counts.relations += 1
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

extension OverpassReader {
  private func startNode(_ attributes: XMLAttributes) throws(CairnError) {
    var id: Int64?
    var latitude: Int64?
    var longitude: Int64?
    var isDeleted = false
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "i") where equals(key, "id"): id = try number(value, key)
      case UInt8(ascii: "l") where equals(key, "lat"): latitude = try degrees(value, key)
      case UInt8(ascii: "l") where equals(key, "lon"): longitude = try degrees(value, key)
      case UInt8(ascii: "v"), UInt8(ascii: "a"): isDeleted = isDeleted || saysDeleted(key, value)
      default: break
      }
    }
    guard let id else { throw .badData(.badAttribute, "a node without an id") }
    counts.nodes += 1
    parent = .node
    nodeIDs.append(id)
    if isDeleted {
      nodePositions.append(.deleted)
    } else if let latitude, let longitude {
      nodePositions.append(NodePosition(latitude: latitude, longitude: longitude))
    } else {
      nodePositions.append(.missing)
    }
  }

  private func startWay(_ attributes: XMLAttributes) throws(CairnError) {
    var id: Int64?
    var isDeleted = false
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "i") where equals(key, "id"): id = try number(value, key)
      case UInt8(ascii: "v"), UInt8(ascii: "a"): isDeleted = isDeleted || saysDeleted(key, value)
      default: break
      }
    }
    guard let id else { throw .badData(.badAttribute, "a way without an id") }
    counts.ways += 1
    parent = .way
    way = CurrentWay(id: id, isDeleted: isDeleted)
  }

  private func endWay() {
    if way.isHighway { counts.highways += 1 }
    if way.hasSACScale { counts.sacScales += 1 }
    if way.isRoutable, !way.isDeleted {
      ways.endWay(id: way.id)
      lastCandidate = way.id
    } else {
      ways.abandonWay()
      if way.isDeleted || way.id == lastCandidate { ways.endWay(id: way.id) }
    }
  }

  private func addRef(_ attributes: XMLAttributes) throws(CairnError) {
    var ref: Int64?
    var latitude: Int64?
    var longitude: Int64?
    for (key, value) in attributes {
      switch UInt8(bitPattern: key[0]) {
      case UInt8(ascii: "r") where equals(key, "ref"): ref = try number(value, key)
      case UInt8(ascii: "l") where equals(key, "lat"): latitude = try degrees(value, key)
      case UInt8(ascii: "l") where equals(key, "lon"): longitude = try degrees(value, key)
      default: break
      }
    }
    guard let ref else {
      throw .badData(
        .badAttribute, "way \(way.id): a node without its id",
        hint: "from Overpass ask for “out body geom” or “out meta geom”")
    }
    ways.add(ref: ref)
    if let latitude, let longitude {
      let position = NodePosition(latitude: latitude, longitude: longitude)
      if position.isKnown { ways.add(implicitNode: ImplicitNode(id: ref, position: position)) }
    }
  }

  private func addWayTag(_ attributes: XMLAttributes) throws(CairnError) {
    let (key, value) = try tag(attributes)
    let classes = WordClasses.shared.classes(of: key)
    if classes.isEmpty { return }
    if classes.contains(.highwayKey) {
      way.isHighway = true
      way.isRoutable = WordClasses.shared.classes(of: value).contains(.routableHighway)
    }
    if classes.contains(.sacScaleKey) { way.hasSACScale = true }
    if classes.contains(.wayKey) {
      ways.add(tag: PooledTag(key: pool.number(of: key), value: pool.number(of: value)))
    }
  }

  private func addNodeTag(_ attributes: XMLAttributes) throws(CairnError) {
    let (key, value) = try tag(attributes)
    guard WordClasses.shared.classes(of: key).contains(.nodeKey) else { return }
    let tag = PooledTag(key: pool.number(of: key), value: pool.number(of: value))
    nodeTags.append((nodeIDs.count - 1, tag))
  }

  private func tag(_ attributes: XMLAttributes) throws(CairnError)
    -> (key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
  {
    var key: UnsafeRawBufferPointer?
    var value: UnsafeRawBufferPointer?
    for (name, text) in attributes {
      if equals(name, "k") { key = bytes(of: text) }
      if equals(name, "v") { value = bytes(of: text) }
    }
    guard let key, let value else { throw .badData(.badAttribute, "a tag without key or value") }
    return (key, value)
  }

  private func saysDeleted(_ key: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Bool {
    equals(key, "visible") && equals(value, "false")
      || equals(key, "action") && equals(value, "delete")
  }

  @inline(__always)
  private func number(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>)
    throws(CairnError) -> Int64
  {
    guard let number = wholeNumber(bytes(of: value)) else { throw badNumber(value, key) }
    return number
  }

  @inline(__always)
  private func degrees(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>)
    throws(CairnError) -> Int64
  {
    guard let units = degreeUnits(bytes(of: value)) else { throw badNumber(value, key) }
    return units
  }

  private func badNumber(_ value: UnsafePointer<CChar>, _ key: UnsafePointer<CChar>) -> CairnError {
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    return .badData(.badAttribute, "\(String(cString: key)) is no number: “\(text)”")
  }
}
