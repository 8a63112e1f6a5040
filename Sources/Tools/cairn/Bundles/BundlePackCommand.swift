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
    summary: "pack a bundle into one .zip, the same bytes for the same bundle",
    discussion: """
      Writes the files of bundle.json, and nothing else, into a folder named after the region, with \
      the time of the data instead of that of the files. Each file is checked against its SHA-256 \
      on the way. An archive of Cairn's is replaced, nothing else is. \
      Exit code 0: packed; 65: a file is not as recorded; 66: a file is missing; 73: the archive \
      cannot be written.
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
      Console.note("note: \(printable(name)) is not part of the bundle and is left out")
    }
    let name = try bundle.plainID()
    let archive = try ZipWriter(path, comment: "\(cairnVersion) bundle \(name)")
    let time = bundle.dataTimestamp.map(ZipTime.init(timestamp:)) ?? .earliest
    for fileName in bundle.fileNames {
      let file = try bundle.pathOfFile(fileName)
      let digest = try archive.add(file, as: "\(name)/\(fileName)", time: time)
      guard let recorded = bundle.recorded(fileName), recorded.sha256 != digest else { continue }
      throw CairnError(
        "bundle-damaged", .dataError, "is not as \(name)/bundle.json records it",
        at: Location(file: file), hint: "cairn bundle verify says more")
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
