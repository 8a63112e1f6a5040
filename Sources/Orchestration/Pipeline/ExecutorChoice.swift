// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Execution
import SlurmExecution
import SystemIO

/// The executor that a run uses. Only this type and the folders `Local` and `Slurm` know which
/// executors exist.
package enum ExecutorChoice: Sendable {
  /// Processes of this machine.
  case local
  /// Jobs of a Slurm cluster.
  case slurm(SlurmExecutor.Settings)

  /// The names for users.
  package static let names = ["local", "slurm"]

  /// Chooses by one of ``names``; anything else is the local one.
  ///
  /// - Parameters:
  ///   - cairn: The path of `cairn` on a cluster's nodes.
  ///   - searchPath: The folders to search for a cluster's programs, as in `PATH`.
  package init(_ name: String?, cairn: String, searchPath: String) {
    self =
      name == "slurm"
      ? .slurm(SlurmExecutor.Settings(cairn: cairn, searchPath: searchPath)) : .local
  }

  /// The default parallelism.
  package var defaultParallelism: Int {
    switch self {
    case .local: availableProcessors()
    case .slurm: SlurmExecutor.defaultJobs
    }
  }

  /// Makes the executor.
  ///
  /// - Parameter note: Called with notes for the user.
  package func executor(
    _ interruption: Interruption,
    note: @escaping @Sendable (_ region: String, _ message: String) -> Void
  ) -> any Executor {
    switch self {
    // Without an identifier of the current boot, files written since the last one could not be
    // trusted.
    case .local: LocalExecutor(interruption: interruption, isFlushing: systemStart == nil)
    case .slurm(let settings): SlurmExecutor(settings, interruption, note: note)
    }
  }

  /// Whether an attempt may still be running in a folder although its run is over.
  static func mayBeAtWork(in folder: String) -> Bool {
    pathExists(joinPath(folder, SlurmAttempt.recordName))
  }

  /// The findings of `cairn doctor` about executors other than this machine.
  package static var findings: [Finding] { [SlurmTools.finding] }
}
