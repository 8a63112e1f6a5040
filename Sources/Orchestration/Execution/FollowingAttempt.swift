// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Manifests
import ResultStore
import SystemIO

/// An attempt at an action that reads results which other attempts have yet to make.
package struct FollowingAttempt: Sendable {
  /// A result that does not exist yet.
  package struct Input: Sendable {
    /// The index of the action that makes it.
    package let action: Int
    /// Its name in the folder of the attempt that makes it.
    package let product: String
    /// The path at which the following attempt expects it.
    package let path: String
  }

  /// The folder for these inputs, within that of the attempt.
  package static let inputFolder = "input"

  private static let mark = "@input "

  /// The placeholder for the digest of an input until it is known. No digest or command-line word
  /// in a key looks like this: a word that begins with @ gets another one.
  ///
  /// - Parameter name: The name of the input in ``inputFolder``.
  package static func inputMark(_ name: String) -> String { mark + name }

  /// The name of the input for which a value in a key is the placeholder; nil for other values.
  package static func inputName(ofMark value: String) -> String? {
    value.hasPrefix(mark) ? String(value.dropFirst(mark.count)) : nil
  }

  /// The index of the action in the plan.
  package let action: Int
  package let region: String
  package let stage: Stage
  package let folder: String
  package let invocation: Invocation
  package let limits: AttemptLimits
  /// The action's key, with an ``inputMark(_:)`` for the digest of each of its ``inputs``.
  package let openKey: ActionKey
  /// The inputs that have yet to be made.
  package let inputs: [Input]
  /// The store, if an existing result in it may be used.
  package let storeRoot: String?
  /// The attempts that read its result.
  package let following: [FollowingAttempt]
}

extension AttemptRunner {
  /// Prepares the attempts that depend, directly or indirectly, on an action about to run, and
  /// creates their folders.
  ///
  /// Attempts that cannot be prepared, for example because a profile is missing, are left out and
  /// reported when their turn comes.
  ///
  package func following(_ action: ReadyAction, limits: (Stage) -> AttemptLimits)
    -> [FollowingAttempt]
  {
    let product = action.stage.productName(inBatchFor: action.region)
    return following(action.index, action.inputs, making: [action.index: product], limits: limits)
  }

  /// - Parameters:
  ///   - finished: The results that exist.
  ///   - made: The names of the results of the action and of those that it follows, in the folders
  ///     of their attempts.
  private func following(
    _ index: Int, _ finished: [Int: FinishedAction], making made: [Int: String],
    limits: (Stage) -> AttemptLimits
  ) -> [FollowingAttempt] {
    plan.actionsOfRegions[plan.actions[index].region].compactMap { next in
      let action = plan.actions[next]
      guard action.dependencies.contains(index), action.stage.isProcess, !action.stage.isForSource,
        action.dependencies.allSatisfy({ made[$0] != nil || finished[$0] != nil })
      else { return nil }
      return try? attempt(next, finished, making: made, limits: limits)
    }
  }

  private func attempt(
    _ index: Int, _ finished: [Int: FinishedAction], making made: [Int: String],
    limits: (Stage) -> AttemptLimits
  ) throws -> FollowingAttempt {
    let action = plan.actions[index]
    let region = plan.regions[action.region].id
    let folder = absolutePath(try newAttempt(region, action.stage))
    let inputs = joinPath(folder, FollowingAttempt.inputFolder)
    try makeFolders(inputs)
    let resolved = try resolver.resolve(action) { dependency in
      if let known = finished[dependency] { return known }
      let name = plan.actions[dependency].stage.product
      return FinishedAction(
        folder: inputs, product: joinPath(inputs, name),
        record: FileRecord(bytes: 0, sha256: FollowingAttempt.inputMark(name)),
        result: ActionResult(reason: "has not been made yet"))
    }
    let own = limits(action.stage)
    let copies = copies(for: action.stage, resolved, in: folder)
    let arguments = resolved.arguments(
      output: joinPath(folder, action.stage.product), threads: own.threads, copies: copies)
    let command = try command(action.stage, arguments, folder, own)
    let isStoreUsed = !policy.isForced && !store.isParanoid
    var making = made
    making[index] = action.stage.product
    return FollowingAttempt(
      action: index, region: region, stage: action.stage, folder: folder,
      invocation: invocation(action.stage, command, copies), limits: own, openKey: resolved.key,
      inputs: action.dependencies.compactMap { dependency in
        made[dependency].map { product in
          .init(
            action: dependency, product: product,
            path: joinPath(inputs, plan.actions[dependency].stage.product))
        }
      },
      storeRoot: isStoreUsed ? absolutePath(store.root) : nil,
      following: following(index, finished, making: making, limits: limits))
  }
}
