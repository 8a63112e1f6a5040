// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Planning
import ResultStore

/// Runs the stages of attempts: on this machine, or on a cluster.
///
/// Every executor must give its capacity and run attempts. The other requirements matter only where
/// attempts outlive the run that started them, or where a cluster has to be asked; their defaults do
/// nothing.
package protocol Executor: Sendable {
  /// Throws 78 or 75 if nothing can be run.
  func check() throws(CairnError)

  /// What a run may have at work at a time.
  ///
  /// - Parameters:
  ///   - parallelism: What the user asked for with `--jobs`.
  ///   - memoryBytes: The memory that the user set aside, if any.
  func capacity(parallelism: Int, memoryBytes: Int?) -> Capacity

  /// The most threads that an attempt may use if the scheduler granted it so many.
  func threadLimit(granted: Int) -> Int

  /// Runs an attempt to its end.
  func run(_ attempt: PreparedAttempt, progress: @escaping (StageProgress) -> Void) throws
    -> ActionResult

  /// Whether stages must wait until their outputs are on the disk: nobody could tell afterwards
  /// whether they got there.
  var isFlushing: Bool { get }

  /// Whether attempts can be submitted before their input exists; then ``run(_:progress:)`` is
  /// given them as ``PreparedAttempt/following``.
  var submitsAhead: Bool { get }

  /// Waits for an attempt that does the same work already: one submitted ahead by this run, or one
  /// that an earlier run left behind. Nil if there is none, or none that came to anything.
  func finishEarlierAttempt(
    _ request: EarlierAttemptRequest, progress: @escaping (StageProgress) -> Void
  ) throws -> EarlierAttempt?

  /// Cancels the attempt that may still be at work in a folder which is about to be removed.
  func abandon(_ folder: String)

  /// Cancels all that this run has left at work.
  func close()
}

extension Executor {
  package func check() throws(CairnError) {}

  package func threadLimit(granted: Int) -> Int { granted }

  package var isFlushing: Bool { true }

  package var submitsAhead: Bool { false }

  package func finishEarlierAttempt(
    _ request: EarlierAttemptRequest, progress: @escaping (StageProgress) -> Void
  ) throws -> EarlierAttempt? { nil }

  package func abandon(_ folder: String) {}

  package func close() {}
}

/// What an attempt may use; what is nil is left to the executor.
package struct AttemptLimits: Equatable, Sendable {
  /// The most threads that a stage takes.
  package static let mostThreads = 256

  package var threads: Int
  package var memoryMiB: Int?
  package var timeSeconds: Double?

  package init(threads: Int, memoryMiB: Int? = nil, timeSeconds: Double? = nil) {
    self.threads = threads
    self.memoryMiB = memoryMiB
    self.timeSeconds = timeSeconds
  }
}

/// An attempt that is ready to run.
package struct PreparedAttempt: Sendable {
  /// Where it runs and leaves its files.
  package let folder: String
  package let invocation: Invocation
  /// The action that it does, or the batch of them; at least one.
  package let actions: [ReadyAction]
  package let limits: AttemptLimits
  /// The attempts that read its results, for an executor that submits ahead.
  package let following: [FollowingAttempt]
}

/// Describes the work that an earlier attempt may have done already.
package struct EarlierAttemptRequest {
  /// The region, or the name of a batch.
  package let name: String
  /// The action, or the batch of them; at least one.
  package let actions: [ReadyAction]
  /// The names of the files that an attempt must have left if it succeeded.
  package let products: [String]
  /// Lists the folders of attempts of earlier runs; empty where these do not count.
  package let folders: () throws -> [String]
}

/// An attempt that did the work of a request.
package struct EarlierAttempt: Sendable {
  package let folder: String
  package let result: ActionResult

  package init(folder: String, result: ActionResult) {
    self.folder = folder
    self.result = result
  }
}
