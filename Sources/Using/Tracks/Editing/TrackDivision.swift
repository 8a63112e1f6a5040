// SPDX-License-Identifier: Apache-2.0
import CairnGPX

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A rule for dividing a track into several.
public enum TrackDivision: Hashable, Sendable {
  /// At gaps of at least this many seconds between two points.
  case gaps(seconds: Double)
  /// At each multiple of this distance, as measured by `TrackStatistics`, at the first point that
  /// far. That point is in both parts, so that the line has no gap.
  case distance(metres: Double)
  /// After each rest of at least this many seconds; see `RestFinder`.
  case rests(seconds: Double)
  /// At midnight, in a time zone this many seconds east of UTC.
  case days(secondsEastOfUTC: Int)

  /// The parts of a track, each of one or more segments. They contain all points, unchanged and in
  /// order.
  ///
  /// Segment boundaries are kept within parts. If times are needed, a point without one belongs to
  /// the part of the previous point.
  public func parts(of segments: [[GPXFile.Point]]) -> [[[GPXFile.Point]]] {
    var parts: [[[GPXFile.Point]]] = []
    var state = State()
    for segment in segments where !segment.isEmpty {
      let cuts = cuts(segment, &state)
      var start = 0
      for cut in cuts + [segment.count] {
        let piece = Array(segment[start..<cut])
        if cut > start {
          if state.continues, !parts.isEmpty {
            parts[parts.count - 1].append(piece)
          } else {
            parts.append([piece])
          }
        }
        state.continues = cut == segment.count
        start = cut
      }
      if case .distance = self { repeatBounds(&parts, cuts.filter { $0 > 0 }.count) }
    }
    return parts
  }

  /// The state carried over from one segment to the next.
  private struct State {
    var continues = false
    var time: Double?
    var metres = 0.0
  }

  /// Ends each part before the last `count` ones with the first point of the next part.
  private func repeatBounds(_ parts: inout [[[GPXFile.Point]]], _ count: Int) {
    for index in parts.indices.suffix(count + 1).dropLast() {
      guard let first = parts[index + 1].first?.first else { continue }
      parts[index][parts[index].count - 1].append(first)
    }
  }

  /// The indices at which a segment is divided, ascending.
  private func cuts(_ points: [GPXFile.Point], _ state: inout State) -> [Int] {
    switch self {
    case .gaps(let seconds):
      return timed(points, &state) { $1 - $0 >= max(seconds, 0) }
    case .days(let offset):
      func day(_ time: Double) -> Double { ((time + Double(offset)) / 86400).rounded(.down) }
      return timed(points, &state) { day($0) != day($1) }
    case .distance(let metres):
      return distanceCuts(points, max(metres, 1), &state)
    case .rests(let seconds):
      let times = TrackTimes(points)
      return WalkedLine(points, times).rests.filter {
        times.seconds[$0.upperBound] - times.seconds[$0.lowerBound] >= seconds
      }.map { $0.upperBound + 1 }.filter { $0 < points.count }
    }
  }

  private func timed(
    _ points: [GPXFile.Point], _ state: inout State, _ isCut: (Double, Double) -> Bool
  ) -> [Int] {
    var cuts: [Int] = []
    for (index, point) in points.enumerated() {
      guard let time = point.time?.timeIntervalSince1970 else { continue }
      if let last = state.time, isCut(last, time) { cuts.append(index) }
      state.time = time
    }
    return cuts
  }

  private func distanceCuts(
    _ points: [GPXFile.Point], _ length: Double, _ state: inout State
  ) -> [Int] {
    var cuts: [Int] = []
    let walked = WalkedLine(points, TrackTimes(points)).metres
    for index in points.indices.dropFirst() {
      state.metres += walked[index] - walked[index - 1]
      // A part needs two points.
      if state.metres >= length, index < points.count - 1 {
        cuts.append(index)
        state.metres = 0
      }
    }
    return cuts
  }
}
