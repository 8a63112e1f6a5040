// SPDX-License-Identifier: Apache-2.0

/// The perceived strength of a pattern over time, in a dull and a crisp band, at the time
/// resolution of human touch.
///
/// An event of intensity i and sharpness s contributes i · (1 − s) to the dull band and i · s to
/// the crisp one while it is felt. Where events overlap, the stronger one counts in each band. A
/// moving average over ``blurSeconds`` makes a shift of a few hundredths of a second a small
/// difference.
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
  /// The difference in feel from another pattern: 0 if they feel the same, 1 if they have nothing
  /// in common.
  ///
  /// It is the L1 distance between the two ``HapticEnvelope``s over time, in the dull and the crisp
  /// band, after the shift in time that minimizes it, as a share of the sum of both. So rhythm,
  /// intensity and sharpness count, and the start time does not. For two patterns that differ by a
  /// factor k in intensity alone it is (1 − k) / (1 + k).
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
