// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CostModel

/// The length of each leg followed by the routes of a profile with some keys' values, each tried
/// once.
///
/// Values lie on a lattice: a coordinate of 2 is one step of ``FitScale`` from the profile's value.
/// Folds start at the same point and so share most of their trials.
struct AgreementTrials {
  /// The coordinate units per step.
  static let perStep = 2

  private let legs: ReferenceLegs
  private let profile: CostProfile
  private let keys: [ProfileNumber]
  private let scales: [FitScale]
  private let threads: Int
  private let progress: (_ trials: Int) -> Void
  private var known: [[Int]: [Double]] = [:]

  init(
    _ legs: ReferenceLegs, _ profile: CostProfile, _ keys: [ProfileNumber], threads: Int,
    progress: @escaping (_ trials: Int) -> Void
  ) {
    (self.legs, self.profile, self.keys, self.threads) = (legs, profile, keys, threads)
    self.progress = progress
    scales = keys.map { FitScale($0, $0.value(in: profile)) }
  }

  /// The point of the profile's own values.
  var origin: [Int] { keys.map { _ in 0 } }

  /// The points one stride away along a key, up and down.
  func neighbours(of point: [Int], _ key: Int, _ stride: Int) -> [[Int]] {
    [stride, -stride].map { move in
      var other = point
      other[key] += move
      return other
    }
  }

  /// The profile at a point of the lattice; at the origin, the unchanged one.
  func profile(at point: [Int]) -> CostProfile {
    var changed = profile
    for (index, coordinate) in point.enumerated() where coordinate != 0 {
      let scale = scales[index]
      let value = scale.value(
        at: scale.start + scale.step * Double(coordinate) / Double(Self.perStep))
      keys[index].set(ProfileFit.rounded(value), in: &changed)
    }
    return changed
  }

  /// For each point, the followed metres of each leg.
  mutating func followed(at points: [[Int]]) throws(CairnError) -> [[Double]] {
    var missing: [[Int]] = []
    for point in points where known[point] == nil && !missing.contains(point) {
      missing.append(point)
    }
    if !missing.isEmpty {
      let found = try legs.followed(missing.map(profile(at:)), threads: threads)
      for (point, metres) in zip(missing, found) { known[point] = metres }
      progress(missing.count)
    }
    return points.map { known[$0] ?? [] }
  }
}
