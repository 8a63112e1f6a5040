// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Formatting
import Glibc
import SystemIO

/// `cairn-fetch`: downloads a file and checks its digest.
package struct FetchCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-fetch",
    summary: "download a file and check its digest",
    discussion: """
      The file gets its name when it is complete and its SHA-256 is right. Until then it is kept \
      as OUTPUT.part, with OUTPUT.part.state beside it, and the next attempt continues it if the \
      server still has the same version. Without --sha256 the digest is printed, for the manifest. \
      Exit code 65: another digest, empty or too large; 66: the server does not serve the file; \
      73: a file of another program is in the way; 75: a temporary failure, worth another attempt.
      """,
    options: [
      .option("url", "URL", required: true, help: "https, http or file"),
      .option("sha256", "DIGEST", help: "required digest, 64 hexadecimal digits"),
      .option("output", "FILE", required: true, help: "the file to write"),
      .option(
        "partial", "FILE",
        help: "where to keep an incomplete file (default: OUTPUT.part), in the same file system"),
      .option("max-bytes", "N", help: "largest accepted size (default 200 000 000 000)"),
      .option(
        "stall", "SECONDS", help: "give up an attempt after so long without a byte (default 60)"),
      .option("retries", "N", help: "further attempts after a temporary failure (default 3)"),
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
    // A file that exists is never replaced; if it is the very file that was asked for, all is done.
    if pathExists(output) {
      guard let sha256, try SHA256Digest.ofFile(output) == sha256 else {
        throw CairnError(
          .outputIsForeign, .cannotCreate, "already exists", at: Location(file: output),
          hint: "move it away, or choose another output")
      }
      stage.summary = "already downloaded"
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
      + (done.resumedBytes > 0
        ? ", \(grouped(done.resumedBytes)) of them from an earlier attempt" : "")
    return .success
  }
}
