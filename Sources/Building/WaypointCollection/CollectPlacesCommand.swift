// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import CairnTagRules
import CairnWaypoints
import CommandLineKit
import SystemIO
import TrailData

/// `cairn-collect-places`: the points of interest of a `.trails` file, with or without its
/// `.elevated` file, become a `.waypoints.db`.
package struct CollectPlacesCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-collect-places",
    summary: "collect peaks, huts, springs and other places as waypoints",
    discussion: """
      Writes peaks, passes, huts, shelters, springs and drinking water, viewpoints, campsites, \
      parking, public transport, food, dangers and settlements as waypoints with a category, a \
      note and an elevation, in the database format of the apps' own waypoints. The elevation is \
      the tagged one, or the terrain's if the two are more than 100 m apart; differences of more \
      than 30 m are reported.
      """,
    options: TrailsFile.inputOptions(withoutElevations: "to use tagged elevations") + [
      .option("output", "FILE.waypoints.db", required: true, help: "the database"),
      .option("region-id", "ID", help: "the region's id, for the metadata"),
      .option("region-name", "NAME", help: "the region's name, for the metadata"),
    ],
    examples: [
      "cairn-collect-places --input valley.elevated --trails valley.trails "
        + "--output valley.waypoints.db"
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    keepFreedMemory()
    let trails = try TrailsFile(stage.arguments, threads: stage.threads)
    trails.releasePages { $0.hasPrefix("poi.") || $0.hasPrefix("string.") }
    stage.input["points"] = .integer(trails.pointsOfInterest.count)
    let output = try AtomicOutput(
      try stage.arguments.required("output"), replacing: WaypointSchema.recognises)
    let collector = WaypointCollector(trails, threads: stage.threads)
    stage.warnings.merge(collector.warnings)
    let provenance = trails.provenance
    let date = provenance.dataTimestamp.flatMap { parsedTimestamp($0) }
    if date == nil {
      stage.warnings.add(
        "no-data-time", "the data states no time; the waypoints are dated 1970")
    }
    let metadata = metadata(
      collector, provenance, regionID: stage.arguments.value("region-id"),
      regionName: stage.arguments.value("region-name"))
    let content = WaypointDatabaseContent(
      collector.rows, timestamp: date.flatMap(timestampText) ?? PublishedWaypoints.unknownTime,
      metadata: metadata)
    try DatabasePages(content.content).writeAll { bytes, offset throws(CairnError) in
      try output.write(bytes, at: offset)
    }
    try output.commit()
    report(stage, collector, of: trails.pointsOfInterest.count)
    return .success
  }

  private static func metadata(
    _ collector: WaypointCollector, _ provenance: Provenance, regionID: String?, regionName: String?
  ) -> [(key: String, value: String)] {
    typealias Key = PublishedWaypoints.Key
    var entries = [
      (Key.version, "\(WaypointSchema.version)"),
      (Key.osmDataDate, provenance.dataTimestamp ?? "unknown"),
      (PublishedWaypoints.waypointCount, "\(collector.rows.count)"),
      (Key.generator, provenance.tool),
      (Key.attribution, PublishedWaypoints.attribution),
      (Key.licence, PublishedWaypoints.licence),
      (Key.region, provenance.region ?? "everything"),
    ]
    if let regionID { entries.append((Key.regionID, regionID)) }
    if let regionName { entries.append((Key.regionName, regionName)) }
    if let source = provenance.source { entries.append((Key.sourceDigest, source.sha256)) }
    if let box = box(collector.rows) { entries.append((Key.boundingBox, box)) }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  /// `west,south,east,north` of all waypoints, in degrees; nil if there are none.
  private static func box(_ rows: [WaypointCollector.Row]) -> String? {
    guard let first = rows.first?.coordinate else { return nil }
    var (low, high) = (first, first)
    for point in rows.lazy.map(\.coordinate) {
      low = FixedCoordinate(
        latitude: min(low.latitude, point.latitude),
        longitude: min(low.longitude, point.longitude))
      high = FixedCoordinate(
        latitude: max(high.latitude, point.latitude),
        longitude: max(high.longitude, point.longitude))
    }
    return BoundingBox(
      west: low.degrees.longitude, south: low.degrees.latitude, east: high.degrees.longitude,
      north: high.degrees.latitude
    ).description
  }

  private static func report(_ stage: StageRun, _ collector: WaypointCollector, of points: Int) {
    var kinds: [PointKind: Int] = [:]
    for index in collector.rows.indices { kinds[collector.rows[index].kind, default: 0] += 1 }
    var categories: [String: Int] = [:]
    for (kind, count) in kinds { categories[kind.category.rawValue, default: 0] += count }
    stage.output = [
      "waypoints": .integer(collector.rows.count),
      "withAltitude": .integer(collector.rows.count { $0.altitude != nil }),
      "duplicates": .integer(collector.duplicateCount),
      "elevationDiffers": .integer(collector.differenceCount),
      "categories": .object(categories.mapValues { .integer($0) }),
      "kinds": .object(
        Dictionary(uniqueKeysWithValues: kinds.map { ($0.rawValue, .integer($1)) })),
    ]
    let count = collector.rows.count
    stage.summary =
      "\(grouped(count)) \(count == 1 ? "waypoint" : "waypoints") of "
      + "\(grouped(points)) points of interest"
  }
}
