// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Execution
import Glibc
import ResultStore
import SystemIO

/// The work of a job on a cluster, written to a file before the job is submitted.
struct JobDescription: Codable, Sendable {
  /// A file of this job that is the input of another job.
  struct Handover: Codable, Equatable, Sendable {
    /// Its name in this job's folder.
    var product: String
    /// Where the other job looks for it.
    var path: String
  }

  /// What a job needs to find its key if some of its inputs did not exist when it was submitted.
  struct Ahead: Codable, Sendable {
    /// The folder that these inputs will be in.
    var inputs: String
    /// What it depends on, with a ``FollowingAttempt/inputMark(_:)`` as the digest of each such
    /// input.
    var action: ActionCommand
    /// The store, if a result that exists there already may be used.
    var store: String?
    /// The name of its result.
    var product: String
  }

  var stage: Invocation
  var handovers: [Handover] = []
  var ahead: Ahead?

  /// Whether `known` is `open` after the inputs of the action became known.
  static func matches(_ open: [ActionKey.Component], _ known: [ActionKey.Component]) -> Bool {
    open.count == known.count
      && zip(open, known).allSatisfy {
        $0.name == $1.name
          && ($0.value == $1.value || FollowingAttempt.inputName(ofMark: $0.value) != nil)
      }
  }

  /// Links the files that the following jobs read into their folders, since `folder` may be moved
  /// or removed at any time. False if not all links could be made.
  func handOver(from folder: String) -> Bool {
    handovers.reduce(true) { isWell, handover in
      let product = joinPath(folder, handover.product)
      return link(product, handover.path) == 0 && isWell
    }
  }
}

extension JobDescription.Ahead {
  /// The key of the action once its inputs exist; nil if one does not.
  package func key() throws(CairnError) -> ActionKey? {
    var components = action.components
    for index in components.indices {
      guard let name = FollowingAttempt.inputName(ofMark: components[index].value) else { continue }
      let input = joinPath(inputs, name)
      guard isFile(input) else { return nil }
      components[index].value = try FileRecord(ofResult: input).sha256
    }
    return ActionKey(components)
  }
}
