// SPDX-License-Identifier: Apache-2.0
import CairnGPX

/// The fixes of a finished recording, as the receiver gave them.
public struct RecordedRoute: Hashable, Sendable {
  /// The fixes in order; a new segment begins wherever recording was interrupted.
  public var segments: [[LocationFix]]

  /// What it is the route of; nil where that was not said.
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

  /// The route as a track of a GPX file, as it was recorded.
  ///
  /// - Parameter name: Its name; nil for that of the activity.
  public func track(name: String? = nil) -> GPXFile.Line {
    GPXFile.Line(
      name: name ?? activity?.name, segments: segments.map { $0.map(GPXFile.Point.init) })
  }
}
