// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning
import SystemIO

/// `cairn gc MANIFEST`: frees disk space.
package struct GCCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn gc",
    summary: "remove what the next run of a manifest does not need",
    discussion: """
      Removes from OUTPUT/.cairn the results of earlier inputs, leftovers of killed runs, and the \
      records and earlier bundles of regions that the manifest no longer has; also removes the \
      published bundles of those regions. Touches only files that Cairn made: other files in the \
      folder of such a bundle are moved to OUTPUT/.cairn/kept. If several manifests share an \
      output folder, keeps what the last runs of the others used. Prints how many results and other \
      files go and how large they are, by region; --verbose prints each.
      """,
    positionals: [.manifest],
    options: [
      .flag("dry-run", letter: "n", help: "list what would be removed, and remove nothing"),
      .flag("keep-left", help: "keep published bundles of regions that left the manifest"),
      .option(
        "former-name", "NAME",
        help: "former name of the manifest: regions under that name belong to it, or left it"
      ),
      .option("keep-previous", "N", help: "earlier bundles to keep per region (default 1)"),
      .flag("verbose", letter: "v", help: "print each result and file"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ],
    examples: ["cairn gc --dry-run pipelines/sample.yaml"])

  /// Removes the items, or lists them.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let plan = try Plan(
      Manifest.load(argument: arguments.positionals.first).locked(), selection: nil)
    let isDryRun = arguments.has("dry-run")
    let options = try Orchestrator.Options(arguments)
    let folder = OutputFolder(plan.manifest)
    // A concurrent run would miss removed files.
    let lock = isDryRun || !folder.exists ? nil : try folder.lock()
    return try withExtendedLifetime(lock) {
      if lock != nil { try folder.publisher().index.mend { Console.note("note: \($0)") } }
      var collector = try GarbageCollector(
        plan, folder, options, formerName: arguments.value("former-name"))
      collector.keepsLeft = arguments.has("keep-left")
      let items = try collector.items()
      let bytes = removableBytes(items.map(\.path))
      let summary = GarbageSummary(
        items, regions: plan.manifest.regions.map(\.id),
        others: collector.publisher.index.regionsOfOthers(plan.manifest),
        collector.publisher.index)
      let notes = isDryRun ? [] : try collector.remove(items)
      guard !arguments.has("quiet") else { return .success }
      for note in notes { Console.note("note: \(note)") }
      let lines = items.map { item in
        "\(isDryRun ? "would remove" : "removed") \(printable(item.path)) (\(printable(item.what)), "
          + "\(byteSize(item.bytes)))\n"
      }
      let others: [String] = Dictionary(grouping: collector.publisher.index.knownRegions()) {
        $0.manifest ?? ""
      }
      .filter { $0.key != plan.manifest.name }.sorted { $0.key < $1.key }
      .map { name, regions in
        "“\(printable(name))” also uses this output, and keeps \(counted(regions.count, "region"))"
          + " (use --former-name if \(printable(plan.manifest.name)) had that name)\n"
      }
      let total =
        items.isEmpty
        ? "nothing to remove\n"
        : "\(byteSize(bytes.freed)) \(isDryRun ? "would be freed" : "freed")"
          + (bytes.shared > 0
            ? "; \(byteSize(bytes.shared)) are shared with what stays, such as bundles\n" : "\n")
      let list = arguments.has("verbose") ? lines.joined() : summary.table
      try Console.write(list + others.joined() + total)
      return .success
    }
  }
}
