// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CostModel
import ProfileTrials

/// Fits keys that affect only routes to the tracks of real walks.
///
/// It maximizes the agreement: the share of the legs' length that the routes between their ends
/// follow. This jumps wherever another route becomes the best, so a search by slopes or a shrinking
/// simplex would stop at once. Instead it uses a pattern search (R. Hooke, T. A. Jeeves, “‘Direct
/// Search’ Solution of Numerical and Statistical Problems”, Journal of the ACM 8, 1961): each key
/// moves four steps up or down as long as that helps, then two, one and half a step. A faint pull
/// prefers, among equally good values, those nearest to the old ones.
///
/// As for times, held-out tracks decide whether the result is more than noise.
struct AgreementFit {
  /// The first stride of the search, on the lattice of ``AgreementTrials``; it is halved three
  /// times.
  private static let firstStride = 4 * AgreementTrials.perStep
  /// The most rounds over all keys with one stride.
  private static let mostRounds = 8
  /// The pull towards the start: a key that moves by a step costs this share of the length.
  private static let pull = 1e-5

  private let legs: ReferenceLegs
  private let profile: CostProfile
  private let keys: [ProfileNumber]
  private let seed: UInt64
  private let threads: Int
  private let progress: (_ trials: Int) -> Void

  /// - Parameters:
  ///   - profile: The start of the search, and the baseline for the result.
  ///   - keys: The keys to fit; values that are `impassable` stay.
  ///   - progress: Called with the number of further profiles tried.
  init(
    _ legs: ReferenceLegs, _ profile: CostProfile, _ keys: [ProfileNumber], seed: UInt64 = 1,
    threads: Int, progress: @escaping (_ trials: Int) -> Void = { _ in }
  ) {
    (self.legs, self.profile, self.keys) = (legs, profile, keys)
    (self.seed, self.threads, self.progress) = (seed, threads, progress)
  }

  /// The result.
  struct Outcome: Equatable {
    /// The fitted profile, under its old name.
    var profile: CostProfile
    /// The keys that affect any track.
    var keys: [ProfileNumber]
    var routes: FitReport.Routes
  }

  func run() throws(CairnError) -> Outcome {
    let numbers = keys.filter { $0.value(in: profile).isFinite }
    var trials = AgreementTrials(legs, profile, numbers, threads: threads, progress: progress)
    let all = Array(legs.legs.indices)
    let before = try trials.followed(at: [trials.origin])[0]
    let effective = try keysThatMatter(&trials, before)
    let point = try fit(effective, to: all, &trials)
    let fitted = try trials.followed(at: [point])[0]
    let folds = FitFolds.divide(datasets: legs.datasets, sources: legs.files, seed: seed)
    var after = [Double](repeating: 0, count: all.count)
    for fold in folds {
      let out = Set(fold.members)
      let other = try trials.followed(
        at: [try fit(effective, to: all.filter { !out.contains($0) }, &trials)])[0]
      for leg in fold.members { after[leg] = other[leg] }
    }
    let tracks = Set(legs.files).count
    let gains = folds.isEmpty ? [] : all.map { gain(of: $0, from: before[$0], to: after[$0]) }
    let routes = FitReport.Routes(
      tracks: tracks, metres: legs.metres(all),
      folds: folds.map {
        .init(name: $0.name, walks: Set($0.members.map { legs.files[$0] }).count)
      },
      seen: agreement(before, fitted),
      unseen: folds.isEmpty ? nil : agreement(before, after),
      verdict: FitJudge(
        gains: gains, keys: effective.count, references: tracks, words: .routes
      ).verdict, omissions: legs.omissions)
    return Outcome(
      profile: trials.profile(at: point), keys: effective.map { numbers[$0] }, routes: routes)
  }

  private func gain(of leg: Int, from before: Double, to after: Double) -> FitJudge.Gain {
    let metres = legs.legs[leg].walked.metres
    return FitJudge.Gain(
      source: legs.files[leg], gain: (after - before) / metres, weight: metres)
  }

  /// The followed share of all legs, by length, before and after.
  private func agreement(_ before: [Double], _ after: [Double]) -> Sides<Double>? {
    let metres = legs.metres(Array(legs.legs.indices))
    guard metres > 0 else { return nil }
    return Sides(base: before, candidate: after).map { min(1, $0.reduce(0, +) / metres) }
  }

  /// The keys, by index, that change the followed part of any leg when moved by the first stride or
  /// twice as far.
  private func keysThatMatter(_ trials: inout AgreementTrials, _ usual: [Double])
    throws(CairnError) -> [Int]
  {
    var effective: [Int] = []
    for key in trials.origin.indices {
      for stride in [Self.firstStride, 2 * Self.firstStride] {
        let followed = try trials.followed(at: trials.neighbours(of: trials.origin, key, stride))
        guard followed.contains(where: { $0 != usual }) else { continue }
        effective.append(key)
        break
      }
    }
    return effective
  }

  /// Searches the best point for some of the legs by moving some of the keys.
  private func fit(_ keys: [Int], to indices: [Int], _ trials: inout AgreementTrials)
    throws(CairnError) -> [Int]
  {
    let metres = max(legs.metres(indices), 1)
    func score(_ point: [Int], _ followed: [Double]) -> Double {
      let pull = point.reduce(0.0) { sum, coordinate in
        let steps = Double(coordinate) / Double(AgreementTrials.perStep)
        return sum + steps * steps
      }
      return indices.reduce(0) { $0 + followed[$1] } / metres - Self.pull * pull
    }
    var best = trials.origin
    var bestScore = score(best, try trials.followed(at: [best])[0])
    var stride = Self.firstStride
    while stride > 0 {
      var rounds = 0
      var isMoving = true
      while isMoving, rounds < Self.mostRounds {
        (isMoving, rounds) = (false, rounds + 1)
        for key in keys {
          let points = trials.neighbours(of: best, key, stride)
          for (point, followed) in zip(points, try trials.followed(at: points)) {
            let other = score(point, followed)
            guard other > bestScore + 1e-12 else { continue }
            (best, bestScore, isMoving) = (point, other, true)
          }
        }
      }
      stride /= 2
    }
    return best
  }
}
