// SPDX-License-Identifier: Apache-2.0

import BundleFolders
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import SystemIO
import ZipArchive

/// `cairn bundle pack`: a bundle as one .zip.
struct BundlePackCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn bundle pack",
    summary: "pack a bundle into a reproducible .zip",
    discussion: """
      Writes the files of bundle.json, and nothing else, into a folder named after the region, \
      dated with the time of the data. Checks the SHA-256 of each file. Replaces only archives \
      that Cairn wrote. Exit code 0: packed; 65: a file does not match bundle.json; 66: a file is \
      missing; 73: the archive cannot be written.
      """,
    positionals: [.init("BUNDLE", help: "the folder of a region, such as OUTPUT/REGION")],
    options: [
      .option("output", "FILE.zip", letter: "o", required: true, help: "the archive to write"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
    ],
    examples: ["cairn bundle pack build/sample/valley-west --output valley-west.zip"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let bundle = try BundleFolder(arguments.positionals[0])
    let path = try arguments.required("output")
    for name in try bundle.foreignNames() {
      Console.note("note: \(printable(name)) is not part of the bundle; skipped")
    }
    let name = try bundle.plainID()
    let archive = try ZipWriter(path, comment: "\(cairnVersion) bundle \(name)")
    let time = bundle.dataTimestamp.map(ZipTime.init(timestamp:)) ?? .earliest
    for fileName in bundle.fileNames {
      let file = try bundle.pathOfFile(fileName)
      let digest = try archive.add(file, as: "\(name)/\(fileName)", time: time)
      guard let recorded = bundle.recorded(fileName), recorded.sha256 != digest else { continue }
      throw CairnError(
        "bundle-damaged", .dataError, "does not match \(name)/bundle.json",
        at: Location(file: file), hint: "run cairn bundle verify for details")
    }
    let bytes = try archive.finish()
    if !arguments.has("quiet"), !AtomicOutput.isStream(path) {
      let count = bundle.fileNames.count
      try Console.write(
        "\(printable(path)): \(count) \(count == 1 ? "file" : "files"), \(byteSize(bytes))\n")
    }
    return .success
  }
}
