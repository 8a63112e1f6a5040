// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Runs the stages of attempts: on this machine, or on a cluster.
///
/// Every executor must give its capacity and run attempts. The other requirements matter only where
/// attempts outlive the run that started them, or where a cluster has to be asked; their defaults do
/// nothing.
protocol Executor: Sendable {
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
  func check() throws(CairnError) {}

  func threadLimit(granted: Int) -> Int { granted }

  var isFlushing: Bool { true }

  var submitsAhead: Bool { false }

  func finishEarlierAttempt(
    _ request: EarlierAttemptRequest, progress: @escaping (StageProgress) -> Void
  ) throws -> EarlierAttempt? { nil }

  func abandon(_ folder: String) {}

  func close() {}
}

/// What an attempt may use; what is nil is left to the executor.
struct AttemptLimits: Equatable, Sendable {
  var threads: Int
  var memoryMiB: Int?
  var timeSeconds: Double?
}

/// An attempt that is ready to run.
struct PreparedAttempt: Sendable {
  /// Where it runs and leaves its files.
  let folder: String
  let invocation: Invocation
  /// The action that it does, or the batch of them; at least one.
  let actions: [ReadyAction]
  let limits: AttemptLimits
  /// The attempts that read its results, for an executor that submits ahead.
  let following: [FollowingAttempt]
}

/// Describes the work that an earlier attempt may have done already.
struct EarlierAttemptRequest {
  /// The region, or the name of a batch.
  let name: String
  /// The action, or the batch of them; at least one.
  let actions: [ReadyAction]
  /// The names of the files that an attempt must have left if it succeeded.
  let products: [String]
  /// Lists the folders of attempts of earlier runs; empty where these do not count.
  let folders: () throws -> [String]
}

/// An attempt that did the work of a request.
struct EarlierAttempt: Sendable {
  let folder: String
  let result: ActionResult
}
