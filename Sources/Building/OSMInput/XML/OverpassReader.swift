// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting
import TrailData
import XMLKit

/// Collects nodes, ways and relations from the elements of OSM XML, or of a file of changes.
final class OverpassReader: XMLElementReader {
  let parser: ExpatParser

  /// Whether it is a change file (osmChange), whose objects replace their earlier versions.
  let readsChanges: Bool
  /// The versions of the changes so far.
  private(set) var changed: ChangedVersions
  /// The number of values after which earlier versions of changes are dropped.
  private var maximumSize = 1 << 20
  /// The element of a change file that contains the current one.
  private var section = Section.header

  /// The elements below the root of a change file.
  private enum Section {
    /// Describes the file, such as `<bounds>`; it has no objects.
    case header
    case changes
    case deletions
  }

  /// The routable ways found so far, their tags as indices into ``pool``.
  var ways = WayBatch()
  /// All ways found so far, with tags if those make them a point of interest: a later relation may
  /// need any of them.
  var areas = WayBatch()
  /// The routes and areas found so far.
  var relations = RelationBatch()
  /// The relations found so far whose tags are inherited by their ways.
  var tagSources = RelationBatch()
  /// The tags of the ways found so far that are not routable by themselves, without refs.
  var ownTags = WayBatch()
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

  /// All nodes found so far.
  var nodes = XMLNodes()
  var parent = Parent.nothing
  var object = CurrentObject()
  var tags: CurrentTags
  var refs: [Int64] = []
  var members: [Member] = []
  var remark: [UInt8] = []
  var versions = WayVersions()
  var lastPoint: Int64?

  /// - Parameter changes: The versions in files of changes before this one; nil for a file of data.
  ///   Either kind is refused where the other one is expected.
  init(after changes: ChangedVersions? = nil, highways: HighwayChoice) throws(CairnError) {
    tags = CurrentTags(highways)
    readsChanges = changes != nil
    changed = changes ?? ChangedVersions()
    parser = try ExpatParser()
  }

  struct CurrentObject {
    var id: Int64 = 0
    var isDeleted = false
    /// The centre that the file states for an area.
    var centre: NodeCoordinate?
  }

  struct Member {
    var id: Int64
    var isWay: Bool
    /// Whether it belongs to the course of a ferry line.
    var isOfCourse: Bool
    var roleClasses: WordClass
    var role: RouteMember.Role
  }

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    if readsChanges {
      if depth == 2 { return try startSection(name) }
      if depth == 3 || section == .header, depth > 2 { try checkPlace(of: name) }
      if section == .header, depth > 2 { return }
    }
    switch depth - actionDepth {
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

  func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    guard depth - actionDepth == 2 || parent == .remark else { return }
    switch parent {
    case .node: endNode()
    case .way: endWay()
    case .relation: endRelation()
    case .remark: throw remarkError()
    case .nothing: break
    }
    parent = .nothing
    if readsChanges, size > maximumSize { dropEarlierVersions() }
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    if remark.count < 1000 { remark += bytes }
  }

  var kind: String { readsChanges ? "OpenStreetMap changes" : "OpenStreetMap data" }

  var hint: String {
    readsChanges
      ? "is it a change file, .osc or .osc.gz?"
      : "is it OpenStreetMap XML? Ask Overpass for [out:xml]"
  }

  /// The number of elements between the root and the objects.
  private var actionDepth: Int { readsChanges && depth > 1 ? 1 : 0 }

  func misreading() -> CairnError? {
    HTMLPage.isLikely(head) ? HTMLPage.error(head) : nil
  }

  func refusal(ofDocumentType name: String) -> CairnError {
    name.lowercased() == "html" ? HTMLPage.error(head) : usualRefusal(of: name)
  }
}

extension OverpassReader {
  private func startRoot(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, readsChanges ? "osmChange" : "osm") {
      if readsChanges { return }
      for (key, value) in attributes where equals(key, "timestamp") { noteTimestamp(value) }
      return
    }
    let root = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
    if root.lowercased() == "html" { throw HTMLPage.error(head) }
    if root == "osmChange" {
      throw .badData(
        .wrongFileKind, "is a change file (osmChange), not data",
        hint: "read it together with an extract: cairn-decode-pbf --input EXTRACT --changes CHANGES"
      )
    }
    guard !readsChanges else {
      throw .badData(
        .wrongFileKind, "is not a change file: it begins with <\(root)>, not with <osmChange>")
    }
    throw .badData(
      .wrongFileKind, "is not OpenStreetMap XML: it begins with <\(root)>, not with <osm>")
  }

  /// Begins a group of changes of one kind, or what a program says of the whole file.
  private func startSection(_ name: UnsafePointer<CChar>) throws(CairnError) {
    if equals(name, "delete") {
      section = .deletions
    } else if equals(name, "create") || equals(name, "modify") {
      section = .changes
    } else if isObject(name) {
      throw misplaced(name)
    } else {
      section = .header
      if equals(name, "remark") { startRemark() }
    }
  }

  /// Throws for an element whose changes would be lost: objects that no group of changes contains,
  /// and anything else in such a group. Osmium refuses both, too.
  private func checkPlace(of name: UnsafePointer<CChar>) throws(CairnError) {
    if isObject(name) == (section == .header) { throw misplaced(name) }
  }

  private func isObject(_ name: UnsafePointer<CChar>) -> Bool {
    equals(name, "node") || equals(name, "way") || equals(name, "relation")
  }

  private func misplaced(_ name: UnsafePointer<CChar>) -> CairnError {
    let word = String(decoding: bytes(of: name).prefix(40), as: UTF8.self)
    return .badData(
      .wrongFileKind,
      section == .header
        ? "has <\(word)> outside its changes, which are create, modify and delete"
        : "has <\(word)> among its changes, which are of nodes, ways and relations")
  }

  private var size: Int {
    nodes.size + points.size + ways.size + areas.size + ownTags.size + relations.size
      + tagSources.size
      + pool.count
  }

  /// Keeps the last version of each object, and the texts of its tags: a small file may have millions
  /// of versions of one object.
  private func dropEarlierVersions() {
    var texts = TextPool()
    func text(_ index: UInt32) -> UInt32 {
      pool.text(Int(index)).withUnsafeBytes { texts.index(of: $0) }
    }
    func shorten(_ batch: inout some ObjectBatch) {
      batch.keepLastVersions()
      batch.replaceTags { PooledTag(key: text($0.key), value: text($0.value)) }
    }
    shorten(&nodes)
    shorten(&points)
    shorten(&ways)
    shorten(&areas)
    shorten(&ownTags)
    shorten(&relations)
    shorten(&tagSources)
    pool = texts
    maximumSize = max(maximumSize, 2 * size)
  }

  /// Whether the current object is to be left out, as a newer version is known.
  func isOlder(_ type: OSMObjectType, _ id: Int64, _ version: Int64?) -> Bool {
    readsChanges && !changed.take(type, id, UInt32(clamping: version ?? 0))
  }

  /// Notes the time of a change.
  @inline(__always)
  func noteChange(_ key: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) {
    guard readsChanges, equals(key, "timestamp") else { return }
    let text = String(decoding: bytes(of: value).prefix(40), as: UTF8.self)
    // Times of this form are ordered as their texts are.
    if isUTCTimestamp(text), text > dataTimestamp ?? "" { dataTimestamp = text }
  }

  /// Whether the current object is deleted by the element around it.
  var isDeletedByAction: Bool { readsChanges && section == .deletions }

  private func startObject(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes)
    throws(CairnError)
  {
    if equals(name, "node") {
      try startNode(attributes)
    } else if equals(name, "way") {
      counts.ways += 1
      if try startObject(attributes, .way) { parent = .way }
    } else if equals(name, "relation") {
      counts.relations += 1
      if try startObject(attributes, .relation) { parent = .relation }
    } else if equals(name, "meta") {
      for (key, value) in attributes where equals(key, "osm_base") { noteTimestamp(value) }
    } else if equals(name, "remark") {
      startRemark()
    } else if equals(name, "action") {
      throw .badData(
        .wrongFileKind, "is an Overpass augmented diff, not data",
        hint: "query Overpass without [adiff:…] and [diff:…]")
    }
  }

  private func startRemark() {
    parent = .remark
    reportText(true)
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
