// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import OSMInput

/// The contents of an OpenStreetMap extract, as PBF or XML, or of a file of changes.
package struct ExtractListing: Listing {
  private struct Header: Encodable {
    var requiredFeatures: [String]?
    var optionalFeatures: [String]?
    /// West, south, east, north in degrees.
    var bounds: [Double]?
    var writingProgram: String?
    var source: String?
    var dataTimestamp: String?
    var replicationSequence: Int64?
    var replicationURL: String?
  }

  private struct Objects: Encodable {
    var count: Int
    var tagged: Int
    var deleted: Int
    var minID: Int64?
    var maxID: Int64?

    init(_ objects: PBFSurvey.Objects) {
      count = objects.count
      tagged = objects.tagged
      deleted = objects.deleted
      minID = objects.ids?.lowerBound
      maxID = objects.ids?.upperBound
    }
  }

  private struct Order: Encodable {
    var isSorted: Bool
    /// Nil for XML, which cannot declare it.
    var declaresSorted: Bool?
  }

  private struct Tally: Encodable {
    var count: Int
    var values: [String: Int]
  }

  private let file: String
  /// `osm.pbf`, `osm` for XML, or `osc` for changes.
  private let kind: String
  private let bytes: Int
  private let header: Header
  private let nodes: Objects
  private let ways: Objects
  private let relations: Objects
  private let refs: Int
  /// The number of refs with the coordinates of their nodes, in XML.
  private let locatedRefs: Int?
  private let closedWays: Int
  private let members: Int
  private let tagCount: Int
  /// West, south, east, north of all nodes in degrees.
  private let bounds: [Double]?
  private let oldestVersion: String?
  private let newestVersion: String?
  private let order: Order
  private let blobs: [String: Int]?
  private let inflatedBytes: Int?
  /// Overpass's error remark, if any.
  private let remark: String?
  private let tags: [String: Tally]?
  private let tallies: [PBFSurvey.Tally]

  private enum CodingKeys: CodingKey {
    case file, kind, bytes, header, nodes, ways, relations, refs, locatedRefs, closedWays, members
    case tagCount, bounds, oldestVersion, newestVersion, order, blobs, inflatedBytes, remark, tags
  }

  /// Describes a file.
  package init(_ path: String, _ survey: PBFSurvey) {
    file = path
    kind = "osm.pbf"
    (locatedRefs, remark) = (nil, nil)
    bytes = survey.fileBytes
    let surveyed = survey.header
    header = Header(
      requiredFeatures: surveyed.requiredFeatures, optionalFeatures: surveyed.optionalFeatures,
      bounds: surveyed.bounds.map {
        [$0.left, $0.bottom, $0.right, $0.top].map { Double($0) / 1_000_000_000 }
      },
      writingProgram: surveyed.writingProgram, source: surveyed.source,
      dataTimestamp: surveyed.dataTimestamp, replicationSequence: surveyed.replicationSequence,
      replicationURL: surveyed.replicationURL)
    nodes = Objects(survey.nodes)
    ways = Objects(survey.ways)
    relations = Objects(survey.relations)
    refs = survey.refs
    closedWays = survey.closedWays
    members = survey.members
    tagCount = survey.tags
    bounds = survey.bounds.map(Self.degrees)
    oldestVersion = survey.oldestVersion
    newestVersion = survey.newestVersion
    order = Order(isSorted: survey.isSorted, declaresSorted: survey.declaresSorted)
    blobs = Dictionary(uniqueKeysWithValues: survey.blobs.map { ($0.key.rawValue, $0.value) })
    inflatedBytes = survey.inflatedBytes
    tallies = survey.tallies
    tags = Self.tags(tallies)
  }

  /// Describes a file.
  package init(_ path: String, _ survey: XMLSurvey) {
    file = path
    kind = survey.hasChanges ? "osc" : "osm"
    bytes = survey.fileBytes
    header = Header(
      bounds: survey.statedBounds.map(Self.degrees), writingProgram: survey.writingProgram,
      dataTimestamp: survey.dataTimestamp)
    nodes = Objects(survey.nodes)
    ways = Objects(survey.ways)
    relations = Objects(survey.relations)
    refs = survey.refs
    locatedRefs = survey.locatedRefs
    closedWays = survey.closedWays
    members = survey.members
    tagCount = survey.tags
    bounds = survey.bounds.map(Self.degrees)
    oldestVersion = survey.oldestVersion
    newestVersion = survey.newestVersion
    order = Order(isSorted: survey.isSorted)
    (blobs, inflatedBytes) = (nil, nil)
    remark = survey.remark
    tallies = survey.tallies
    tags = Self.tags(tallies)
  }

  private static func degrees(_ box: PBFSurvey.Bounds) -> [Double] {
    [box.west, box.south, box.east, box.north].map { Double($0) / 10_000_000 }
  }

  private static func tags(_ tallies: [PBFSurvey.Tally]) -> [String: Tally]? {
    guard !tallies.isEmpty else { return nil }
    // A key given twice is counted once.
    return Dictionary(
      tallies.map { tally in
        let values = Dictionary(tally.values.map { ($0.value, $0.count) }, uniquingKeysWith: +)
        return (tally.key, Tally(count: tally.count, values: values))
      }, uniquingKeysWith: { first, _ in first })
  }

  package var lines: [String] {
    ["\(file): OpenStreetMap \(title), \(byteSize(bytes))"] + headerFacts + dataFacts
      + [""] + table + tallies.flatMap(Self.lines)
  }

  private var title: String {
    switch kind {
    case "osm": "extract (XML)"
    case "osc": "changes (XML)"
    default: "extract (PBF)"
    }
  }

  private var headerFacts: [String] {
    var rows = [("written by", header.writingProgram ?? "unknown program")]
    if let source = header.source { rows.append(("source", source)) }
    rows.append(("data of", header.dataTimestamp ?? "unknown time"))
    if let url = header.replicationURL {
      let sequence = header.replicationSequence.map { ", sequence \(grouped($0))" } ?? ""
      rows.append(("updates", url + sequence))
    }
    if let features = header.requiredFeatures {
      rows.append(("requires", features.joined(separator: ", ")))
    }
    if let features = header.optionalFeatures, !features.isEmpty {
      rows.append(("declares", features.joined(separator: ", ")))
    }
    rows.append(("declared bounds", header.bounds.map(Self.text) ?? "none"))
    return rows.map { fact($0.0, $0.1) }
  }

  private var dataFacts: [String] {
    var rows = [("bounds of nodes", bounds.map(Self.text) ?? "none")]
    if let oldestVersion, let newestVersion {
      rows.append(("versions of", "\(oldestVersion) to \(newestVersion)"))
    }
    rows.append(("order", orderText))
    if let blobs, let inflatedBytes {
      let kinds = blobs.sorted { $0.key < $1.key }
        .map { "\(grouped($0.value)) \($0.key == "none" ? "uncompressed" : $0.key)" }
      let content = ", \(byteSize(inflatedBytes)) of content"
      rows.append(("blobs", kinds.isEmpty ? "none" : kinds.joined(separator: ", ") + content))
    }
    if let remark { rows.append(("incomplete", "Overpass reported an error: “\(remark)”")) }
    return rows.map { fact($0.0, $0.1) }
  }

  private var orderText: String {
    switch (order.isSorted, order.declaresSorted) {
    case (true, true): "by type and id, as declared"
    case (true, false): "by type and id, but not declared"
    case (true, nil): "by type and id"
    case (false, true): "unsorted, although declared as sorted"
    case (false, _): "unsorted"
    }
  }

  private var table: [String] {
    let rows = [("nodes", nodes), ("ways", ways), ("relations", relations)]
    let hasDeleted = rows.contains { $0.1.deleted > 0 }
    let deletedTitle = hasDeleted ? ["deleted"] : []
    let titles = ["", "count", "tagged"] + deletedTitle + ["lowest id", "highest id"]
    let numbers = Array(repeating: TextTable.Alignment.right, count: titles.count - 1)
    var table = TextTable([.left] + numbers, indent: 2)
    table.add(titles)
    for (label, objects) in rows {
      let ids = [objects.minID, objects.maxID].map { $0.map { grouped($0) } ?? "–" }
      let deleted = hasDeleted ? [grouped(objects.deleted)] : []
      table.add([label, grouped(objects.count), grouped(objects.tagged)] + deleted + ids)
    }
    let located = locatedRefs.map { $0 > 0 ? " (\(grouped($0)) with coordinates)" : "" } ?? ""
    return table.lines + [
      "",
      "  " + counted(tagCount, "tag") + ", " + counted(refs, "ref")
        + " of ways to nodes\(located), "
        + counted(closedWays, "closed way") + ", " + counted(members, "member") + " of relations",
    ]
  }

  private static func lines(_ tally: PBFSurvey.Tally) -> [String] {
    let rows = tally.values.map { [grouped($0.count), $0.value] }
    return ["", "  \(tally.key): \(counted(tally.count, "object"))"]
      + TextTable([.right, .left], indent: 4, rows: rows).lines
  }

  private static func text(_ bounds: [Double]) -> String {
    "\(bounds[0]),\(bounds[1]) to \(bounds[2]),\(bounds[3])"
  }
}
