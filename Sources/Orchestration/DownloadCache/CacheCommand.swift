// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import Glibc
import SystemIO

/// `cairn cache list` and `cairn cache prune`.
package struct CacheCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn cache",
    summary: "list downloads, or remove old ones",
    discussion: """
      Downloads are kept under their digests in the folder CAIRN_CACHE, or else cairn in \
      XDG_CACHE_HOME, or ~/.cache/cairn. All manifests and concurrent runs share it. prune removes \
      files not used for some time and, beyond a size, those used longest ago; a file that is \
      needed again is downloaded again. Other programs' files stay. Exit code 0: done; 64: prune \
      without a limit; 73: the folder is not a Cairn cache.
      """,
    positionals: [.init("ACTION", help: "list or prune")],
    options: [
      .option("older-than", "DAYS", help: "prune: remove files not used for this many days"),
      .option(
        "max-size", "GB",
        help: "prune: keep at most this many gigabytes, used last (0 for none)"),
      .flag("dry-run", letter: "n", help: "prune: list what would be removed, and remove nothing"),
      .flag("json", help: "print JSON"),
    ],
    examples: ["cairn cache list", "cairn cache prune --older-than 30 --max-size 20"])

  /// Lists or prunes.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let found = DownloadCache.location { name in getenv(name).map { String(cString: $0) } }
    guard let path = found else {
      throw CairnError(
        .cannotCreate, .cannotCreate, "no folder for the cache: HOME is not set",
        hint: "set CAIRN_CACHE to a folder")
    }
    let cache = DownloadCache(path)
    if pathExists(path), !cache.exists, try !folderContents(path).isEmpty { try cache.prepare() }
    let entries = try cache.entries()
    switch arguments.positionals.first {
    case "list":
      try list(entries, path, isJSON: arguments.has("json"))
    case "prune":
      let days = try arguments.integer("older-than", in: 0...100_000)
      let size = try arguments.number("max-size", in: 0...1e6)
      guard days != nil || size != nil else {
        throw arguments.usageError("prune needs --older-than or --max-size")
      }
      let chosen = DownloadCache.superfluous(
        entries, olderThanSeconds: days.map { $0 * 86_400 },
        maximumBytes: size.flatMap { Int(exactly: ($0 * 1e9).rounded()) }, now: time(nil))
      let isDryRun = arguments.has("dry-run")
      let gone = isDryRun ? chosen : cache.remove(chosen)
      try report(gone, isDryRun: isDryRun, isJSON: arguments.has("json"))
    case let word:
      throw arguments.usageError("unknown action “\(printable(word ?? ""))”: use list or prune")
    }
    return .success
  }

  private static func list(_ entries: [DownloadCache.Entry], _ path: String, isJSON: Bool) throws {
    let bytes = entries.reduce(0) { $0 &+ $1.bytes }
    if isJSON {
      let object: JSONValue = .object([
        "path": .text(path), "bytes": .integer(bytes), "files": .list(entries.map(\.json)),
      ])
      try Console.write(String(decoding: try encodeJSON(object), as: UTF8.self))
      return
    }
    var table = TextTable([.left, .right, .left])
    table.add(["file", "size", "last used"])
    for entry in entries {
      table.add([entry.name, byteSize(entry.bytes), String(entry.lastUseText.prefix(10))])
    }
    try Console.write(
      (entries.isEmpty ? "" : table.text)
        + "\(printable(path)): \(entries.count) \(entries.count == 1 ? "file" : "files"), "
        + "\(byteSize(bytes))\n")
  }

  private static func report(_ gone: [DownloadCache.Entry], isDryRun: Bool, isJSON: Bool) throws {
    let bytes = gone.reduce(0) { $0 &+ $1.bytes }
    if isJSON {
      let object: JSONValue = .object([
        "removed": .list(gone.map(\.json)), "bytes": .integer(bytes),
        "isDryRun": .boolean(isDryRun),
      ])
      try Console.write(String(decoding: try encodeJSON(object), as: UTF8.self))
      return
    }
    let verb = isDryRun ? "would remove" : "removed"
    let lines = gone.map { "\(verb) \($0.name) (\(byteSize($0.bytes)))\n" }
    let total =
      gone.isEmpty
      ? "nothing to remove\n"
      : "\(byteSize(bytes)) \(isDryRun ? "would be freed" : "freed")\n"
    try Console.write(lines.joined() + total)
  }
}

extension DownloadCache.Entry {
  fileprivate var name: String {
    sha256 ?? "incomplete \(splitPath(path).name.prefix(12))…"
  }

  fileprivate var lastUseText: String {
    timestampText(Date(timeIntervalSince1970: Double(lastUse))) ?? ""
  }

  fileprivate var json: JSONValue {
    .object([
      "sha256": sha256.map { .text($0) } ?? .null, "path": .text(path), "bytes": .integer(bytes),
      "lastUse": .text(lastUseText),
    ])
  }
}
