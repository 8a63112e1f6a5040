// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import OSMInput

/// The contents of an OpenStreetMap extract.
struct ExtractListing: Listing {
  private struct Header: Encodable {
    var requiredFeatures: [String]
    var optionalFeatures: [String]
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
    var declaresSorted: Bool
  }

  private struct Tally: Encodable {
    var count: Int
    var values: [String: Int]
  }

  private let file: String
  private let kind = "osm.pbf"
  private let bytes: Int
  private let header: Header
  private let nodes: Objects
  private let ways: Objects
  private let relations: Objects
  private let refs: Int
  private let closedWays: Int
  private let members: Int
  private let tagCount: Int
  /// West, south, east, north of all nodes in degrees.
  private let bounds: [Double]?
  private let oldestVersion: String?
  private let newestVersion: String?
  private let order: Order
  private let blobs: [String: Int]
  private let inflatedBytes: Int
  private let tags: [String: Tally]?
  private let tallies: [PBFSurvey.Tally]

  private enum CodingKeys: CodingKey {
    case file, kind, bytes, header, nodes, ways, relations, refs, closedWays, members, tagCount
    case bounds, oldestVersion, newestVersion, order, blobs, inflatedBytes, tags
  }

  init(_ path: String, _ survey: PBFSurvey) {
    file = path
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
    bounds = survey.bounds.map {
      [$0.west, $0.south, $0.east, $0.north].map { Double($0) / 10_000_000 }
    }
    oldestVersion = survey.oldestVersion
    newestVersion = survey.newestVersion
    order = Order(isSorted: survey.isSorted, declaresSorted: survey.declaresSorted)
    blobs = Dictionary(uniqueKeysWithValues: survey.blobs.map { ($0.key.rawValue, $0.value) })
    inflatedBytes = survey.inflatedBytes
    tallies = survey.tallies
    // A key given twice is counted once.
    tags =
      tallies.isEmpty
      ? nil
      : Dictionary(
        tallies.map { tally in
          let values = Dictionary(tally.values.map { ($0.value, $0.count) }, uniquingKeysWith: +)
          return (tally.key, Tally(count: tally.count, values: values))
        }, uniquingKeysWith: { first, _ in first })
  }

  var lines: [String] {
    ["\(file): OpenStreetMap extract (PBF), \(grouped(bytes)) bytes"] + headerFacts + dataFacts
      + [""] + table + tallies.flatMap(Self.lines)
  }

  private var headerFacts: [String] {
    var rows = [("written by", header.writingProgram ?? "unknown program")]
    if let source = header.source { rows.append(("source", source)) }
    rows.append(("data of", header.dataTimestamp ?? "unknown time"))
    if let url = header.replicationURL {
      let sequence = header.replicationSequence.map { ", sequence \(grouped($0))" } ?? ""
      rows.append(("updates", url + sequence))
    }
    rows.append(("requires", header.requiredFeatures.joined(separator: ", ")))
    if !header.optionalFeatures.isEmpty {
      rows.append(("declares", header.optionalFeatures.joined(separator: ", ")))
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
    let kinds = blobs.sorted { $0.key < $1.key }
      .map { "\(grouped($0.value)) \($0.key == "none" ? "uncompressed" : $0.key)" }
    let content = ", \(grouped(inflatedBytes)) bytes of content"
    rows.append(("blobs", kinds.isEmpty ? "none" : kinds.joined(separator: ", ") + content))
    return rows.map { fact($0.0, $0.1) }
  }

  private var orderText: String {
    switch (order.isSorted, order.declaresSorted) {
    case (true, true): "by type and id, as declared"
    case (true, false): "by type and id, but not declared"
    case (false, true): "unsorted, although declared as sorted"
    case (false, false): "unsorted"
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
    return table.lines + [
      "",
      "  \(grouped(tagCount)) tags, \(grouped(refs)) refs of ways to nodes, "
        + "\(grouped(closedWays)) closed ways, \(grouped(members)) members of relations",
    ]
  }

  private static func lines(_ tally: PBFSurvey.Tally) -> [String] {
    let rows = tally.values.map { [grouped($0.count), $0.value] }
    return ["", "  \(tally.key): \(grouped(tally.count)) objects"]
      + TextTable([.right, .left], indent: 4, rows: rows).lines
  }

  private static func text(_ bounds: [Double]) -> String {
    "\(bounds[0]),\(bounds[1]) to \(bounds[2]),\(bounds[3])"
  }
}
