// SPDX-License-Identifier: Apache-2.0

/// What is felt of a pattern over time, in two bands, dull and crisp, as far as people tell times
/// apart.
///
/// An event of intensity i and sharpness s gives i · (1 − s) to the dull band and i · s to the crisp
/// one, for as long as it is felt. Where events overlap, the stronger one of each band is felt. A
/// window of ``blurSeconds`` then averages, so that a shift of a few hundredths of a second is a small
/// difference and not a complete one.
struct HapticEnvelope {
  /// Seconds between samples.
  static let stepSeconds = 0.01
  /// The width of the window that averages, in seconds.
  static let blurSeconds = 0.07

  /// Samples of both bands, of equal length.
  let dull: [Double]
  let crisp: [Double]

  init(_ pattern: HapticPattern) {
    let half = Int((Self.blurSeconds / Self.stepSeconds / 2).rounded(.down))
    let count = Int((pattern.duration / Self.stepSeconds).rounded(.up)) + 2 * half
    var dull = [Double](repeating: 0, count: count)
    var crisp = dull
    for event in pattern.events {
      let first = Int((event.time / Self.stepSeconds).rounded()) + half
      let last = Int((event.end / Self.stepSeconds).rounded()) + half
      let strength = event.intensity * pattern.intensity
      for index in first..<max(first, min(last, count)) {
        dull[index] = max(dull[index], strength * (1 - event.sharpness))
        crisp[index] = max(crisp[index], strength * event.sharpness)
      }
    }
    self.dull = Self.averaged(dull, half)
    self.crisp = Self.averaged(crisp, half)
  }

  /// All of both bands.
  var total: Double { dull.reduce(0, +) + crisp.reduce(0, +) }

  private static func averaged(_ values: [Double], _ half: Int) -> [Double] {
    values.indices.map { index in
      let window = max(0, index - half)...min(values.count - 1, index + half)
      return values[window].reduce(0, +) / Double(2 * half + 1)
    }
  }
}

extension HapticPattern {
  /// How different this pattern feels from another: 0 for the same, 1 for nothing in common.
  ///
  /// It is the L1 distance of what is felt of both over time (``HapticEnvelope``), in a dull and a
  /// crisp band, after the shift in time that makes it least, as a share of all that is felt of
  /// both. So rhythm, intensity and sharpness count, and when it begins does not. Of two patterns
  /// that differ by a factor k in intensity alone it is (1 − k) / (1 + k).
  public func distance(to other: HapticPattern) -> Double {
    let (one, two) = (HapticEnvelope(self), HapticEnvelope(other))
    let total = one.total + two.total
    guard total > 0 else { return 0 }
    var least = total
    for shift in -one.dull.count...two.dull.count {
      least = min(
        least,
        Self.difference(one.dull, two.dull, shift) + Self.difference(one.crisp, two.crisp, shift))
    }
    return least / total
  }

  /// The sum of |one(t) − two(t + shift)| over all t.
  private static func difference(_ one: [Double], _ two: [Double], _ shift: Int) -> Double {
    var sum = 0.0
    for index in min(0, -shift)..<max(one.count, two.count - shift) {
      let left = one.indices.contains(index) ? one[index] : 0
      let right = two.indices.contains(index + shift) ? two[index + shift] : 0
      sum += abs(left - right)
    }
    return sum
  }
}
