// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import XMLKit

/// Counts the elements of OpenStreetMap XML, for ``XMLSurvey``.
final class XMLSurveyReader: XMLElementReader {
  let parser: ExpatParser

  private(set) var hasChanges = false
  private(set) var writingProgram: String?
  private(set) var dataTimestamp: String?
  private(set) var statedBounds: PBFSurvey.Bounds?
  private(set) var totals = SurveyTotals()
  private(set) var locatedRefs = 0
  private(set) var oldest: String?
  private(set) var newest: String?
  private(set) var isSorted = true
  /// For each key to be tallied, how often it has each value.
  private(set) var values: [String: [String: Int]]

  private enum ObjectKind: UInt8 {
    case node
    case way
    case relation
  }

  /// The object that contains the current element.
  private var object: ObjectKind?
  private var isTagged = false
  private var wayRefs = 0
  private var firstRef: Int64?
  private var lastRef: Int64?
  /// Whether the element around the objects deletes them.
  private var deletes = false
  private var last: ObjectSortKey?
  private var remarkBytes: [UInt8]?

  init(tallying keys: [String]) throws(CairnError) {
    values = Dictionary(keys.map { ($0, [:]) }, uniquingKeysWith: { first, _ in first })
    parser = try ExpatParser()
  }

  /// Overpass's error remark.
  var remark: String? {
    remarkBytes.map {
      String(decoding: $0.prefix(1000), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  /// The number of elements between the root and the objects.
  private var actionDepth: Int { hasChanges && depth > 1 ? 1 : 0 }

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    if hasChanges, depth == 2 {
      deletes = equals(name, "delete")
      if equals(name, "bounds") { try readStatedBounds(attributes) }
      return
    }
    switch depth - actionDepth {
    case 1: try startRoot(name, attributes)
    case 2: try startObject(name, attributes)
    case 3 where object != nil: try startPart(name, attributes)
    default: break
    }
  }

  func end(_ name: UnsafePointer<CChar>) {
    guard depth - actionDepth == 2 else { return }
    reportText(false)
    if object == .way, wayRefs > 1, firstRef == lastRef { totals.closedWays += 1 }
    object = nil
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    if let count = remarkBytes?.count, count < 1000 { remarkBytes? += bytes }
  }

  var kind: String { "OpenStreetMap XML" }

  func misreading() -> CairnError? {
    HTMLPage.isLikely(head) ? HTMLPage.error(head) : nil
  }

  func refusal(ofDocumentType name: String) -> CairnError {
    name.lowercased() == "html" ? HTMLPage.error(head) : usualRefusal(of: name)
  }
}

extension XMLSurveyReader {
  private func startRoot(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    hasChanges = equals(name, "osmChange")
    guard hasChanges || equals(name, "osm") else {
      let root = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
      if root.lowercased() == "html" { throw HTMLPage.error(head) }
      throw .badData(
        .wrongFileKind,
        "is not OpenStreetMap XML: it begins with <\(root)>, not with <osm> or <osmChange>")
    }
    for (key, value) in attributes {
      if equals(key, "generator") { writingProgram = String(cString: value) }
      if equals(key, "timestamp") { noteDataTimestamp(value) }
    }
  }

  private func noteDataTimestamp(_ value: UnsafePointer<CChar>) {
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    if isUTCTimestamp(text) { dataTimestamp = text }
  }

  private func startObject(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, "node") {
      try start(.node, \.nodes, attributes)
    } else if equals(name, "way") {
      try start(.way, \.ways, attributes)
    } else if equals(name, "relation") {
      try start(.relation, \.relations, attributes)
    } else if equals(name, "meta") {
      for (key, value) in attributes where equals(key, "osm_base") { noteDataTimestamp(value) }
    } else if equals(name, "bounds") {
      try readStatedBounds(attributes)
    } else if equals(name, "remark") {
      remarkBytes = []
      reportText(true)
    } else if equals(name, "action") {
      throw .badData(
        .wrongFileKind, "is an Overpass augmented diff, not data",
        hint: "query Overpass without [adiff:…] and [diff:…]")
    }
  }

  private func start(
    _ kind: ObjectKind, _ objects: WritableKeyPath<SurveyTotals, PBFSurvey.Objects>,
    _ attributes: XMLAttributes
  ) throws(CairnError) {
    var id: Int64?
    var latitude: Int64?
    var longitude: Int64?
    var isDeleted = deletes
    for (key, value) in attributes {
      if equals(key, "id") { id = try integer(value, key) }
      if equals(key, "lat") { latitude = try degrees(value, key) }
      if equals(key, "lon") { longitude = try degrees(value, key) }
      if equals(key, "timestamp") { noteVersion(value) }
      isDeleted = isDeleted || saysDeleted(key, value)
    }
    guard let id else { throw .badData(.badAttribute, "a \(kind) has no id") }
    totals[keyPath: objects].count += 1
    totals[keyPath: objects].extend(id...id)
    if isDeleted { totals[keyPath: objects].deleted += 1 }
    if !isDeleted { extendBounds(latitude, longitude) }
    let order = ObjectSortKey(type: kind.rawValue, id: id)
    if let last, order < last { isSorted = false }
    last = order
    object = kind
    isTagged = false
    (wayRefs, firstRef, lastRef) = (0, nil, nil)
  }

  private func noteVersion(_ value: UnsafePointer<CChar>) {
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    guard isUTCTimestamp(text) else { return }
    // Times of this form are ordered as their texts are.
    oldest = min(oldest ?? text, text)
    newest = max(newest ?? text, text)
  }

  private func startPart(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, "tag") {
      try addTag(attributes)
    } else if equals(name, "nd"), object == .way {
      try addRef(attributes)
    } else if equals(name, "member"), object == .relation {
      totals.members += 1
    }
  }

  private func addTag(_ attributes: XMLAttributes) throws(CairnError) {
    totals.tags += 1
    if !isTagged {
      isTagged = true
      switch object {
      case .node: totals.nodes.tagged += 1
      case .way: totals.ways.tagged += 1
      case .relation: totals.relations.tagged += 1
      case nil: break
      }
    }
    if values.isEmpty { return }
    let (key, value) = try tag(attributes)
    let name = String(decoding: key, as: UTF8.self)
    values[name]?[String(decoding: value, as: UTF8.self), default: 0] += 1
  }

  private func addRef(_ attributes: XMLAttributes) throws(CairnError) {
    var latitude: Int64?
    var longitude: Int64?
    wayRefs += 1
    totals.refs += 1
    for (key, value) in attributes {
      if equals(key, "ref") { lastRef = try integer(value, key) }
      if equals(key, "lat") { latitude = try degrees(value, key) }
      if equals(key, "lon") { longitude = try degrees(value, key) }
    }
    if wayRefs == 1 { firstRef = lastRef }
    if latitude != nil, longitude != nil { locatedRefs += 1 }
    extendBounds(latitude, longitude)
  }

  private func extendBounds(_ latitude: Int64?, _ longitude: Int64?) {
    guard let latitude, let longitude,
      NodeCoordinate(latitude: latitude, longitude: longitude).isKnown
    else { return }
    totals.extend(.init(west: longitude, south: latitude, east: longitude, north: latitude))
  }

  private func readStatedBounds(_ attributes: XMLAttributes) throws(CairnError) {
    var (south, north, west, east): (Int64?, Int64?, Int64?, Int64?)
    for (key, value) in attributes {
      if equals(key, "minlat") { south = try degrees(value, key) }
      if equals(key, "maxlat") { north = try degrees(value, key) }
      if equals(key, "minlon") { west = try degrees(value, key) }
      if equals(key, "maxlon") { east = try degrees(value, key) }
    }
    guard let south, let north, let west, let east else { return }
    statedBounds = .init(west: west, south: south, east: east, north: north)
  }
}
