// SPDX-License-Identifier: Apache-2.0

/// The steepness of a route in its direction of travel, by its elevation profile. Slopes are rise
/// over run in percent, positive uphill; without an elevation, the slope is unknown.
package struct RouteSteepness: Sendable {
  /// Up or down.
  package enum Direction: String, CaseIterable, Sendable {
    /// Descending.
    case downhill
    /// Climbing.
    case uphill
  }

  /// A stretch between neighbouring points of known elevation.
  private struct Stretch {
    var metres: Double
    var slopePercent: Double
  }

  /// The bounds of the gradient classes in percent, ascending. A slope on a bound belongs to the gentler
  /// class.
  package static let boundsPercent = [-40, -25, -10, 10, 25, 40]
  /// The slope in percent beyond which a descent counts as steep: it is slippery, and hurts knees.
  package static let steepDescentPercent = 25.0
  /// The steepest stretch is looked for among all of this length.
  package static let windowMetres = 100.0

  /// The names of the gradient classes, from the steepest descent to the steepest ascent: `-25 to -10`
  /// are percent.
  package static let classNames: [String] = {
    let inner = zip(boundsPercent, boundsPercent.dropFirst()).map { "\($0) to \($1)" }
    guard let first = boundsPercent.first, let last = boundsPercent.last else { return [] }
    return ["below \(first)"] + inner + ["above \(last)"]
  }()

  /// The length of each gradient class in metres, as many as ``classNames``.
  package private(set) var classMetres = [Double](repeating: 0, count: boundsPercent.count + 1)
  /// Metres with unknown slope.
  package private(set) var unknownMetres = 0.0
  /// The slope of the steepest ascent among all stretches of ``windowMetres``, at least 0; nil if
  /// no such stretch is known throughout.
  package private(set) var steepestAscentPercent: Double?
  /// The slope of the steepest descent among them, above 0 downhill; nil as above.
  package private(set) var steepestDescentPercent: Double?
  private var stretches: [Stretch] = []

  /// Measures the profile of a route.
  package init(_ profile: ElevationProfile) {
    stretches.reserveCapacity(profile.points.count)
    var line = KnownLine()
    var last: ElevationProfile.Point?
    for point in profile.points {
      defer { last = point }
      guard let elevation = point.elevationMetres else {
        unknownMetres += point.distanceMetres - (last?.distanceMetres ?? point.distanceMetres)
        take(&line)
        continue
      }
      if let last {
        let metres = point.distanceMetres - last.distanceMetres
        if let before = last.elevationMetres {
          add(metres, rise: elevation - before)
        } else {
          unknownMetres += metres
        }
      }
      line.add(point.distanceMetres, elevation)
    }
    take(&line)
  }

  /// Metres with a known slope.
  package var knownMetres: Double { stretches.reduce(0) { $0 + $1.metres } }

  /// Metres that climb or descend more steeply than this, in percent, as far as slopes are known.
  package func metres(_ direction: Direction, steeperThan percent: Double) -> Double {
    stretches.reduce(0) { sum, stretch in
      let slope = direction == .uphill ? stretch.slopePercent : -stretch.slopePercent
      return slope > percent ? sum + stretch.metres : sum
    }
  }

  private mutating func add(_ metres: Double, rise: Double) {
    // The edge of a barrier has no length.
    guard metres > 0 else { return }
    let slope = rise / metres * 100
    stretches.append(Stretch(metres: metres, slopePercent: slope))
    let passed = Self.boundsPercent.reduce(0) { count, bound in
      (bound < 0 ? slope >= Double(bound) : slope > Double(bound)) ? count + 1 : count
    }
    classMetres[passed] += metres
  }

  /// Looks for the steepest stretch of a line, and empties it.
  private mutating func take(_ line: inout KnownLine) {
    if let rises = line.extremeRises(over: Self.windowMetres) {
      let scale = 100 / Self.windowMetres
      steepestAscentPercent = max(steepestAscentPercent ?? 0, rises.highest * scale)
      steepestDescentPercent = max(steepestDescentPercent ?? 0, 0 - rises.lowest * scale)
    }
    line.removeAll()
  }
}

/// A part of a profile with known elevations throughout.
private struct KnownLine {
  /// The tolerance for rounded sums of lengths.
  private static let toleranceMetres = 0.01
  private var metres: [Double] = []
  private var elevations: [Double] = []

  mutating func add(_ distance: Double, _ elevation: Double) {
    guard metres.last.map({ distance > $0 }) ?? true else {
      // Without length; the last elevation is where the route continues.
      elevations[elevations.count - 1] = elevation
      return
    }
    metres.append(distance)
    elevations.append(elevation)
  }

  mutating func removeAll() {
    metres.removeAll(keepingCapacity: true)
    elevations.removeAll(keepingCapacity: true)
  }

  /// The greatest and the least rise over any stretch of a length; nil if the line is shorter.
  ///
  /// Between points the slope is even, so an extreme stretch begins or ends at a point.
  func extremeRises(over length: Double) -> (highest: Double, lowest: Double)? {
    guard let start = metres.first, let end = metres.last,
      end - start >= length - Self.toleranceMetres
    else { return nil }
    var (highest, lowest) = (-Double.infinity, Double.infinity)
    var (ahead, behind) = (0, 0)
    for index in metres.indices {
      if metres[index] + length <= end + Self.toleranceMetres {
        let rise = elevation(at: metres[index] + length, from: &ahead) - elevations[index]
        (highest, lowest) = (max(highest, rise), min(lowest, rise))
      }
      if metres[index] - length >= start - Self.toleranceMetres {
        let rise = elevations[index] - elevation(at: metres[index] - length, from: &behind)
        (highest, lowest) = (max(highest, rise), min(lowest, rise))
      }
    }
    return (highest, lowest)
  }

  /// The elevation at a distance, which must not decrease from call to call with the same index.
  private func elevation(at distance: Double, from index: inout Int) -> Double {
    while index + 1 < metres.count, metres[index + 1] <= distance { index += 1 }
    guard index + 1 < metres.count, distance > metres[index] else { return elevations[index] }
    let share = (distance - metres[index]) / (metres[index + 1] - metres[index])
    return elevations[index] + share * (elevations[index + 1] - elevations[index])
  }
}
