// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes GPX 1.1. The same content always gives the same text, which is valid by the schema
/// <https://www.topografix.com/GPX/1/1/gpx.xsd>.
///
/// Times have milliseconds. Values that the schema does not allow are left out: points without a
/// valid coordinate, infinite numbers, times outside of the years 0001…9999. Characters that XML
/// 1.0 forbids are removed.
public enum GPXExporter {
  /// A recorded point.
  public struct TrackPoint: Hashable, Sendable {
    /// Where it is.
    public var coordinate: Coordinate
    /// Metres above sea level; nil if unknown.
    public var elevation: Double?
    /// When it was recorded.
    public var timestamp: Date

    /// Makes a point.
    public init(coordinate: Coordinate, elevation: Double? = nil, timestamp: Date) {
      self.coordinate = coordinate
      self.elevation = elevation
      self.timestamp = timestamp
    }
  }

  /// A recorded track as GPX, in one segment.
  ///
  /// - Parameters:
  ///   - workoutName: The name of the file and of the track.
  ///   - workoutDate: The time of the file.
  public static func generateGPX(
    trackPoints: [TrackPoint], workoutName: String, workoutDate: Date
  ) -> String {
    var file = GPXFile()
    file.name = workoutName
    file.time = workoutDate
    let points = trackPoints.map {
      GPXFile.Point(coordinate: $0.coordinate, elevation: $0.elevation, time: $0.timestamp)
    }
    file.tracks = [GPXFile.Line(name: workoutName, segments: [points])]
    file.setBounds()
    return text(file, creator: "Cairn")
  }

  /// A file as GPX.
  ///
  /// - Parameter creator: The program to name as the file's creator.
  public static func text(_ file: GPXFile, creator: String) -> String {
    var writer = GPXWriter(creator: creator, file)
    for waypoint in file.waypoints { writer.add(waypoint: waypoint) }
    for route in file.routes { writer.add(route: route) }
    for track in file.tracks { writer.add(track: track) }
    writer.end(file)
    return writer.text
  }

  /// Whether a file that begins with these bytes was written by ``text(_:creator:)`` for a creator
  /// with this prefix.
  package static func recognises(head: [UInt8], ofCreator creator: String) -> Bool {
    head.starts(with: GPXWriter.head(creator: creator).utf8)
  }
}

extension GPXFile {
  /// Sets the bounds to the smallest box around all points; nil if there are none.
  public mutating func setBounds() {
    let lines = (routes + tracks).lazy.flatMap { $0.segments.joined() }
    let boxes = [
      BoundingBox(around: waypoints.lazy.map(\.coordinate).filter(\.isValid)),
      BoundingBox(around: lines.map(\.coordinate).filter(\.isValid)),
    ].compactMap { $0 }
    metadata.bounds = boxes.dropFirst().reduce(boxes.first) { box, other in
      box?.extended(to: Coordinate(latitude: other.south, longitude: other.west))
        .extended(to: Coordinate(latitude: other.north, longitude: other.east))
    }
  }
}
