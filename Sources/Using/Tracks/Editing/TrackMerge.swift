// SPDX-License-Identifier: Apache-2.0
import CairnGPX

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Several recordings as one track.
public struct TrackMerge: Equatable, Sendable {
  /// Two segments whose times overlap, as from two recorders on one hike.
  public struct Overlap: Hashable, Sendable {
    /// Their indices in ``TrackMerge/segments``, ascending.
    public var segments: ClosedRange<Int>
    /// The duration of the overlap in seconds.
    public var seconds: Double
  }

  /// The segments in order.
  public private(set) var segments: [[GPXFile.Point]]
  /// Segments that begin before an earlier one has ended, each with the one of those that ends
  /// last.
  public private(set) var overlaps: [Overlap] = []
  /// Whether they are in the order of their times.
  public private(set) var isSorted = false

  /// Joins segments, keeping all points of each.
  ///
  /// - Parameters:
  ///   - segments: The segments in any order.
  ///   - sorting: Whether to sort them by their first times. If one of them has no time, they stay
  ///     in the given order.
  public init(_ segments: [[GPXFile.Point]], sorting: Bool = true) {
    let filled = segments.filter { !$0.isEmpty }
    let spans = filled.map(Self.span)
    let known = spans.compactMap { $0 }
    let canSort = known.count == filled.count
    let order =
      sorting && canSort
      ? filled.indices.sorted { (known[$0].lowerBound, $0) < (known[$1].lowerBound, $1) }
      : Array(filled.indices)
    self.segments = order.map { filled[$0] }
    isSorted = sorting && canSort
    findOverlaps(order.map { spans[$0] })
  }

  private mutating func findOverlaps(_ spans: [ClosedRange<Double>?]) {
    // In the order of time, whatever the order of the segments.
    let byTime = spans.indices.filter { spans[$0] != nil }
      .sorted { (spans[$0]?.lowerBound ?? 0, $0) < (spans[$1]?.lowerBound ?? 0, $1) }
    var latest: (index: Int, end: Double)?
    for index in byTime {
      guard let span = spans[index] else { continue }
      if let latest, span.lowerBound < latest.end {
        overlaps.append(
          Overlap(
            segments: min(latest.index, index)...max(latest.index, index),
            seconds: min(latest.end, span.upperBound) - span.lowerBound))
      }
      if span.upperBound > latest?.end ?? -.infinity { latest = (index, span.upperBound) }
    }
  }

  private static func span(_ points: [GPXFile.Point]) -> ClosedRange<Double>? {
    let times = points.compactMap { $0.time?.timeIntervalSince1970 }.filter(\.isFinite)
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }
}
