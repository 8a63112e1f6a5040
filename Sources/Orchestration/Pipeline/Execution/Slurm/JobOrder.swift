// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

/// What a job of a cluster is to do, written down before it is submitted.
struct JobOrder: Codable, Sendable {
  /// A file of this job that is the input of another one.
  struct Handover: Codable, Equatable, Sendable {
    /// Its name in this job's folder.
    var product: String
    /// Where the other job looks for it.
    var path: String
  }

  /// What a job has yet to find out whose input was still to be made when it was submitted.
  struct Ahead: Codable, Sendable {
    /// Where its input will lie.
    var input: String
    /// What it depends on; the digest of the input is ``inputMark``.
    var action: ActionCommand
    /// The store, if a result that is there already counts.
    var store: String?
    /// The name of its result.
    var product: String
  }

  /// What stands for a digest that nobody knows yet. No digest and no word of a command line looks
  /// like that in a key: a word that begins with @ gets another.
  static let inputMark = "@input"

  var stage: StageOrder
  var handovers: [Handover] = []
  var ahead: Ahead?

  /// Whether some components are those of an action whose input was not known, now that it is.
  static func matches(_ open: [ActionKey.Component], _ known: [ActionKey.Component]) -> Bool {
    open.count == known.count
      && zip(open, known).allSatisfy {
        $0.name == $1.name && ($0.value == $1.value || $0.value == inputMark)
      }
  }

  /// Lets the jobs behind this one have their inputs, under names of their own: `folder` is moved
  /// or removed whenever the orchestrator sees fit. False if not all could be given.
  func handOver(from folder: String) -> Bool {
    handovers.reduce(true) { isWell, handover in
      let product = joinPath(folder, handover.product)
      return link(product, handover.path) == 0 && isWell
    }
  }
}

extension JobOrder.Ahead {
  /// The key of the action, now that its input is there; nil if that never came.
  func key() throws(CairnError) -> ActionKey? {
    guard isFile(input) else { return nil }
    let digest = try SHA256Digest.ofFile(input)
    return try ActionKey(
      action.components.map { component in
        component.value == JobOrder.inputMark
          ? ActionKey.Component(name: component.name, value: digest) : component
      })
  }
}
