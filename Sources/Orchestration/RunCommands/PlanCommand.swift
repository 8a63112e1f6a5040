// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning

/// `cairn plan MANIFEST`: what a run would do, and all actions with their dependencies.
package struct PlanCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn plan",
    summary: "show what a run would do with each region, and how long that takes",
    discussion: """
      For each region: whether it is new, changed, up to date, held back, refused by a check or \
      blocked by an input that cannot be read; what a run would do, and how long that took last \
      time, or – if a part never ran there. A run takes less: stages run side by side, and stop \
      where a result is the same as before. With --verbose, and as json, dot and mermaid, shows all \
      actions, done or not, and their dependencies. dot is for Graphviz (cairn plan M --format dot \
      | dot -Tsvg), mermaid for Markdown. Runs and writes nothing.
      """,
    positionals: [.manifest],
    options: [
      .option("format", "FORMAT", help: "text, json, dot or mermaid (default text)"),
      .option("regions", "ID,ID", help: "only these regions"),
      .flag("verbose", letter: "v", help: "show each action"),
      Orchestrator.Options.binaryOption,
    ],
    examples: ["cairn plan pipelines/sample.yaml --format mermaid"])

  /// Prints the plan.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let format = try arguments.choice("format", of: ["text", "json", "dot", "mermaid"])
    let ids = try RunCommand.selection(arguments)
    let plan = try Plan(
      Manifest.load(argument: arguments.positionals.first).locked(for: ids), selection: ids)
    let options = try Orchestrator.Options(arguments)
    var outlook: PlanOutlook {
      PlanOutlook(Forecaster(plan, options), OutputFolder(plan.manifest).history())
    }
    switch format {
    case "json":
      try Console.write(String(decoding: try encodeJSON(plan.json(outlook)), as: UTF8.self))
    case "dot": try Console.write(plan.dot)
    case "mermaid": try Console.write(plan.mermaid)
    default:
      let outlook = outlook
      try Console.write(
        (arguments.has("verbose") ? plan.text(outlook) : outlook.table) + outlook.sum)
    }
    return .success
  }
}

extension Plan {
  /// A table of the actions, region by region.
  package func text(_ outlook: PlanOutlook) -> String {
    let cells = outlook.cells
    var rows = [["", "region", "stage", "after", "state", "time", "does"]]
    for (index, action) in actions.enumerated() {
      rows.append([
        "\(index + 1)", regions[action.region].id, action.stage.rawValue,
        action.dependencies.map { "\($0 + 1)" }.joined(separator: ","),
        cells[index]?.state ?? "", cells[index]?.time ?? "", printable(summary(action)),
      ])
    }
    let shared = batches.count { $0.count > 1 }
    let tail =
      shared == 0
      ? ""
      : "; regions of one source are downloaded and decoded together"
    return TextTable([.right, .left, .left, .left, .left, .right, .left], rows: rows).text
      + "\(actions.count) actions for \(regions.count) "
      + "\(regions.count == 1 ? "region" : "regions") in \(batches.count) batches\(tail)\n"
  }

  /// The plan as data.
  package func json(_ outlook: PlanOutlook) -> JSONValue {
    let found = outlook.regions.flatMap(\.actions)
    var batchOfAction = [Int](repeating: 0, count: actions.count)
    for (batch, indices) in batches.enumerated() {
      for index in indices { batchOfAction[index] = batch }
    }
    let object: [String: JSONValue] = [
      "name": .text(manifest.name),
      "regions": .list(
        zip(regions, outlook.regions).map { region, known in
          .object(
            known.json.merging(["id": .text(region.id), "source": .text(region.source)]) { $1 })
        }),
      "actions": .list(
        zip(actions, found).enumerated().map { index, pair in
          let (action, known) = pair
          let object: [String: JSONValue] = [
            "number": .integer(index), "region": .text(regions[action.region].id),
            "stage": .text(action.stage.rawValue),
            "after": .list(action.dependencies.map { .integer($0) }),
            "job": .integer(batchOfAction[index]),
            "arguments": .list(action.arguments.map { .text($0.symbol) }),
            "results": .list(action.stage.products.map { .text($0) }),
          ]
          return .object(known.json.merging(object) { $1 })
        }),
    ]
    return .object(outlook.json.merging(object) { $1 })
  }

  /// The plan for Graphviz: a box around each region, and the sources outside of them.
  package var dot: String {
    func quoted(_ text: String) -> String {
      "\""
        + printable(text).replacing(scalar: "\\", with: "\\\\")
        .replacing(scalar: "\"", with: "\\\"") + "\""
    }
    var lines = ["digraph \(quoted(manifest.name)) {", "  rankdir=LR;", "  node [shape=box];"]
    for source in usedSources {
      lines.append(
        "  \(quoted("source " + source.name)) [label=\(quoted(source.fileName)), shape=cylinder];")
    }
    for (regionIndex, region) in regions.enumerated() {
      lines.append("  subgraph cluster_\(regionIndex) {")
      lines.append("    label=\(quoted(region.name));")
      for index in actionsOfRegions[regionIndex] {
        lines.append("    a\(index) [label=\(quoted(actions[index].stage.rawValue))];")
      }
      lines.append("  }")
    }
    for (index, action) in actions.enumerated() {
      if action.stage.isForSource, action.dependencies.isEmpty {
        lines.append("  \(quoted("source " + regions[action.region].source)) -> a\(index);")
      }
      for before in action.dependencies { lines.append("  a\(before) -> a\(index);") }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The plan as a flow chart of Mermaid, which Markdown viewers draw.
  package var mermaid: String {
    func quoted(_ text: String) -> String {
      "\"" + printable(text).replacing(scalar: "\"", with: "#quot;") + "\""
    }
    var lines = ["flowchart LR"]
    let names = usedSources.map(\.name)
    for (index, source) in usedSources.enumerated() {
      lines.append("  s\(index)[(\(quoted(source.fileName)))]")
    }
    for (regionIndex, region) in regions.enumerated() {
      lines.append("  subgraph r\(regionIndex)[\(quoted(region.name))]")
      for index in actionsOfRegions[regionIndex] {
        lines.append("    a\(index)[\(quoted(actions[index].stage.rawValue))]")
      }
      lines.append("  end")
    }
    for (index, action) in actions.enumerated() {
      if action.stage.isForSource, action.dependencies.isEmpty,
        let source = names.firstIndex(of: regions[action.region].source)
      {
        lines.append("  s\(source) --> a\(index)")
      }
      for before in action.dependencies { lines.append("  a\(before) --> a\(index)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var usedSources: [Manifest.Source] {
    Set(regions.map(\.source)).sorted().compactMap { manifest.sources[$0] }
  }

  private func summary(_ action: Action) -> String {
    guard action.stage.isProcess else { return "check and publish \(regions[action.region].name)" }
    return action.arguments.map(\.symbol).joined(separator: " ")
  }
}
