import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Glibc
import SystemIO

/// `cairn gc MANIFEST`: room on the disk.
package struct GCCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn gc",
    summary: "remove what the next run of a manifest does not need",
    discussion: """
      Looks through OUTPUT/.cairn for results of earlier inputs, leftovers of killed runs, and \
      notes and bundles of regions that the manifest no longer has. What is published is not \
      touched, and nothing that Cairn did not make. If several manifests share an output folder, \
      what only the others need goes, too, and is made anew by their next run.
      """,
    positionals: [.init("MANIFEST", help: "the manifest, a YAML file")],
    options: [
      .flag("dry-run", letter: "n", help: "say what would be removed, and remove nothing"),
      .option("keep-previous", "N", help: "earlier bundles to keep of each region (default 1)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      .option("bin", "DIR", help: "the folder of the stages (default: that of cairn)"),
    ],
    examples: ["cairn gc --dry-run pipelines/sample.yaml"])

  /// Removes, or says what it would remove.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let plan = try Plan(Manifest.load(arguments.positionals.first ?? ""), selection: nil)
    let isDryRun = arguments.has("dry-run")
    let store = ActionStore(root: joinPath(plan.manifest.output, ".cairn"))
    // A run at the same time would miss what is removed.
    let lock = isDryRun || !pathExists(store.root) ? nil : try FileLock(store.lockPath)
    return try withExtendedLifetime(lock) {
      let collector = try GarbageCollector(
        plan, binaries: arguments.value("bin") ?? executableFolder(),
        sourceDateEpoch: getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) },
        keepPrevious: try arguments.integer("keep-previous", in: 0...1000) ?? 1)
      let items = try collector.items()
      let notes = isDryRun ? [] : try collector.remove(items)
      for note in notes { Console.note("note: \(note)") }
      guard !arguments.has("quiet") else { return .success }
      let bytes = items.reduce(0) { $0 &+ $1.bytes }
      let lines = items.map { item in
        "\(isDryRun ? "would remove" : "removed") \(item.path) (\(item.what), "
          + "\(byteSize(item.bytes)))\n"
      }
      let total =
        items.isEmpty
        ? "nothing to remove\n"
        : "\(byteSize(bytes)) \(isDryRun ? "would be freed" : "freed")\n"
      try Console.write(lines.joined() + total)
      return .success
    }
  }
}
