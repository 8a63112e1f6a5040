// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import SystemIO
import TrailData

/// Turns the points of interest of a region into rows of waypoints.
package struct WaypointCollector {
  /// A waypoint.
  package struct Row: Equatable, Sendable {
    /// Its identity, see ``WaypointID``.
    package var id: String
    /// The object that it is from, such as `n4711`.
    package var object: String
    /// What it is.
    package var kind: PointKind
    /// The position in 10⁻⁷ degrees.
    package var coordinate: FixedCoordinate
    /// Metres above sea level; nil if unknown.
    package var altitude: Double?
    /// Its name, or what it is.
    package var label: String
    /// What a hiker wants to know, a line each.
    package var note: String

    /// Makes a row.
    package init(
      id: String, object: String, kind: PointKind, coordinate: FixedCoordinate, altitude: Double?,
      label: String, note: String
    ) {
      self.id = id
      self.object = object
      self.kind = kind
      self.coordinate = coordinate
      self.altitude = altitude
      self.label = label
      self.note = note
    }
  }

  /// The waypoints, by ascending id.
  package private(set) var rows: [Row] = []
  /// Elevations that were tagged and differ from the terrain.
  package private(set) var warnings = WarningTally()
  /// How many points stand for the same thing as another one.
  package private(set) var duplicateCount = 0
  /// How many tagged elevations differ from the terrain by more than
  /// ``PointElevation/reportedMetres``.
  package private(set) var differenceCount = 0

  /// How many points a thread looks at at a time.
  private static let blockPoints = 1024

  /// Collects the waypoints of a `.trails` file, with or without its elevations.
  package init(_ trails: TrailsFile, threads: Int = 1) {
    let filter = PointFilter(trails)
    let points = trails.pointsOfInterest
    let found = mapBlocks(of: points.count, size: Self.blockPoints, threads: threads) { block in
      block.compactMap(filter.find)
    }
    let merged = PointDuplicates.merged(Array(found.joined()))
    duplicateCount = found.reduce(0) { $0 + $1.count } - merged.count
    let order = Self.order(merged, points)
    let writer = WaypointWriter(trails)
    let written = mapBlocks(of: merged.count, size: Self.blockPoints, threads: threads) {
      block in
      block.map { writer.row(merged[order[$0]]) }
    }
    rows.reserveCapacity(merged.count)
    for (row, difference) in written.joined() {
      rows.append(row)
      if let difference { report(row, difference) }
    }
  }

  /// The points in the order of the ids of their waypoints as texts.
  private static func order(_ merged: [MergedPoint], _ points: PointsOfInterest) -> [Int] {
    var keys = merged.indices.map { index in
      let point = merged[index].main.point
      return (points.types[point], UInt64(bitPattern: points.ids[point]), index)
    }
    // The letters n, r and w.
    let relation = OSMObjectType.relation.rawValue
    for index in keys.indices where keys[index].0 != OSMObjectType.node.rawValue {
      keys[index].0 = keys[index].0 == relation ? 1 : 2
    }
    keys.sort { $0 < $1 }
    return keys.map(\.2)
  }

  /// Reports that a tagged elevation differs from the terrain by some metres.
  private mutating func report(_ row: Row, _ difference: Double) {
    differenceCount += 1
    warnings.add(
      "elevation-differs", severity: abs(difference),
      "\(row.label) (\(row.object)) at \(row.coordinate.text): tagged "
        + "\(grouped(Int(abs(difference).rounded()))) m \(difference > 0 ? "above" : "below") "
        + "the terrain")
  }
}

/// Makes rows of points.
private struct WaypointWriter: Sendable {
  private let points: PointsOfInterest
  private let tags: PointTags
  private let note: WaypointNote

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    tags = PointTags(trails)
    note = WaypointNote(tags)
  }

  /// The row of a point, and by how many metres its tagged elevation differs from the terrain, where
  /// that is to be reported.
  func row(_ merged: MergedPoint) -> (WaypointCollector.Row, difference: Double?) {
    let main = merged.main
    let type = OSMObjectType(rawValue: points.types[main.point]) ?? .node
    let id = points.ids[main.point]
    let values = tags.values(on: main.point, or: merged.others)
    let title = note.title(main)
    let label = note.label(title, values)
    let (metres, difference) = PointElevation.choose(
      tagged: tags.text(of: .elevation, values).flatMap(TaggedElevation.metres),
      modelled: points.elevations?[main.point])
    let row = WaypointCollector.Row(
      id: WaypointID.uuid(type, id), object: "\(type.letter)\(id)", kind: main.kind,
      coordinate: main.coordinate, altitude: metres, label: label,
      note: note.text(main.kind, title, label: label, values, flags: main.flags))
    return (row, difference)
  }
}
