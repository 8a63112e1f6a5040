// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A point of a track that is to be matched: unlike a ``Tracks/LocationFix`` it may lack a time, as
/// the points of many files do.
public struct MatchingFix: Hashable, Sendable {
  /// Where the receiver said that it was. A fix whose coordinate is not valid is ignored.
  public var coordinate: Coordinate
  /// When; nil where it is not known.
  public var time: Date?
  /// The radius in metres within which the position lies with about two thirds' probability; nil
  /// where it is not known.
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

  /// Seconds since 1970; NaN where they are not known.
  var seconds: Double {
    guard let seconds = time?.timeIntervalSince1970, abs(seconds) < 1e12 else { return .nan }
    return seconds
  }

  /// The standard deviation in metres along each axis; nil where the fix does not say. Two thirds of
  /// a circular normal distribution lie within √(2 ln 3) of them.
  var deviationMetres: Double? {
    guard let accuracy = horizontalAccuracy, accuracy > 0, accuracy.isFinite else { return nil }
    return accuracy / MatchingParameters.accuracyInDeviations
  }
}
