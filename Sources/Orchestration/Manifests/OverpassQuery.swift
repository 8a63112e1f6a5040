// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnTagRules
import SystemIO

extension CairnError.Code {
  /// A region that an Overpass API cannot or must not be asked for.
  package static let unfitForOverpass: Self = "unfit-for-overpass"
}

/// The query for the objects that the stages keep in a box: ways to walk and ride on, points of
/// interest and waymarked routes, in the words of `TagSelection`.
///
/// Ways and areas come with all their nodes, routes without their ways outside of the box, since a
/// route across a continent has many.
package struct OverpassQuery: Equatable, Sendable {
  /// The largest width and height of a box. Servers are shared, and there are extracts for larger
  /// areas.
  package static let largestKilometres = 100.0
  /// The server's limits, in seconds and bytes.
  package static let timeoutSeconds = 300
  package static let memoryBytes = 1 << 30

  /// The box.
  package let box: BoundingBox
  private let highways: Set<String>

  /// Makes the query for a box. Throws 78 if it is too large or crosses the antimeridian.
  ///
  /// - Parameter highways: The requested values of `highway`; nil for all routable ones.
  package init(_ box: BoundingBox, highways: [String]? = nil) throws(CairnError) {
    guard !box.crossesAntimeridian else {
      throw CairnError(
        .unfitForOverpass, .configuration,
        "crosses the antimeridian, which a query cannot",
        hint: "divide the region there, or use a PBF extract")
    }
    let (width, height) = Self.kilometres(box)
    guard width <= Self.largestKilometres, height <= Self.largestKilometres else {
      throw CairnError(
        .unfitForOverpass, .configuration,
        "is \(decimal(width, 0)) × \(decimal(height, 0)) km large; an Overpass API is asked for at "
          + "most \(decimal(Self.largestKilometres, 0)) × \(decimal(Self.largestKilometres, 0)) km",
        hint: "use a PBF extract, such as those of download.geofabrik.de")
    }
    self.box = box
    self.highways = highways.map { Set($0) } ?? TagSelection.routableHighways
  }

  /// The size of a box, with its greatest width.
  private static func kilometres(_ box: BoundingBox) -> (width: Double, height: Double) {
    let nearest = box.south > 0 ? box.south : box.north < 0 ? box.north : 0
    let height = haversineDistance(
      Coordinate(latitude: box.south, longitude: box.west),
      Coordinate(latitude: box.north, longitude: box.west))
    // Along the parallel, in two halves: across more than half of the globe the way back is shorter.
    let middle = box.west + (box.east - box.west) / 2
    let half = haversineDistance(
      Coordinate(latitude: nearest, longitude: box.west),
      Coordinate(latitude: nearest, longitude: middle))
    return (half * 2 / 1000, height / 1000)
  }

  /// The query in Overpass QL. Only the selections name the box: it does not apply to routes of
  /// routes, whose members are relations without a location.
  package var text: String {
    let corners = [box.south, box.west, box.north, box.east].map { shortDecimal($0, 7) }
    let inside = "(\(corners.joined(separator: ",")));"
    let selections =
      ["way\(Self.any("highway", highways))"]
      + TagSelection.walkways.map { "way[\"\($0.key)\"=\"\($0.value)\"]" }
      + ["way[\"route\"=\"\(TagSelection.ferryRoute)\"]"] + areas + Self.hazardAreas + Self.points
      + Self.lines
      + ["relation[\"type\"=\"route\"][\"route\"=\"\(TagSelection.ferryRoute)\"]"]
    let routes = "relation\(Self.any("type", TagSelection.routeRelationTypes))\(Self.routes)"
    let lines =
      ["("] + selections.map { "  " + $0 + inside } + [
        ");", "(._;>;);", "out body;", routes + inside,
        "(._;rel(br)[\"type\"=\"superroute\"];);", "out body;",
      ]
    return "[out:xml][timeout:\(Self.timeoutSeconds)][maxsize:\(Self.memoryBytes)];\n"
      + lines.joined(separator: "\n") + "\n"
  }

  /// The identity of the query: its URL for display, and its text.
  package func digest(url: String) -> String {
    SHA256Digest.ofText("\(redactedURL(url))\n\(text)")
  }

  /// Areas to walk on that are relations.
  private var areas: [String] {
    let relation = "relation[\"type\"=\"\(TagSelection.areaRelationType)\"]"
    return [relation + Self.any("highway", highways)]
      + TagSelection.walkways.map { relation + "[\"\($0.key)\"=\"\($0.value)\"]" }
  }

  /// Areas that may be dangerous or limit access.
  private static var hazardAreas: [String] {
    let access =
      "[~\"^(\(TagSelection.areaQualifierKeys.sorted().joined(separator: "|")))$\"~\".\"]"
    let filters = TagSelection.hazardAreaKeys.sorted().flatMap { key in
      [
        any(key, TagSelection.hazardAreaValues),
        any(key, TagSelection.qualifiedAreaValues) + access,
      ]
    }
    let all = filters + TagSelection.anyHazardAreaKeys.sorted().map { "[\"\($0)\"]" }
    let types = [TagSelection.areaRelationType, TagSelection.boundaryRelationType]
    return all.flatMap { ["way\($0)", "relation\(any("type", Set(types)))\($0)"] }
  }

  /// Points of interest: nodes, and areas, which are ways and relations.
  private static var points: [String] {
    TagSelection.pointsOfInterest.sorted { $0.key < $1.key }.flatMap { key, values -> [String] in
      let filter = values.isEmpty ? "[\"\(key)\"]" : any(key, values)
      return [
        "node\(filter)", "way\(filter)",
        "relation[\"type\"=\"\(TagSelection.areaRelationType)\"]\(filter)",
      ]
    }
  }

  /// Rivers, ridges and lifts, and house numbers.
  private static var lines: [String] {
    TagSelection.lineFeatures.sorted { $0.key < $1.key }.map { "way\(any($0, $1))" }
      + ["node", "way"].map { "\($0)[\"\(TagSelection.houseNumberKey)\"]" }
      + ["way[\"\(TagSelection.interpolationKey)\"]"]
  }

  /// Waymarked routes, whose `route` may be a list of kinds.
  private static var routes: String {
    "[\"route\"~\"(^|;) *(\(TagSelection.routeKinds.sorted().joined(separator: "|"))) *(;|$)\"]"
  }

  /// A filter for a key with any of some values.
  private static func any(_ key: String, _ values: Set<String>) -> String {
    values.count == 1
      ? "[\"\(key)\"=\"\(values.first ?? "")\"]"
      : "[\"\(key)\"~\"^(\(values.sorted().joined(separator: "|")))$\"]"
  }
}

extension Manifest {
  /// The query for a region. Throws 78 if the region is unsuitable, and 65 or 66 if its shape
  /// cannot be read.
  package func query(_ region: Region, _ shapes: RegionShapes) throws(CairnError) -> OverpassQuery {
    let box = try shapes.extent(region.shape)
    do throws(CairnError) { return try OverpassQuery(box, highways: routableHighways) } catch {
      var error = error
      error.message = "region “\(region.id)” \(error.message)"
      error.location = region.location
      throw error
    }
  }

  /// Throws 78 for regions that their sources cannot be asked for.
  package func checkQueries(_ shapes: RegionShapes) throws(CairnError) {
    var problems: [CairnError] = []
    for region in regions where sources[region.source]?.isAnswer ?? false {
      do throws(CairnError) { _ = try query(region, shapes) } catch { problems.append(error) }
    }
    guard var first = problems.first else { return }
    first.further = Array(problems.dropFirst())
    throw first
  }
}
