// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import DownloadCache
import Glibc
import SystemIO

/// `cairn-fetch`: downloads a file and checks it.
package struct FetchCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-fetch",
    summary: "download a file and check its digest",
    discussion: """
      The file gets its name when it is complete and its SHA-256 matches. Until then it is kept as \
      OUTPUT.part, with OUTPUT.part.state beside it, and the next attempt continues it if the \
      server still has the same version. Without --sha256, prints the digest for the manifest. \
      With --cache, takes the file from the cache if it is there, and otherwise adds it; without \
      --output, only adds it. Waits if the server asks to (Retry-After). Exit code 65: wrong \
      digest or content, too large, or empty without such a digest; 66: the server does not have the file, or --offline \
      and it is not in the cache; 73: a file of another program is in the way; 75: a temporary \
      failure, worth another attempt.
      """,
    options: [
      .option("url", "URL", required: true, help: "https, http or file"),
      .option("sha256", "DIGEST", help: "required digest, 64 hexadecimal digits"),
      .option("output", "FILE", help: "the file to write"),
      .option("cache", "DIR", help: "the cache of downloads"),
      .flag("offline", help: "use only the cache"),
      .flag("head", help: "only ask whether the server has the file, and download nothing"),
      .option(
        "partial", "FILE",
        help: "where to keep an incomplete file, on the same file system (default: OUTPUT.part)"),
      .option("unless-tag", "TAG", help: "download only if the entity tag is no longer this one"),
      .option("unless-date", "DATE", help: "download only if changed since this HTTP date"),
      .option("md5", "URL", help: "compare with the MD5 sum at this URL"),
      .option("content", "KIND", help: "refuse content other than pbf, overpass, answer or tile"),
      .option("query", "FILE", help: "post this query to the URL of an Overpass API"),
      .flag("locked", help: "the digest is from a lock file; errors say how to renew it"),
      .option("max-bytes", "N", help: "largest accepted size (default 200 000 000 000)"),
      .option(
        "stall", "SECONDS", help: "end an attempt after this long without data (default 60)"),
      .option(
        "retries", "N", help: "attempts without progress after the first one (default 3)"),
      .option(
        "max-wait", "SECONDS", help: "total time to wait if the server asks to (default 600)"),
      .option("parent", "PID", help: "end when this process ends"),
    ],
    examples: [
      "cairn-fetch --url https://download.geofabrik.de/europe/andorra-latest.osm.pbf \\",
      "    --output andorra.osm.pbf",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let arguments = stage.arguments
    if let parent = try arguments.integer("parent", in: 1...Int(Int32.max)),
      !Subprocess.endWithParent(Int32(parent))
    {
      throw CairnError(
        "no-parent", .temporaryFailure, "parent process \(parent) has ended")
    }
    let task = try FetchTask(arguments)
    if arguments.has("head") {
      let bytes = try task.head()
      stage.output["bytes"] = bytes.map { .integer($0) } ?? .null
      stage.summary = "the server has it" + (bytes.map { ", \(byteSize($0))" } ?? "")
      return .success
    }
    // An existing file is never replaced; if it is the requested one, nothing is left to do.
    if let output = task.output, pathExists(output), !AtomicOutput.isStream(output) {
      guard let sha256 = task.download.sha256, try SHA256Digest.ofFile(output) == sha256 else {
        throw CairnError(
          .outputIsForeign, .cannotCreate, "already exists", at: Location(file: output),
          hint: "move it away, or choose another output")
      }
      stage.summary = "already downloaded"
      return .success
    }
    switch try task.run(progress: stage.progress, wait: { sleep(UInt32(clamping: $0)) }) {
    case .unchanged:
      stage.output["isUnchanged"] = .boolean(true)
      stage.summary = "not changed"
    case .cached(let bytes, let sha256):
      stage.output["bytes"] = .integer(bytes)
      stage.output["sha256"] = .text(sha256)
      stage.output["isFromCache"] = .boolean(true)
      stage.summary = "\(grouped(bytes)) bytes from the cache of downloads"
    case .downloaded(let done):
      stage.output["bytes"] = .integer(done.bytes)
      stage.output["sha256"] = .text(done.sha256)
      stage.output["resumedBytes"] = .integer(done.resumedBytes)
      for (key, value) in [
        ("tag", done.tag), ("lastModified", done.lastModified), ("md5", done.md5),
        ("dataTimestamp", done.dataTimestamp),
      ] {
        if let value { stage.output[key] = .text(value) }
      }
      if task.download.sha256 == nil, task.output != nil {
        try Console.write("\(done.sha256)\n")
      }
      stage.summary =
        "\(byteSize(done.bytes))"
        + (done.resumedBytes > 0
          ? ", \(byteSize(done.resumedBytes)) of it from an earlier attempt" : "")
    }
    return .success
  }
}
