// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// A job that is to be submitted, and those that wait for its result.
struct JobChain: Sendable {
  /// A stage of a region.
  struct Place: Hashable, Sendable {
    var region: String
    var stage: Stage
  }

  let place: Place
  let attempt: SlurmAttempt
  var order: JobOrder
  let limits: SlurmTools.Limits
  var next: [JobChain] = []
}

extension AttemptRunner {
  /// The jobs behind an action that is about to run, none of whose inputs are known yet. Their
  /// folders are made, and `order` is told to hand its result over to them.
  ///
  /// What cannot be prepared, say because a profile is not there, is left out: it says so itself
  /// when its time comes.
  ///
  /// - Parameter product: The name of the action's result in the folder of its attempt.
  func chain(
    behind number: Int, product: String, _ order: inout JobOrder,
    limits: (Stage) -> SlurmTools.Limits
  ) -> [JobChain] {
    var links: [JobChain] = []
    for next in plan.actions.indices where plan.actions[next].dependencies == [number] {
      let action = plan.actions[next]
      guard action.stage.isProcess, !action.stage.isForSource,
        var link = try? link(action, to: plan.actions[number].stage, limits(action.stage)),
        let input = link.order.ahead?.input
      else { continue }
      order.handovers.append(.init(product: product, path: input))
      link.next = chain(
        behind: next, product: action.stage.product, &link.order, limits: limits)
      links.append(link)
    }
    return links
  }

  private func link(_ action: Action, to before: Stage, _ limits: SlurmTools.Limits) throws
    -> JobChain
  {
    let region = plan.regions[action.region].id
    let folder = absolutePath(try newAttempt(region, action.stage))
    let inputs = joinPath(folder, SlurmAttempt.inputFolder)
    try makeFolders(inputs)
    let input = joinPath(inputs, before.product)
    let resolved = try resolver.resolve(action) { _ in
      FinishedAction(
        folder: inputs, product: input, record: FileRecord(bytes: 0, sha256: JobOrder.inputMark),
        result: ActionResult(reason: "is still to be made"))
    }
    let arguments = resolved.arguments(
      output: joinPath(folder, action.stage.product), threads: limits.threads)
    let command = try command(action.stage, arguments, folder, threads: limits.threads)
    let components = resolved.key.components
    let isStoreGood = isAdopting && !store.isParanoid
    return JobChain(
      place: .init(region: region, stage: action.stage),
      attempt: try SlurmAttempt(
        folder: folder, region: region, stage: action.stage,
        keys: [region: resolved.key.digest], memoryMiB: limits.memoryMiB, open: components),
      order: JobOrder(
        stage: order(action.stage, command),
        ahead: .init(
          input: input,
          action: ActionCommand(
            region: region, stage: action.stage.rawValue, key: "", components: components,
            command: command),
          store: isStoreGood ? absolutePath(store.root) : nil, product: action.stage.product)),
      limits: limits)
  }
}
