// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a track cannot be matched.
public enum MapMatchingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The track has no fix with a valid coordinate.
  case noFixes
  /// No path or road comes within this many metres of any fix.
  case noWayNearby(radiusMetres: Double)

  /// The error as one line.
  public var description: String {
    switch self {
    case .noFixes: "the track has no points"
    case .noWayNearby(let radius):
      "no path or road lies within \(metres(radius)) of any point of the track"
    }
  }
}

extension MapMatchingError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
