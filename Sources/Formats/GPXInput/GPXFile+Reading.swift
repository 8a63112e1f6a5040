// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import SystemIO
import XMLKit

extension GPXFile {
  /// The maximum number of points of a file that is held in memory: two months of recording at one
  /// point per second.
  package static let maximumPoints = 5_000_000
  /// The maximum number of bytes of all texts of such a file, extensions included.
  package static let maximumTextBytes = 1 << 28

  /// A piece of a file, in the order of the file.
  package enum Piece: Sendable {
    /// A waypoint.
    case waypoint(Point)
    /// A line begins. Of what it says about itself, only what comes before its points is known.
    case lineStart(LineKind, Line)
    /// A segment of a track begins.
    case segmentStart
    /// A point of the line that began last.
    case point(Point)
    /// A line ends; it has no points, but all that it says about itself.
    case lineEnd(LineKind, Line)
  }

  /// What a line is.
  package enum LineKind: Sendable {
    /// A recorded track, `trk`.
    case track
    /// A planned route, `rte`.
    case route
  }

  /// Reads a file of any size, plain or compressed with gzip, in little memory: `visit` is called
  /// for each piece. Returns what the file says about itself, without lines and waypoints.
  ///
  /// - Parameter warnings: Counts the values that are left out because they cannot be read: times,
  ///   numbers, extensions that are not well-formed in their namespaces.
  ///
  /// Throws 66 if it does not exist, 65 with line and column for anything but valid GPX with valid
  /// coordinates and elevations, 74 if reading fails, and what `visit` throws.
  package static func read(
    _ path: String, warnings: inout WarningTally, _ visit: (Piece) throws(CairnError) -> Void
  ) throws(CairnError) -> GPXFile {
    do throws(CairnError) {
      return try withoutActuallyEscaping(visit) { visit throws(CairnError) in
        let reader = try GPXReader(visit)
        defer { warnings.merge(reader.warnings) }
        try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
        return reader.file
      }
    } catch { throw error.located(inFile: path) }
  }

  /// Reads a file, plain or compressed with gzip.
  ///
  /// Throws what ``read(_:warnings:_:)`` does, and 65 for more than ``maximumPoints`` or
  /// ``maximumTextBytes``.
  package init(_ path: String, warnings: inout WarningTally) throws(CairnError) {
    var content = GPXFile()
    var points = 0
    var textBytes = 0
    func count(_ point: Point) throws(CairnError) {
      points += 1
      textBytes += (point.name?.utf8.count ?? 0) + (point.details?.textBytes ?? 0)
      guard points <= Self.maximumPoints else {
        throw CairnError(
          .refusedXML, .dataError, "has more than \(grouped(Self.maximumPoints)) points")
      }
      guard textBytes <= Self.maximumTextBytes else {
        throw CairnError(
          .refusedXML, .dataError,
          "its texts have more than \(grouped(Self.maximumTextBytes)) bytes")
      }
    }
    var segments: [[Point]] = []
    let head = try Self.read(path, warnings: &warnings) { piece throws(CairnError) in
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
    self = head
    waypoints = content.waypoints
    routes = content.routes
    tracks = content.tracks
  }

  /// Reads a file and says nothing of values that cannot be read.
  package init(_ path: String) throws(CairnError) {
    var warnings = WarningTally()
    try self.init(path, warnings: &warnings)
  }
}

extension GPXFile.Point.Details {
  fileprivate var textBytes: Int {
    let texts = [comment, description, source, symbol, type, extensions]
    let linkTexts = links.flatMap { [$0.href, $0.text, $0.type] }
    return (texts + linkTexts).reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}
