import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Glibc
import SystemIO

/// `cairn-fetch`: a URL becomes a file with a known digest.
package struct FetchCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-fetch",
    summary: "fetch a file from a URL and check its digest",
    discussion: """
      The file gets its name when it is whole and its SHA-256 is right. Until then it is kept as \
      OUTPUT.part, and the next attempt goes on from there. Without --sha256 the digest is \
      printed, for the manifest. Exit code 65: another digest or too large; 66: the server does \
      not give the file; 75: a fault that may pass, worth another attempt.
      """,
    options: [
      .option("url", "URL", required: true, help: "https, http or file"),
      .option("sha256", "DIGEST", help: "what the file must have, 64 hexadecimal digits"),
      .option("output", "FILE", required: true, help: "the file to write"),
      .option(
        "partial", "FILE",
        help: "where to keep what is not whole (default: OUTPUT.part); in the same file system"),
      .option("max-bytes", "N", help: "the most that is taken (default 200 000 000 000)"),
      .option("stall", "SECONDS", help: "give up an attempt without a byte (default 60)"),
      .option("retries", "N", help: "further attempts after a fault that may pass (default 3)"),
    ],
    examples: [
      "cairn-fetch --url https://download.geofabrik.de/europe/andorra-latest.osm.pbf \\",
      "    --output andorra.osm.pbf",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let arguments = stage.arguments
    let output = try arguments.required("output")
    let sha256 = arguments.value("sha256")?.lowercased()
    if let sha256 {
      guard sha256.utf8.count == 64, sha256.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
        throw arguments.usageError("--sha256 takes 64 hexadecimal digits, not “\(sha256)”")
      }
    }
    // What is there may be anybody's; only the very same file is left and counts as done.
    if pathExists(output) {
      guard let sha256, try SHA256Digest.ofFile(output) == sha256 else {
        throw CairnError(
          .outputIsForeign, .cannotCreate, "is there already", at: Location(file: output),
          hint: "move it away, or choose another output")
      }
      stage.summary = "there already"
      return .success
    }
    let download = Download(
      url: try arguments.required("url"), sha256: sha256,
      maximumBytes: try arguments.integer("max-bytes", in: 1...1_000_000_000_000_000)
        ?? 200_000_000_000,
      stallSeconds: try arguments.integer("stall", in: 1...3600) ?? 60,
      retries: try arguments.integer("retries", in: 0...100) ?? 3)
    let done = try download.run(
      partial: arguments.value("partial") ?? output + ".part", output: output,
      progress: stage.progress
    ) { sleep(UInt32($0)) }
    stage.output["bytes"] = .integer(done.bytes)
    stage.output["sha256"] = .text(done.sha256)
    stage.output["resumedBytes"] = .integer(done.resumedBytes)
    if sha256 == nil { try Console.write("\(done.sha256)\n") }
    stage.summary =
      "\(grouped(done.bytes)) bytes"
      + (done.resumedBytes > 0 ? ", \(grouped(done.resumedBytes)) of them from before" : "")
    return .success
  }
}
