// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning
import Publishing
import ResultStore
import SystemIO

/// `cairn log [MANIFEST] [REGION [STAGE]]`: what the stages of a region wrote when they last ran.
package struct LogCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn log",
    summary: "show the logs of a region's stages",
    discussion: """
      For each stage: how its last attempt ended, the path of its log, and the log; of a long one \
      the end. Without STAGE, the stages whose last attempt did not succeed; if there are none, why \
      the last run did not publish the region, or if it did, all stages. Without REGION, the regions \
      that failed in the last run. Runs and writes nothing. Exit code 0: there are logs, or a reason; 66: none is kept.
      """,
    positionals: [
      .manifest,
      .init("REGION", required: false, help: "the region's id (default: those that failed)"),
      .init("STAGE", required: false, help: "one stage, such as build-graph (default: see above)"),
    ],
    examples: [
      "cairn log pipelines/sample.yaml",
      "cairn log pipelines/sample.yaml valley-west",
      "cairn log pipelines/sample.yaml valley-west build-graph",
    ])

  /// Prints the logs.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let (manifest, words) = try Manifest.load(words: arguments.positionals)
    if words.count > 2 {
      throw arguments.usageError("unexpected argument “\(printable(words[2]))”")
    }
    guard let id = words.first else {
      let failed = try RecordedRun(manifest.path).failures.map(\.region)
      let texts = try unrepeated(failed).filter { id in manifest.regions.contains { $0.id == id } }
        .compactMap { try text($0, nil, manifest, arguments) }
      try Console.write(texts.joined(separator: "\n"))
      return .success
    }
    guard let text = try text(id, words.dropFirst().first, manifest, arguments) else {
      throw CairnError(
        "no-log", .noInput, "no log of \(words.joined(separator: " ")) is kept",
        at: Location(file: OutputFolder(manifest).store.root),
        hint: "a stage's log is kept from one run of the stage to the next")
    }
    try Console.write(text)
    return .success
  }

  /// The logs of a region; nil if none are kept.
  private static func text(
    _ id: String, _ stage: String?, _ manifest: Manifest, _ arguments: Arguments
  ) throws -> String? {
    let plan = try Plan(manifest.locked(for: [id]), selection: [id])
    let all = plan.actions.map(\.stage)
    let chosen = try stage.map { try stages(named: $0, of: all, arguments) }
    let folder = OutputFolder(manifest)
    let logs = try (chosen ?? all).compactMap { try StageLog(id, $0, folder.store) }
    let failed = logs.filter { !$0.isOfSuccess }
    let reason = chosen?.contains(.publish) ?? failed.isEmpty ? refusal(id, folder) : nil
    // Of a region that all stages succeeded for, why it is not published says more than their logs.
    let shown = chosen != nil || failed.isEmpty && reason == nil ? logs : failed
    let texts = shown.map(\.text) + [reason].compactMap { $0 }
    return texts.isEmpty ? nil : texts.joined()
  }

  private static func stages(named name: String, of all: [Stage], _ arguments: Arguments)
    throws(CairnError) -> [Stage]
  {
    let stages = all.filter { $0.rawValue == name }
    guard stages.isEmpty else { return stages }
    let names = unrepeated(all.map(\.rawValue))
    throw arguments.usageError(
      "the region has no stage “\(printable(name))”",
      hint: nearestWord(to: name, among: names).map { "did you mean \($0)?" }
        ?? "it has \(listed(names))")
  }

  /// Why the last run did not publish a region; nil if it did.
  private static func refusal(_ id: String, _ folder: OutputFolder) -> String? {
    let known = folder.publisher().index.knownRegions().first { $0.id == id }
    guard let known, known.status != .fresh, let reason = known.reason else { return nil }
    return "\(id): \(printable(reason))\n"
  }
}

/// The log of the last attempt at a region's stage.
private struct StageLog {
  private static let lineLimit = 1000

  private let head: String
  private let path: String
  private let lines: [String]
  let isOfSuccess: Bool

  /// Nil if no attempt is kept.
  init?(_ region: String, _ stage: Stage, _ store: ActionStore) throws(CairnError) {
    guard let folder = try store.lastAttempt(region: region, stage: stage) else { return nil }
    path = joinPath(folder, ActionStore.logName)
    lines = lastLines(path, Self.lineLimit)
    let result = store.result(inFolder: folder)
    isOfSuccess = result?.exit == 0
    let ending =
      isOfSuccess
      ? "succeeded"
      : result?.ending(of: stage.executable ?? stage.rawValue, log: path)
        ?? "has not ended: it was killed, or is running"
    head = "\(region) \(stage.rawValue): \(printable(ending))"
  }

  var text: String {
    ([head, "  log: \(path)"] + lines.map { "  | \(printable($0))" }).joined(separator: "\n") + "\n"
  }
}
