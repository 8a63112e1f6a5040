// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning
import Publishing

/// `cairn explain-run MANIFEST [REGION]`: why each action would run, or that it is up to date.
package struct ExplainRunCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn explain-run",
    summary: "explain why each action of a manifest would run",
    discussion: """
      An action runs if something that its result depends on has changed since the last run: the \
      executable, an argument, or the content of an input. Runs and writes nothing. Exit code 0: \
      all is up to date or held back; 1: something would run.
      """,
    positionals: [
      .manifest,
      .regions,
    ],
    options: [
      .flag("json", help: "print JSON"),
      .flag(
        "paranoid", help: "read all files and results again instead of using recorded digests"),
      Orchestrator.Options.binaryOption,
    ],
    examples: ["cairn explain-run pipelines/sample.yaml valley-west"])

  /// Prints the actions that would run and the reasons.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let (manifest, ids) = try Manifest.load(words: arguments.positionals)
    let chosen = ids.isEmpty ? nil : ids
    let plan = try Plan(manifest.locked(for: chosen), selection: chosen)
    let forecaster = Forecaster(plan, try Orchestrator.Options(arguments))
    let regions = plan.regions.indices.map { forecaster.prospects(region: $0) }
    if arguments.has("json") {
      let json = zip(plan.regions, regions).map {
        Self.json($0, $1, plan, isHeld: forecaster.publisher.earlier.isRolledBack($0.id))
      }
      let bytes = try encodeJSON(JSONValue.object(["regions": .list(json)]))
      try Console.write(String(decoding: bytes, as: UTF8.self))
    } else {
      try Console.write(
        zip(plan.regions, regions).map {
          text($0, $1, plan, isHeld: forecaster.publisher.earlier.isRolledBack($0.id))
        }.joined()
          + plan.questions.map { "\($0)\n" }.joined())
    }
    return regions.joined().allSatisfy(\.prospect.isSettled) ? .success : .negative
  }

  private static func text(
    _ region: Manifest.Region, _ prospects: [(index: Int, prospect: Forecaster.Prospect)],
    _ plan: Plan, isHeld: Bool
  ) -> String {
    var text = region.id + (isHeld ? " (\(PublishedIndex.rolledBack))" : "") + "\n"
    let width = prospects.map { plan.actions[$0.index].stage.rawValue.count }.max() ?? 0
    for (index, prospect) in prospects {
      let stage = plan.actions[index].stage.rawValue
      text += "  \(stage.padded(to: width))  \(printable(summary(prospect)))\n"
    }
    return text
  }

  private static func summary(_ prospect: Forecaster.Prospect) -> String {
    switch prospect {
    case .upToDate: "up to date"
    case .isHeld(let held): held.text
    case .wouldFollow(let stage): "would run if the result of \(stage.rawValue) changes"
    case .wouldPublish: "would publish: \(Forecaster.reason(prospect) ?? "")"
    case .wouldRefuse(let objections): "would refuse: \(objections.joined(separator: "; "))"
    case .cannot(let error): "would fail: \(error)"
    case .wouldRun, .forced, .wouldAsk: "would run: \(Forecaster.reason(prospect) ?? "")"
    }
  }

  private static func json(
    _ region: Manifest.Region, _ prospects: [(index: Int, prospect: Forecaster.Prospect)],
    _ plan: Plan, isHeld: Bool
  ) -> JSONValue {
    let isHeld = isHeld || prospects.contains { $0.prospect.isHeldBack }
    let actions = prospects.map { index, prospect -> JSONValue in
      var object: [String: JSONValue] = [
        "stage": .text(plan.actions[index].stage.rawValue),
        "upToDate": .boolean(prospect.isUpToDate),
      ]
      if let reason = Forecaster.reason(prospect) { object["reason"] = .text(reason) }
      if case .wouldRun(let changes, let key) = prospect {
        object["key"] = .text(key.digest)
        object["changes"] = .list(
          changes.map { change in
            .object([
              "name": .text(change.name), "old": change.old.map { .text($0) } ?? .null,
              "new": change.new.map { .text($0) } ?? .null,
            ])
          })
      }
      return .object(object)
    }
    return .object([
      "id": .text(region.id), "held": .boolean(isHeld), "actions": .list(actions),
    ])
  }
}
