// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTravelModels
import CostModel
import ProfileTrials

/// Fits numbers of a profile to walks with known times.
///
/// ```swift
/// let fit = ProfileFit(walks, profile, [try ProfileNumber("time-factor", option: "--parameters")])
/// let (fitted, report) = fit.run()
/// ```
///
/// It minimizes Huber's loss of the logarithm of time over estimate with ``NelderMead``, with a
/// faint pull towards the profile's values, so that keys with the same effect share a change. The
/// spread follows from the residuals: the root of the mean squared logarithm, per degree of
/// freedom.
///
/// Held-out walks decide whether the result is more than noise: every dataset is predicted from the
/// others or, if all walks are in one, every fifth of the walks. A fitted spread must hold about
/// four of five of them. The same seed gives the same result.
package struct ProfileFit {
  /// The fewest independent references for a verdict.
  package static let fewestReferences = 8
  /// The fewest references for each fitted key.
  package static let fewestPerKey = 3
  /// Logarithms beyond this count in proportion: a factor of 1.65.
  static let bend = 0.5
  /// The pull towards the start: moving a key by its step costs as much as this squared error.
  static let pull = 1e-5

  private let walks: TimedWalks
  private let profile: CostProfile
  private let keys: [ProfileNumber]
  private let seed: UInt64

  /// - Parameters:
  ///   - profile: The start of the search, and the baseline for the result.
  ///   - keys: The keys to fit; values that are `impassable` stay.
  package init(
    _ walks: TimedWalks, _ profile: CostProfile, _ keys: [ProfileNumber], seed: UInt64 = 1
  ) {
    (self.walks, self.profile, self.keys, self.seed) = (walks, profile, keys, seed)
  }

  /// The fitted profile, under its old name, and the report.
  package func run() -> (profile: CostProfile, report: FitReport) {
    let effective = keys.filter(matters)
    let all = Array(walks.walks.indices)
    let folds = FitFolds.divide(
      datasets: walks.walks.map(\.dataset), sources: walks.walks.map(\.source), seed: seed)
    let fitted = fit(effective, to: all)
    var (before, after) = ([Forecast?](), [Forecast?]())
    before = forecasts(by: profile).map { $0 }
    after = all.map { _ in nil }
    for fold in folds {
      let out = Set(fold.members)
      let other = forecasts(by: fit(effective, to: all.filter { !out.contains($0) }))
      for walk in fold.members { after[walk] = other[walk] }
    }
    let tried = all.filter { after[$0] != nil }
    let references = all.map { reference(ofWalk: $0) }
    let fitsSpread = effective.contains { $0.key == "time-spread" }
    let unseen = Sides(
      base: tried.compactMap { before[$0] }, candidate: tried.compactMap { after[$0] })
    let report = FitReport(
      profile: profile.name,
      keys: keys.map { key in
        let isFitted = effective.contains(key)
        return FitReport.Key(
          key: key.key, before: key.value(in: profile), after: key.value(in: fitted),
          fittedTo: isFitted ? .times : nil, isKept: isFitted)
      }, walks: all.count, folds: folds.map { .init(name: $0.name, walks: $0.members.count) },
      seen: errors(Sides(base: forecasts(by: profile), candidate: forecasts(by: fitted))),
      unseen: errors(unseen),
      verdict: FitJudge(
        gains: tried.enumerated().map { index, walk in
          FitJudge.Gain(
            source: references[walk],
            gain: unseen.base[index].score - unseen.candidate[index].score,
            held: fitsSpread
              ? Sides(base: unseen.base[index], candidate: unseen.candidate[index])
                .map { $0.isInRange ? 1 : 0 } : nil)
        }, keys: effective.count, references: Set(references).count, words: .times,
        isWidened: fitted.timeSpread > profile.timeSpread
      ).verdict, omissions: walks.omissions)
    return (fitted, report)
  }

  /// What a walk is a part of: its source, or only itself.
  private func reference(ofWalk index: Int) -> String {
    walks.walks[index].source.map { "source \($0)" } ?? "walk \(index)"
  }

  private func errors(_ forecasts: Sides<[Forecast]>) -> Sides<FitErrors>? {
    guard let base = FitErrors(forecasts.base), let candidate = FitErrors(forecasts.candidate)
    else { return nil }
    return Sides(base: base, candidate: candidate)
  }

  private func forecasts(by profile: CostProfile) -> [Forecast] {
    zip(walks.seconds(profile), walks.walks).map {
      Forecast(estimate: $0, actual: $1.seconds, spread: profile.timeSpread)
    }
  }

  /// Whether the time of any walk depends on a key, and its value is a number.
  private func matters(_ key: ProfileNumber) -> Bool {
    let value = key.value(in: profile)
    guard value.isFinite else { return false }
    if key.key == "time-spread" { return !walks.walks.isEmpty }
    let usual = walks.seconds(profile)
    return [value * 1.5 + 0.5, value * 0.5].contains { other in
      var changed = profile
      key.set(other, in: &changed)
      return zip(walks.seconds(changed), usual).contains { abs($0 - $1) > 1e-9 * $1 }
    }
  }

  /// Fits keys to some of the walks.
  private func fit(_ keys: [ProfileNumber], to indices: [Int]) -> CostProfile {
    let times = keys.filter { $0.key != "time-spread" }
    var fitted = profile
    guard !indices.isEmpty else { return fitted }
    if !times.isEmpty { search(times, indices, &fitted) }
    if keys.contains(where: { $0.key == "time-spread" }) {
      let seconds = walks.seconds(fitted)
      let squares = indices.reduce(0.0) { sum, index in
        let error = Forecast(
          estimate: seconds[index], actual: walks.walks[index].seconds, spread: 1
        ).error
        return sum + error * error
      }
      let freedom = max(1, indices.count - times.count)
      let spread = (squares / Double(freedom)).squareRoot()
      fitted.timeSpread = min(
        max(Self.rounded(spread), Forecast.leastSpread), TimeSpread.range.upperBound)
    }
    return fitted
  }

  private func search(_ keys: [ProfileNumber], _ indices: [Int], _ fitted: inout CostProfile) {
    let scales = keys.map { FitScale($0, $0.value(in: profile)) }
    let changesSlowdown = keys.contains { $0.key.hasPrefix("slowdown.") }
    let usual = walks.slowdowns(profile)
    func at(_ point: [Double]) -> CostProfile {
      var profile = profile
      for (index, key) in keys.enumerated() {
        key.set(scales[index].value(at: point[index]), in: &profile)
      }
      return profile
    }
    let found = NelderMead().minimum(
      from: scales.map(\.start), steps: scales.map(\.step), seed: seed
    ) { point in
      let profile = at(point)
      let seconds = walks.seconds(
        profile, changesSlowdown ? walks.slowdowns(profile) : usual)
      let loss = indices.reduce(0.0) { sum, index in
        let forecast = Forecast(
          estimate: seconds[index], actual: walks.walks[index].seconds, spread: 1)
        return sum + Forecast.loss(forecast.error, bend: Self.bend)
      }
      let pull = scales.indices.reduce(0.0) { sum, index in
        let moved = (point[index] - scales[index].start) / scales[index].step
        return sum + moved * moved
      }
      return loss / Double(indices.count) + Self.pull * pull
    }
    for (key, value) in zip(keys, zip(scales, found.point).map({ $0.value(at: $1) })) {
      key.set(Self.rounded(value), in: &fitted)
    }
  }

  /// Rounds to four digits; more would not be significant.
  static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    var scale = 1.0
    while abs(value) * scale < 1000, scale < 1e9 { scale *= 10 }
    return (value * scale).rounded() / scale
  }
}
