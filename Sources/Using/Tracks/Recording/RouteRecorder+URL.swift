// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RouteRecorder {
  /// Makes a recorder with a journal in a folder that exists; see
  /// ``init(journal:locationType:accuracies:flushing:)``.
  public convenience init(
    journal: URL, locationType: LocationType = .outdoor,
    accuracies: ClosedRange<Double> = standardAccuracies, flushing: Flushing = .after(fixes: 30)
  ) {
    self.init(
      journal: journal.path, locationType: locationType, accuracies: accuracies, flushing: flushing)
  }
}

extension RecordedRoute {
  /// Reads the route from a journal, which is not changed.
  public init(journal: URL) throws(RouteJournal.Failure) { try self.init(journal: journal.path) }
}
