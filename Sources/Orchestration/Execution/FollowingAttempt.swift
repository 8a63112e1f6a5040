// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Manifests
import ResultStore
import SystemIO

/// An attempt at an action whose input is still to be made by another attempt.
package struct FollowingAttempt: Sendable {
  /// The placeholder for the digest of the input until it is known. No digest or command-line word
  /// in a key looks like this: a word that begins with @ gets another one.
  package static let inputMark = "@input"
  /// The folder for the input, within that of the attempt.
  package static let inputFolder = "input"

  package let region: String
  package let stage: Stage
  package let folder: String
  package let invocation: Invocation
  package let limits: AttemptLimits
  /// The action's key, with ``inputMark`` for the digest of its input.
  package let openKey: ActionKey
  /// The name of the input in the folder of the attempt that makes it.
  package let inputName: String
  /// The path at which this attempt expects the input.
  package let input: String
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
  /// - Parameter inputName: The name of the action's result in the folder of its attempt.
  package func following(
    _ index: Int, inputName: String, limits: (Stage) -> AttemptLimits
  ) -> [FollowingAttempt] {
    plan.actionsOfRegions[plan.actions[index].region].compactMap { next in
      let action = plan.actions[next]
      guard action.dependencies == [index], action.stage.isProcess, !action.stage.isForSource
      else { return nil }
      return try? following(
        next, input: plan.actions[index].stage.product, inputName: inputName, limits: limits)
    }
  }

  private func following(
    _ index: Int, input name: String, inputName: String, limits: (Stage) -> AttemptLimits
  ) throws -> FollowingAttempt {
    let action = plan.actions[index]
    let region = plan.regions[action.region].id
    let folder = absolutePath(try newAttempt(region, action.stage))
    let inputs = joinPath(folder, FollowingAttempt.inputFolder)
    try makeFolders(inputs)
    let input = joinPath(inputs, name)
    let resolved = try resolver.resolve(action) { _ in
      FinishedAction(
        folder: inputs, product: input,
        record: FileRecord(bytes: 0, sha256: FollowingAttempt.inputMark),
        result: ActionResult(reason: "has not been made yet"))
    }
    let own = limits(action.stage)
    let copies = copies(for: action.stage, resolved, in: folder)
    let arguments = resolved.arguments(
      output: joinPath(folder, action.stage.product), threads: own.threads, copies: copies)
    let command = try command(action.stage, arguments, folder, own)
    let isStoreUsed = !policy.isForced && !store.isParanoid
    return FollowingAttempt(
      region: region, stage: action.stage, folder: folder,
      invocation: invocation(action.stage, command, copies), limits: own, openKey: resolved.key,
      inputName: inputName, input: input,
      storeRoot: isStoreUsed ? absolutePath(store.root) : nil,
      following: following(index, inputName: action.stage.product, limits: limits))
  }
}
