// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Planning
import ResultStore

/// Runs the stages of attempts: on this machine, or on a cluster.
///
/// Every executor must report its capacity and run attempts. The other requirements matter only if
/// attempts outlive their run, or if a cluster must be queried; their defaults do nothing.
package protocol Executor: Sendable {
  /// Throws 78 or 75 if nothing can be run.
  func check() throws(CairnError)

  /// The capacity of a run.
  ///
  /// - Parameters:
  ///   - parallelism: The value of `--jobs`.
  ///   - memoryBytes: The memory set aside by the user, if any.
  func capacity(parallelism: Int, memoryBytes: Int?) -> Capacity

  /// The most threads for an attempt that the scheduler granted this many.
  func threadLimit(granted: Int) -> Int

  /// Runs an attempt to its end.
  func run(_ attempt: PreparedAttempt, progress: @escaping (StageProgress) -> Void) throws
    -> ActionResult

  /// Whether stages must wait until their outputs are on disk, since this could not be determined
  /// afterwards.
  var isFlushing: Bool { get }

  /// Whether attempts can be submitted before their input exists; ``run(_:progress:)`` then gets
  /// them as ``PreparedAttempt/following``.
  var submitsAhead: Bool { get }

  /// Waits for an attempt that does the same work already: one submitted ahead by this run, or one
  /// left by an earlier run. Nil if there is none, or if it failed.
  func finishEarlierAttempt(
    _ request: EarlierAttemptRequest, progress: @escaping (StageProgress) -> Void
  ) throws -> EarlierAttempt?

  /// Cancels the attempt that may still be running in a folder about to be removed.
  func abandon(_ folder: String)

  /// Cancels all running attempts of this run.
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

/// The limits of an attempt; nil leaves the choice to the executor.
package struct AttemptLimits: Equatable, Sendable {
  /// The most threads that a stage takes.
  package static let mostThreads = 256

  package var threads: Int
  package var memoryMiB: Int?
  package var timeSeconds: Double?
  /// The memory that a stage of Cairn is told to stay within.
  package var boundMiB: Int?
  /// See ``Grant/yields``.
  package var yields = false

  package init(
    threads: Int, memoryMiB: Int? = nil, timeSeconds: Double? = nil, boundMiB: Int? = nil
  ) {
    self.threads = threads
    self.boundMiB = boundMiB
    self.memoryMiB = memoryMiB
    self.timeSeconds = timeSeconds
  }
}

/// An attempt that is ready to run.
package struct PreparedAttempt: Sendable {
  /// The folder in which it runs and leaves its files.
  package let folder: String
  package let invocation: Invocation
  /// Its action, or its batch of actions; at least one.
  package let actions: [ReadyAction]
  package let limits: AttemptLimits
  /// The attempts that read its results, for an executor that submits ahead.
  package let following: [FollowingAttempt]
}

/// Describes work that an earlier attempt may have done already.
package struct EarlierAttemptRequest {
  /// The region, or the name of a batch.
  package let name: String
  /// The action, or the batch of actions; at least one.
  package let actions: [ReadyAction]
  /// The names of the files that a successful attempt must have left.
  package let products: [String]
  /// Lists the folders of attempts of earlier runs; empty if these do not count.
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
