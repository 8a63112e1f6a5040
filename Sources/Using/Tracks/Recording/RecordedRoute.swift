// SPDX-License-Identifier: Apache-2.0
import CairnGPX

/// The fixes of a finished recording, as the receiver gave them.
public struct RecordedRoute: Hashable, Sendable {
  /// The fixes in order; a new segment begins after each interruption of the recording.
  public var segments: [[LocationFix]]

  /// The activity; nil if none was given.
  public var activity: RecordedActivity?

  /// Makes a route of its segments.
  public init(segments: [[LocationFix]], activity: RecordedActivity? = nil) {
    self.segments = segments
    self.activity = activity
  }

  /// Reads the route from a journal, which is not changed. See ``RouteJournal/read(_:_:)``.
  public init(journal path: String) throws(RouteJournal.Failure) {
    var segments: [[LocationFix]] = []
    try RouteJournal.read(path) { fix, beginsSegment in
      if beginsSegment || segments.isEmpty { segments.append([]) }
      segments[segments.count - 1].append(fix)
    }
    self.segments = segments
  }

  /// All fixes in order.
  public var fixes: [LocationFix] { segments.flatMap { $0 } }

  /// The recorded route as a track of a GPX file.
  ///
  /// - Parameter name: Its name; nil for the activity's.
  public func track(name: String? = nil) -> GPXFile.Line {
    GPXFile.Line(
      name: name ?? activity?.name, segments: segments.map { $0.map(GPXFile.Point.init) })
  }
}
