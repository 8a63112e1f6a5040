// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A point of a track to match. Unlike a ``Tracks/LocationFix`` it may lack a time, like the points
/// of many files.
public struct MatchingFix: Hashable, Sendable {
  /// The position stated by the receiver. A fix with an invalid coordinate is ignored.
  public var coordinate: Coordinate
  /// The time; nil if unknown.
  public var time: Date?
  /// The radius in metres that contains the position with about two thirds' probability; nil if
  /// unknown.
  public var horizontalAccuracy: Double?

  /// Makes a fix.
  public init(coordinate: Coordinate, time: Date? = nil, horizontalAccuracy: Double? = nil) {
    self.coordinate = coordinate
    self.time = time
    self.horizontalAccuracy = horizontalAccuracy
  }

  /// Makes a fix of a recorded one.
  public init(_ fix: LocationFix) {
    self.init(
      coordinate: fix.coordinate, time: fix.timestamp, horizontalAccuracy: fix.horizontalAccuracy)
  }

  /// Makes a fix of a point of a file.
  public init(_ point: GPXFile.Point) {
    self.init(coordinate: point.coordinate, time: point.time)
  }

  /// Seconds since 1970; NaN if unknown.
  var seconds: Double {
    guard let seconds = time?.timeIntervalSince1970, abs(seconds) < 1e12 else { return .nan }
    return seconds
  }

  /// The standard deviation in metres along each axis; nil if the fix does not state it. √(2 ln 3)
  /// of them contain two thirds of a circular normal distribution.
  var deviationMetres: Double? {
    guard let accuracy = horizontalAccuracy, accuracy > 0, accuracy.isFinite else { return nil }
    return accuracy / MatchingParameters.accuracyInDeviations
  }
}
