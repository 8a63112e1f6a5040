// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import Manifests
import Planning
import Publishing
import SystemIO

/// `cairn rollback MANIFEST REGION`: publishes the previous bundle.
package struct RollbackCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn rollback",
    summary: "publish a region's previous bundle again",
    discussion: """
      Atomically replaces the published bundle by the previous one. The replaced bundle is not \
      published again until the region's inputs change or you run --undo; the next run then \
      publishes it without rebuilding anything. --list shows what there is to go back to, of a region \
      or of all, the next one first, and what is held back and why; it writes nothing.
      """,
    positionals: [
      .manifest,
      .init("REGION", required: false, help: "the region's id; required without --list"),
    ],
    options: [
      .flag("list", help: "list the bundles to go back to, and what is held back"),
      .flag("undo", help: "let the next run publish the rolled-back bundle"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
    ],
    examples: [
      "cairn rollback --list pipelines/sample.yaml",
      "cairn rollback pipelines/sample.yaml valley-west",
    ])

  /// Rolls back, or takes that back.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let (manifest, ids) = try Manifest.load(words: arguments.positionals)
    // Behind a region alone there may be another word.
    if ids.count > 1 { throw arguments.usageError("unexpected argument “\(printable(ids[1]))”") }
    // Refuses an unknown id.
    let regions = try Plan(manifest, selection: ids.isEmpty ? nil : ids).regions
    let folder = OutputFolder(manifest)
    let publisher = folder.publisher()
    if arguments.has("list"), arguments.has("undo") {
      throw arguments.usageError("--list and --undo cannot be combined")
    }
    guard ids.first != nil || arguments.has("list") else {
      throw arguments.usageError("REGION is required: the region's id")
    }
    guard folder.exists else {
      throw CairnError(
        "no-previous", .noInput, "was never published to", at: Location(file: manifest.output))
    }
    guard let id = ids.first, !arguments.has("list") else {
      try Console.write(BundleList.table(regions.map { BundleList($0.id, publisher) }))
      return .success
    }
    let lock = try folder.lock()
    return try withExtendedLifetime(lock) {
      try publisher.index.mend { Console.note(printable("note: \($0)")) }
      publisher.recover { id, message in
        Console.note(printable("note: \(id): \(message)"))
      }
      let text: String
      if arguments.has("undo") {
        text = "\(id): \(undo(id, publisher.earlier))\n"
      } else {
        let record = try publisher.earlier.rollBack(id, of: manifest, time: Glibc.time(nil))
        try publisher.index.write(manifest, [id: .held(HeldBundle.rolledBackReason)])
        let time = record.dataTimestamp.map { " of data of \($0)" } ?? ""
        let edges = record.edges.map { ", \(grouped($0)) edges" } ?? ""
        text = "\(id): published the earlier bundle\(time)\(edges)\n"
      }
      if !arguments.has("quiet") { try Console.write(text) }
      return .success
    }
  }

  /// Takes a rollback back, and says so.
  private static func undo(_ id: String, _ earlier: EarlierBundles) -> String {
    // A damaged record is removed.
    if let held = (try? earlier.held(id)) ?? nil, held.drift != nil {
      return "nothing was rolled back; \(held.text)"
    }
    return earlier.accept(id)
      ? "the next run publishes what its inputs give" : "nothing was rolled back"
  }
}
