// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Execution
import Glibc
import ResultStore
import SystemIO

/// What a job of a cluster is to do, written to a file before the job is submitted.
struct JobDescription: Codable, Sendable {
  /// A file of this job that is the input of another job.
  struct Handover: Codable, Equatable, Sendable {
    /// Its name in this job's folder.
    var product: String
    /// Where the other job looks for it.
    var path: String
  }

  /// What a job needs to find its key if its input did not exist when it was submitted.
  struct Ahead: Codable, Sendable {
    /// The path that its input will have.
    var input: String
    /// What it depends on; the digest of the input is ``FollowingAttempt/inputMark``.
    var action: ActionCommand
    /// The store, if a result that exists there already may be used.
    var store: String?
    /// The name of its result.
    var product: String
  }

  var stage: Invocation
  var handovers: [Handover] = []
  var ahead: Ahead?

  /// Whether `known` is what `open` became once the input of the action was known.
  static func matches(_ open: [ActionKey.Component], _ known: [ActionKey.Component]) -> Bool {
    open.count == known.count
      && zip(open, known).allSatisfy {
        $0.name == $1.name && ($0.value == $1.value || $0.value == FollowingAttempt.inputMark)
      }
  }

  /// Links the files that the following jobs read into the folders of these: `folder` may be moved
  /// or removed at any time. False if not all links could be made.
  func handOver(from folder: String) -> Bool {
    handovers.reduce(true) { isWell, handover in
      let product = joinPath(folder, handover.product)
      return link(product, handover.path) == 0 && isWell
    }
  }
}

extension JobDescription.Ahead {
  /// The key of the action once its input exists; nil if it does not.
  package func key() throws(CairnError) -> ActionKey? {
    guard isFile(input) else { return nil }
    let digest = try FileRecord(ofResult: input).sha256
    return ActionKey(
      action.components.map { component in
        component.value == FollowingAttempt.inputMark
          ? ActionKey.Component(name: component.name, value: digest) : component
      })
  }
}
