// SPDX-License-Identifier: Apache-2.0

/// Judges whether walks that a profile was not fitted to are foretold better than before.
///
/// Each independent reference, a walk or all walks of one source, gives a gain: its score before less
/// its score after. The fit is an improvement if the mean gain exceeds its standard error by Student's
/// t for 97.5 %, so that noise passes one time in forty at most; fitted to noise, the gain on unseen
/// walks is below 0 on average, and it passes more rarely still.
struct FitJudge {
  /// The source of each forecast; the same for those that belong together.
  let sources: [String]
  /// The forecasts before and after.
  let forecasts: Sides<[Forecast]>
  /// How many keys were fitted.
  let keys: Int
  /// How many independent references there are, also where they could not be divided.
  let references: Int

  var verdict: FitReport.Verdict {
    let gains = gains
    guard keys > 0 else { return refused("no walk depends on any of the keys") }
    let needed = max(ProfileFit.fewestReferences, keys * ProfileFit.fewestPerKey)
    guard references >= needed, gains.count == references else {
      return refused(
        "too few to tell: there \(references == 1 ? "is" : "are") \(references) independent "
          + "\(references == 1 ? "reference" : "references"), and \(keys) "
          + "\(keys == 1 ? "key needs" : "keys need") \(needed)")
    }
    let number = Double(gains.count)
    let mean = gains.reduce(0, +) / number
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (number - 1)
    let error = (variance / number).squareRoot()
    let t = Self.student(gains.count - 1)
    let isBetter = mean > t * error && mean > 1e-9
    var verdict = FitReport.Verdict(
      isImprovement: isBetter,
      reason: isBetter
        ? "walks that it was not fitted to are foretold better"
        : mean > 1e-9
          ? "the gain on walks that it was not fitted to may be chance"
          : "walks that it was not fitted to are foretold no better",
      references: gains.count)
    (verdict.meanGain, verdict.standardError, verdict.neededErrors) = (mean, error, t)
    return verdict
  }

  private func refused(_ reason: String) -> FitReport.Verdict {
    FitReport.Verdict(isImprovement: false, reason: reason, references: references)
  }

  /// The gain of each reference, in the order of the walks.
  private var gains: [Double] {
    var order: [String] = []
    var sums: [String: (gain: Double, count: Double)] = [:]
    for (index, source) in sources.enumerated() {
      let gain = forecasts.base[index].score - forecasts.candidate[index].score
      if sums[source] == nil { order.append(source) }
      let sum = sums[source] ?? (0, 0)
      sums[source] = (sum.gain + gain, sum.count + 1)
    }
    return order.compactMap { sums[$0].map { $0.gain / $0.count } }
  }

  /// The 97.5th percentile of Student's t: the normal one, and what few degrees of freedom add, to 0.02
  /// from 7 on.
  static func student(_ degrees: Int) -> Double { 1.96 + 2.8 / Double(max(degrees, 1)) }
}
