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

  /// What the user calls them.
  package static let names = ["local", "slurm"]

  /// Chooses by one of ``names``; anything else is the local one.
  ///
  /// - Parameters:
  ///   - cairn: The path of the `cairn` that a cluster's nodes are to call.
  ///   - searchPath: The folders where a cluster's programs are looked for, as in `PATH`.
  package init(_ name: String?, cairn: String, searchPath: String) {
    self =
      name == "slurm"
      ? .slurm(SlurmExecutor.Settings(cairn: cairn, searchPath: searchPath)) : .local
  }

  /// How much is at work at a time unless the user says otherwise.
  package var defaultParallelism: Int {
    switch self {
    case .local: availableProcessors()
    case .slurm: SlurmExecutor.defaultJobs
    }
  }

  /// Makes the executor.
  ///
  /// - Parameter note: Told what the user should know.
  package func executor(
    _ interruption: Interruption,
    note: @escaping @Sendable (_ region: String, _ message: String) -> Void
  ) -> any Executor {
    switch self {
    // Without a name for the present start of the system, nobody could tell whether what was
    // written since the last one is whole.
    case .local: LocalExecutor(interruption: interruption, isFlushing: systemStart == nil)
    case .slurm(let settings): SlurmExecutor(settings, interruption, note: note)
    }
  }

  /// Whether an attempt may still be at work in a folder although the run that began it is over.
  static func mayBeAtWork(in folder: String) -> Bool {
    pathExists(joinPath(folder, SlurmAttempt.recordName))
  }

  /// What `cairn doctor` says about executors besides this machine.
  package static var findings: [Finding] { [SlurmTools.finding] }
}
