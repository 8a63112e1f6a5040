// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Planning

/// `cairn plan MANIFEST`: all actions of a manifest and their dependencies.
package struct PlanCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn plan",
    summary: "show all actions of a manifest and their dependencies",
    discussion: """
      Shows all actions, done or not; cairn explain-run lists those that would run. dot is for \
      Graphviz (cairn plan M --format dot | dot -Tsvg), mermaid for Markdown.
      """,
    positionals: [.manifest],
    options: [
      .option("format", "FORMAT", help: "text, json, dot or mermaid (default text)"),
      .option("regions", "ID,ID", help: "only these regions"),
    ],
    examples: ["cairn plan pipelines/sample.yaml --format mermaid"])

  /// Prints the plan.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let format = try arguments.choice("format", of: ["text", "json", "dot", "mermaid"])
    let ids = try RunCommand.selection(arguments)
    let plan = try Plan(
      Manifest.load(argument: arguments.positionals.first).locked(for: ids), selection: ids)
    switch format {
    case "json":
      try Console.write(String(decoding: try encodeJSON(plan.json), as: UTF8.self))
    case "dot": try Console.write(plan.dot)
    case "mermaid": try Console.write(plan.mermaid)
    default: try Console.write(plan.text)
    }
    return .success
  }
}

extension Plan {
  /// A table of the actions, region by region.
  package var text: String {
    var rows = [["", "region", "stage", "after", "does"]]
    for (index, action) in actions.enumerated() {
      rows.append([
        "\(index + 1)", regions[action.region].id, action.stage.rawValue,
        action.dependencies.map { "\($0 + 1)" }.joined(separator: ","),
        printable(summary(action)),
      ])
    }
    let shared = batches.count { $0.count > 1 }
    let tail =
      shared == 0
      ? ""
      : "; regions of one source are downloaded and decoded together"
    return TextTable([.right, .left, .left, .left, .left], rows: rows).text
      + "\(actions.count) actions for \(regions.count) "
      + "\(regions.count == 1 ? "region" : "regions") in \(batches.count) batches\(tail)\n"
  }

  /// The plan as data.
  package var json: JSONValue {
    var batchOfAction = [Int](repeating: 0, count: actions.count)
    for (batch, indices) in batches.enumerated() {
      for index in indices { batchOfAction[index] = batch }
    }
    return .object([
      "name": .text(manifest.name),
      "regions": .list(
        regions.map { .object(["id": .text($0.id), "source": .text($0.source)]) }),
      "actions": .list(
        actions.enumerated().map { index, action in
          .object([
            "number": .integer(index), "region": .text(regions[action.region].id),
            "stage": .text(action.stage.rawValue),
            "after": .list(action.dependencies.map { .integer($0) }),
            "job": .integer(batchOfAction[index]),
            "arguments": .list(action.arguments.map { .text($0.symbol) }),
            "results": .list(action.stage.products.map { .text($0) }),
          ])
        }),
    ])
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
