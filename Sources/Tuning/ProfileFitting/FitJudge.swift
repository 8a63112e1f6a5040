// SPDX-License-Identifier: Apache-2.0

/// Judges whether held-out references are predicted better than before.
///
/// Each independent reference, a walk or all walks or legs of one source, gives a gain. The fit is
/// an improvement if the mean gain exceeds its standard error by Student's t for 97.5 %, so that
/// noise passes at most one time in forty; since the held-out gain of a fit to noise is below 0 on
/// average, it passes even more rarely.
///
/// Most routes do not change, and a few non-zero gains are not normally distributed. If the fit
/// made nothing better or worse, each would be above 0 as often as below. So fewer than
/// ``fewestChanged`` prove nothing, however large: five are all above 0 in one of 32 cases.
struct FitJudge {
  /// The improvement in predicting a walk or a leg.
  struct Gain {
    /// Equal for gains that belong together.
    var source: String
    var gain: Double
    /// Its weight within its source.
    var weight = 1.0
  }

  /// The fewest references whose prediction must change.
  static let fewestChanged = 6

  /// The wording of verdicts.
  struct Words {
    var nothingDepends: String
    /// One reference and several.
    var reference: (one: String, several: String)
    var better: String
    var maybeChance: String
    var noBetter: String
    /// The phrase for too few changed references.
    var changed: String

    static let times = Words(
      nothingDepends: "no walk depends on any of the keys",
      reference: ("independent reference", "independent references"),
      better: "it predicts walks that it was not fitted to better",
      maybeChance: "the gain on walks that it was not fitted to may be chance",
      noBetter: "it does not predict walks that it was not fitted to better",
      changed: "foretold otherwise")
    static let routes = Words(
      nothingDepends: "no track depends on any of the keys",
      reference: ("track", "tracks"),
      better: "routes follow tracks that it was not fitted to more closely",
      maybeChance: "the gain on tracks that it was not fitted to may be chance",
      noBetter: "routes follow tracks that it was not fitted to no more closely",
      changed: "followed more or less closely")
  }

  /// The gains on held-out references.
  let gains: [Gain]
  /// The number of fitted keys.
  let keys: Int
  /// The number of independent references, even if they could not be divided.
  let references: Int
  let words: Words

  var verdict: FitReport.Verdict {
    let gains = meanGains
    guard keys > 0 else { return refused(words.nothingDepends) }
    let needed = max(ProfileFit.fewestReferences, keys * ProfileFit.fewestPerKey)
    guard references >= needed, gains.count == references else {
      return refused(
        "too few to tell: there \(references == 1 ? "is" : "are") \(references) "
          + "\(references == 1 ? words.reference.one : words.reference.several), and \(keys) "
          + "\(keys == 1 ? "key needs" : "keys need") \(needed)")
    }
    let number = Double(gains.count)
    let mean = gains.reduce(0, +) / number
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (number - 1)
    let error = (variance / number).squareRoot()
    let t = Self.student(gains.count - 1)
    let changed = gains.count { abs($0) > 1e-9 }
    let exceeds = mean > t * error && mean > 1e-9
    let reason =
      if !exceeds {
        mean > 1e-9 ? words.maybeChance : words.noBetter
      } else if changed < Self.fewestChanged {
        "only \(changed) \(changed == 1 ? "\(words.reference.one) is" : "\(words.reference.several) are") "
          + "\(words.changed), and fewer than \(Self.fewestChanged) may be chance"
      } else {
        words.better
      }
    var verdict = FitReport.Verdict(
      isImprovement: exceeds && changed >= Self.fewestChanged, reason: reason,
      references: gains.count)
    (verdict.meanGain, verdict.standardError, verdict.neededErrors) = (mean, error, t)
    return verdict
  }

  private func refused(_ reason: String) -> FitReport.Verdict {
    FitReport.Verdict(isImprovement: false, reason: reason, references: references)
  }

  /// The weighted mean gain of each source, in the order of first use.
  private var meanGains: [Double] {
    var order: [String] = []
    var sums: [String: (gain: Double, weight: Double)] = [:]
    for gain in gains {
      if sums[gain.source] == nil { order.append(gain.source) }
      let sum = sums[gain.source] ?? (0, 0)
      sums[gain.source] = (sum.gain + gain.gain * gain.weight, sum.weight + gain.weight)
    }
    return order.compactMap { sums[$0].map { $0.weight > 0 ? $0.gain / $0.weight : 0 } }
  }

  /// The 97.5th percentile of Student's t: the normal one plus a correction for few degrees of
  /// freedom, accurate to 0.02 from 7 on.
  static func student(_ degrees: Int) -> Double { 1.96 + 2.8 / Double(max(degrees, 1)) }
}
