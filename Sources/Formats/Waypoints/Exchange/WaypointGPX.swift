// SPDX-License-Identifier: Apache-2.0
import Formatting
import GPX
import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Waypoints in GPX.
extension WaypointImport {
  /// The namespace of the extension that has the ids of a waypoint and of its hike.
  static let gpxNamespace = "urn:x-cairn:waypoint"

  /// Adds a waypoint of a GPX file. The category is that of its `type`, otherwise of its `sym`.
  ///
  /// - Parameters:
  ///   - point: The waypoint as the file has it.
  ///   - fallback: Its time if it has none.
  public mutating func add(_ point: GPXFile.Point, fallback: Date) {
    let details = point.details
    let words = [details?.type, details?.symbol].compactMap { $0 }
    let notes = [details?.description, details?.comment].compactMap { $0 }
    add(
      id: details?.extensions.flatMap { Self.uuid("id", $0) },
      latitude: point.coordinate.latitude, longitude: point.coordinate.longitude,
      altitude: point.elevation, timestamp: point.time, fallback: fallback,
      label: point.name ?? "",
      category: words.lazy.compactMap { WaypointCategory(word: $0) }.first ?? .custom,
      note: notes.first ?? "", hikeId: details?.extensions.flatMap { Self.uuid("hike", $0) })
  }

  /// The value of an attribute of our extension.
  private static func uuid(_ attribute: String, _ extensions: String) -> UUID? {
    guard let start = extensions.firstRange(of: #"<waypoint xmlns="\#(gpxNamespace)""#) else {
      return nil
    }
    let head = extensions[start.upperBound...].prefix { $0 != ">" }
    guard let value = head.firstRange(of: #" \#(attribute)=""#) else { return nil }
    return UUID(uuidString: String(head[value.upperBound...].prefix { $0 != "\"" }))
  }
}

extension Waypoint {
  /// The waypoint as one of a GPX file, without its photo. Reading it again gives the same waypoint,
  /// but for white space at the ends of its label and its note.
  public var gpxPoint: GPXFile.Point {
    var point = GPXFile.Point(
      coordinate: coordinate, elevation: altitude, time: timestamp,
      name: label.isEmpty ? nil : label)
    var details = GPXFile.Point.Details()
    details.description = note.isEmpty ? nil : note
    details.symbol = category.gpxSymbol
    details.type = category.rawValue
    let hike = hikeId.map { #" hike="\#($0.uuidString)""# } ?? ""
    details.extensions =
      #"<waypoint xmlns="\#(WaypointImport.gpxNamespace)" id="\#(id.uuidString)"\#(hike)></waypoint>"#
    point.details = details
    return point
  }
}
