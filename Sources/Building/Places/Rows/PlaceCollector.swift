// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Geodesy
import TagRules
import TrailData

/// Turns the points of interest of a region into rows of waypoints.
package struct PlaceCollector {
  /// A waypoint.
  package struct Row: Equatable, Sendable {
    /// Its identity, see ``PlaceID``.
    package var id: String
    /// The object that it is from, such as `n4711`.
    package var object: String
    /// What it is.
    package var kind: PlaceKind
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
      id: String, object: String, kind: PlaceKind, coordinate: FixedCoordinate, altitude: Double?,
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
  /// How many points are another one of the same place.
  package private(set) var duplicateCount = 0
  /// How many tagged elevations differ from the terrain by more than
  /// ``PlaceElevation/reportedMetres``.
  package private(set) var differenceCount = 0

  private let points: PointsOfInterest
  private let tags: PlaceTags

  /// Collects the places of a `.elevated` or `.trails` file.
  package init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    tags = PlaceTags(trails)
    let classifier = PlaceClassifier(trails)
    let rules = PlaceRule.all
    var found: [FoundPlace] = []
    for point in 0..<points.count {
      guard let (index, value) = classifier.classify(point) else { continue }
      let rule = rules[index]
      guard isUseful(point, rule.kind) else { continue }
      found.append(
        FoundPlace(
          point: point, kind: rule.kind, kindNumber: rule.kindNumber, kindLabel: rule.label,
          value: value, name: tags.index(of: .name, on: [point]),
          coordinate: points.coordinate(point), tagCount: tags.count(of: point)))
    }
    let places = PlaceDuplicates.merged(found)
    duplicateCount = found.count - places.count
    rows.reserveCapacity(places.count)
    for place in places { add(place) }
    rows.sort { $0.id < $1.id }
  }

  /// Whether a place is there for a hiker to use.
  private func isUseful(_ point: Int, _ kind: PlaceKind) -> Bool {
    for key in [PlaceKey.abandoned, .disused] where tags.text(of: key, on: [point]) == "yes" {
      return false
    }
    guard kind.isForVisitors else { return true }
    if tags.text(of: .ruins, on: [point]) == "yes" { return false }
    // Most shelters are at bus stops.
    if kind == .shelter, tags.text(of: .shelterType, on: [point]) == "public_transport" {
      return false
    }
    let access = tags.text(of: .access, on: [point])
    return access != "private" && access != "no"
  }

  /// Latitude and longitude as commands take them.
  private static func text(_ coordinate: FixedCoordinate) -> String {
    "\(coordinate.degrees.latitude),\(coordinate.degrees.longitude)"
  }

  private mutating func add(_ place: MergedPlace) {
    let main = place.main
    guard let type = OSMObjectType(rawValue: points.types[main.point]) else { return }
    let sources = [main.point] + place.others
    let id = points.ids[main.point]
    let writer = PlaceNote(tags)
    let title = writer.title(main.kind, main.kindLabel, value: main.value)
    let label = writer.label(main.kind, title, sources)
    let object = "\(PlaceID.letter(type))\(id)"
    let (metres, difference) = PlaceElevation.choose(
      tag: tags.text(of: .elevation, on: sources), modelled: points.elevations?[main.point])
    if let difference {
      differenceCount += 1
      warnings.add(
        "elevation-differs",
        "\(label) (\(object)) at \(Self.text(main.coordinate)): tagged "
          + "\(grouped(Int(abs(difference).rounded()))) m \(difference > 0 ? "above" : "below") "
          + "the terrain")
    }
    rows.append(
      Row(
        id: PlaceID.uuid(type, id), object: object, kind: main.kind, coordinate: main.coordinate,
        altitude: metres, label: label,
        note: writer.text(main.kind, title, label: label, sources)))
  }
}
