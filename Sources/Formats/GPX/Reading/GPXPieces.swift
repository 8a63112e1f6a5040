// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension GPXFile {
  /// A piece of a file, in the order of the file.
  package enum Piece: Sendable {
    /// A waypoint.
    case waypoint(Point)
    /// The start of a line, with only the metadata that precedes its points.
    case lineStart(LineKind, Line)
    /// A segment of a track begins.
    case segmentStart
    /// A point of the line that began last.
    case point(Point)
    /// The end of a line, with all of its metadata and no points.
    case lineEnd(LineKind, Line)
  }

  /// The type of a line.
  package enum LineKind: Sendable {
    /// A recorded track, `trk`.
    case track
    /// A planned route, `rte`.
    case route
  }
}

/// Puts the pieces of a file together, within limits of memory.
package struct GPXPieces {
  /// The maximum number of points of a file in memory: two months of recording at one point per
  /// second.
  package static let maximumPoints = 5_000_000
  /// The maximum number of bytes of all texts of such a file, extensions included.
  package static let maximumTextBytes = 1 << 28

  static var tooManyPoints: CairnError {
    CairnError(.refusedXML, .dataError, "has more than \(grouped(maximumPoints)) points")
  }

  private var content = GPXFile()
  private var segments: [[GPXFile.Point]] = []
  private var points = 0
  private var textBytes = 0

  /// Begins a file without any.
  package init() {}

  /// Takes the next piece. Throws 65 for more than ``maximumPoints`` or ``maximumTextBytes``.
  package mutating func add(_ piece: GPXFile.Piece) throws(CairnError) {
    switch piece {
    case .waypoint(let point):
      try count(point)
      content.waypoints.append(point)
    case .lineStart(let kind, _): segments = kind == .route ? [[]] : []
    case .segmentStart: segments.append([])
    case .point(let point):
      try count(point)
      segments[segments.count - 1].append(point)
    case .lineEnd(let kind, var line):
      swap(&line.segments, &segments)
      if kind == .track { content.tracks.append(line) } else { content.routes.append(line) }
    }
  }

  /// The whole file.
  ///
  /// - Parameter head: Its metadata.
  package consuming func file(_ head: GPXFile) -> GPXFile {
    var file = head
    file.waypoints = content.waypoints
    file.routes = content.routes
    file.tracks = content.tracks
    return file
  }

  private mutating func count(_ point: GPXFile.Point) throws(CairnError) {
    points += 1
    textBytes += (point.name?.utf8.count ?? 0) + (point.details?.textBytes ?? 0)
    guard points <= Self.maximumPoints else { throw Self.tooManyPoints }
    guard textBytes <= Self.maximumTextBytes else {
      throw CairnError(
        .refusedXML, .dataError,
        "its texts have more than \(grouped(Self.maximumTextBytes)) bytes")
    }
  }
}

extension GPXFile.Point.Details {
  fileprivate var textBytes: Int {
    let texts = [comment, description, source, symbol, type, extensions]
    let linkTexts = links.flatMap { [$0.href, $0.text, $0.type] }
    return (texts + linkTexts).reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}
