// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tracks, routes and waypoints of a GPX file, version 1.0 or 1.1.
///
/// Texts are trimmed; single-line texts, such as names, have single spaces between words. Values
/// missing from the file are nil.
public struct GPXFile: Equatable, Sendable {
  /// The metadata of the file.
  public var metadata = Metadata()
  /// Waypoints, `wpt`.
  public var waypoints: [Point] = []
  /// Planned routes, `rte`.
  public var routes: [Line] = []
  /// Recorded tracks, `trk`.
  public var tracks: [Line] = []
  /// The extensions of the file as a whole; see ``Point/Details/extensions``.
  public var extensions: String?
  /// The namespaces of extensions, by the prefixes that the root element declares for them.
  public var namespaces: [String: String] = [:]

  /// Makes an empty file.
  public init() {}

  /// The name of the file, if any.
  public var name: String? {
    get { metadata.name }
    set { metadata.name = newValue }
  }

  /// The time of the file, if any.
  public var time: Date? {
    get { metadata.time }
    set { metadata.time = newValue }
  }
}

extension GPXFile {
  /// A track or a route.
  public struct Line: Equatable, Sendable {
    /// The name.
    public var name: String?
    /// A comment.
    public var comment: String?
    /// A description.
    public var description: String?
    /// The source of the data.
    public var source: String?
    /// Links to more about it.
    public var links: [Link] = []
    /// The number among the lines of a file, at least 0.
    public var number: Int?
    /// The kind of activity.
    public var type: String?
    /// See ``Point/Details/extensions``.
    public var extensions: String?
    /// Its points: the segments of a track, or a single one for a route.
    public var segments: [[Point]] = []

    /// Makes a line.
    public init(name: String? = nil, segments: [[Point]] = []) {
      self.name = name
      self.segments = segments
    }

    /// All points in order.
    public var points: [Point] { segments.flatMap { $0 } }
  }
}

extension GPXFile {
  /// Reads a time in the format `xsd:dateTime`; nil for anything else. See `parsedTimestamp(_:)`.
  package static func time(_ text: some StringProtocol) -> Date? { parsedTimestamp(text) }
}
