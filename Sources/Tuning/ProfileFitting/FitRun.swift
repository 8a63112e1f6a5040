// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CostModel
import TuningSuites

/// Fits numbers of a profile to a suite: those that affect times to timed walks, the others to the
/// routes of reference tracks.
///
/// Times come first, since costs may depend on them; routes are those of the profile with its new
/// times. A group that is no improvement gets its old values back.
package struct FitRun {
  private let walks: TimedWalks
  private let suite: TuningSuite?
  private let profile: CostProfile
  private let keys: [ProfileNumber]
  private let seed: UInt64

  /// Whether to keep values even if they are no improvement.
  package var isForced = false
  /// The number of threads that find routes; it does not affect the result.
  package var threads = 1

  /// - Parameters:
  ///   - walks: The walks to which times are fitted.
  ///   - suite: The suite with the reference tracks to which routes are fitted.
  ///   - profile: The start of the search, and the baseline for the result.
  ///   - keys: The keys to fit; values that are `impassable` stay.
  package init(
    _ walks: TimedWalks, _ suite: TuningSuite?, _ profile: CostProfile, _ keys: [ProfileNumber],
    seed: UInt64 = 1
  ) {
    (self.walks, self.suite, self.profile) = (walks, suite, profile)
    (self.keys, self.seed) = (keys, seed)
  }

  /// The profile with all kept values, under its old name, and the report.
  ///
  /// Throws 66 and 65 for databases and tracks that cannot be read, and 65 if there is neither a
  /// timed walk nor a track that follows ways.
  ///
  /// - Parameter progress: Called with the number of further profiles tried on the tracks.
  package func run(progress: @escaping (_ trials: Int) -> Void = { _ in }) throws(CairnError) -> (
    profile: CostProfile, report: FitReport
  ) {
    var (fitted, report) = ProfileFit(walks, profile, keys, seed: seed).run()
    keep(.times, in: &report)
    if !report.keys.contains(where: \.isKept) { fitted = profile }
    let others = keys.filter { key in report.keys.contains { $0.key == key.key && !$0.matters } }
    guard let suite, !suite.referenceTracks.isEmpty, !others.isEmpty else {
      if walks.walks.isEmpty { throw nothing(report.omissions) }
      return (fitted, report)
    }
    let legs = try ReferenceLegs(suite, threads: threads)
    if walks.walks.isEmpty, legs.legs.isEmpty { throw nothing(legs.omissions) }
    let outcome = try AgreementFit(
      legs, fitted, others, seed: seed, threads: threads, progress: progress
    ).run()
    report.routes = outcome.routes
    for index in report.keys.indices {
      guard let key = outcome.keys.first(where: { $0.key == report.keys[index].key }) else {
        continue
      }
      report.keys[index].fittedTo = .routes
      report.keys[index].after = key.value(in: outcome.profile)
    }
    keep(.routes, in: &report)
    let isKept = report.keys.contains { $0.fittedTo == .routes && $0.isKept }
    return (isKept ? outcome.profile : fitted, report)
  }

  /// Marks the values of a group that are kept.
  private func keep(_ group: FitReport.Group, in report: inout FitReport) {
    let isKept = isForced || report.verdict(on: group)?.isImprovement ?? false
    for index in report.keys.indices where report.keys[index].fittedTo == group {
      report.keys[index].isKept = isKept
    }
  }

  private func nothing(_ omissions: [TimedWalks.Omission]) -> CairnError {
    let reason = omissions.first.map { ": \(printable($0.name)) \(printable($0.reason))" } ?? ""
    return CairnError(
      "no-walks", .dataError,
      (suite?.referenceTracks.isEmpty ?? true)
        ? "no timed walks" + reason
        : "no timed walks or tracks along ways" + reason)
  }
}
