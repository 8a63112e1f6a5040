// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import ProfileTrials

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
///
/// A fitted range promises to hold four of five walks. One that holds fewer of the held-out ones
/// than ``leastHeld`` breaks the promise, even if it is better than the old one. One that was
/// widened to hold more than ``mostHeld`` is no improvement either if the old one was nearer to
/// ``meantToHold``.
struct FitJudge {
  /// The improvement in predicting a walk or a leg.
  struct Gain {
    /// Equal for gains that belong together.
    var source: String
    var gain: Double
    /// Its weight within its source.
    var weight = 1.0
    /// If ranges are fitted, the share that lies in the old one and in the new one: 0 or 1 for a
    /// walk.
    var held: Sides<Double>?
  }

  /// The share of walks that a range is meant to hold, and the bounds of what is about that.
  static let (meantToHold, leastHeld, mostHeld) = (0.8, 0.7, 0.9)

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
  /// Whether the fitted range is wider than the old one.
  var isWidened = false

  var verdict: FitReport.Verdict {
    let gains = means { $0.gain }
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
    let isBetter = exceeds && changed >= Self.fewestChanged
    let range = rangeVerdict
    var verdict = FitReport.Verdict(
      isImprovement: isBetter && range?.isKept ?? true,
      reason: reason + (range.map { (isBetter && !$0.isKept ? ", but " : "; ") + $0.text } ?? ""),
      references: gains.count)
    (verdict.meanGain, verdict.standardError, verdict.neededErrors) = (mean, error, t)
    return verdict
  }

  private func refused(_ reason: String) -> FitReport.Verdict {
    FitReport.Verdict(isImprovement: false, reason: reason, references: references)
  }

  /// What the new range holds, and whether that is what it promises; nil if none was fitted.
  private var rangeVerdict: (isKept: Bool, text: String)? {
    guard gains.allSatisfy({ $0.held != nil }), !gains.isEmpty else { return nil }
    func share(_ side: (Sides<Double>) -> Double) -> Double {
      let shares = means { $0.held.map(side) ?? 0 }
      return shares.reduce(0, +) / Double(shares.count)
    }
    let (before, after) = (share(\.base), share(\.candidate))
    let isTooWide =
      isWidened && after > Self.mostHeld
      && abs(before - Self.meantToHold) < abs(after - Self.meantToHold)
    func percent(_ share: Double) -> String { "\(decimal(share * 100, 0)) %" }
    let held =
      "\(percent(after)) of the \(counted(references, words.reference.one)) it was not fitted to"
    let meant = ", where \(percent(Self.meantToHold)) are meant"
    if isTooWide {
      let old = ", and the old one \(percent(before))"
      return (false, "its range is wider than needed: it holds \(held)\(meant)\(old)")
    }
    let isKept = after >= Self.leastHeld
    return (isKept, "its range holds \(isKept ? "" : "only ")\(held)\(meant)")
  }

  /// The weighted mean of each source, in the order of first use.
  private func means(_ value: (Gain) -> Double) -> [Double] {
    var order: [String] = []
    var sums: [String: (mean: Double, weight: Double)] = [:]
    for gain in gains {
      if sums[gain.source] == nil { order.append(gain.source) }
      let sum = sums[gain.source] ?? (0, 0)
      sums[gain.source] = (sum.mean + value(gain) * gain.weight, sum.weight + gain.weight)
    }
    return order.compactMap { sums[$0].map { $0.weight > 0 ? $0.mean / $0.weight : 0 } }
  }

  /// The 97.5th percentile of Student's t: the normal one plus a correction for few degrees of
  /// freedom, accurate to 0.02 from 7 on.
  static func student(_ degrees: Int) -> Double { 1.96 + 2.8 / Double(max(degrees, 1)) }
}
