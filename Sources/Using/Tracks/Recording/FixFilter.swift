// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decides which fixes belong to a recording.
struct FixFilter {
  /// After this many fixes that are each older than the last accepted one but newer than each
  /// other, the clock was set back, or the last accepted one had a wrong time: the next one is
  /// accepted.
  static let fixesUntilClockCounts = 5

  let accuracies: ClosedRange<Double>
  /// The time of the last fix that was accepted.
  private var last: Date?
  private var lastRejected: Date?
  private var rejectedInARow = 0

  init(accuracies: ClosedRange<Double>) { self.accuracies = accuracies }

  /// Begins after a fix that was recorded earlier.
  mutating func resume(after fix: LocationFix?) {
    last = fix?.timestamp
    (lastRejected, rejectedInARow) = (nil, 0)
  }

  /// Why a cleaned fix does not belong to the recording; nil if it does.
  mutating func rejection(of fix: LocationFix) -> RouteRecorder.Rejection? {
    if let reason = rejectionByQuality(of: fix) { return reason }
    if let last, fix.timestamp <= last, !isClockSetBack(fix.timestamp) {
      return fix.timestamp == last ? .doubled : .outOfOrder
    }
    last = fix.timestamp
    (lastRejected, rejectedInARow) = (nil, 0)
    return nil
  }

  /// Why a cleaned fix does not belong to any recording; nil if it does.
  func rejectionByQuality(of fix: LocationFix) -> RouteRecorder.Rejection? {
    guard fix.isValid else { return .invalid }
    guard let accuracy = fix.horizontalAccuracy, accuracies.contains(accuracy) else {
      return .inaccurate
    }
    return nil
  }

  private mutating func isClockSetBack(_ time: Date) -> Bool {
    let isInOrder = lastRejected.map { time > $0 } ?? true
    rejectedInARow = isInOrder ? rejectedInARow + 1 : 1
    lastRejected = time
    return rejectedInARow > Self.fixesUntilClockCounts
  }
}
