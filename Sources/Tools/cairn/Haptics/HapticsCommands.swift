// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnHaptics
import Charts
import CommandLineKit
import Glibc
import Presentation
import SystemIO

/// `cairn haptics list`: the haptic patterns.
struct HapticsListCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn haptics list",
    summary: "list the haptic patterns that guide along a route",
    discussion: """
      For each pattern, prints its meaning, the watch haptic used in its place, its duration, and \
      the pattern that feels most similar: 0 is identical, 1 has nothing in common.
      """,
    options: [.flag("json", help: "print JSON with all events")],
    examples: ["cairn haptics list"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let records = HapticCue.allCases.map(HapticRecord.init)
    if arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(records), as: UTF8.self))
      return .success
    }
    try Console.write(HapticRecord.table(records, columns: Console.columns))
    return .success
  }
}

/// `cairn haptics export`: the patterns as AHAP files.
struct HapticsExportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn haptics export",
    summary: "write the haptic patterns as AHAP files for Core Haptics",
    discussion: """
      Writes one .ahap file per pattern, such as left.ahap. If a file of one of these names was \
      not written by Cairn, nothing is written.
      """,
    positionals: [.init("DIR", help: "the folder to write to; created if missing")],
    examples: ["cairn haptics export patterns"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals[0]
    try createFolder(folder)
    // All files appear, or none.
    let outputs = try HapticCue.allCases.map { cue in
      let output = try AtomicOutput(joinPath(folder, cue.fileName + ".ahap")) { head in
        head.starts(with: HapticPattern.ahapSignature.utf8)
      }
      try output.write(Array(cue.pattern.ahap(description: cue.text).utf8))
      return output
    }
    for output in outputs {
      try output.commit()
      try Console.write(output.path + "\n")
    }
    return .success
  }

  private static func createFolder(_ path: String) throws(CairnError) {
    guard mkdir(path, 0o755) != 0, !folderExists(path) else { return }
    throw CairnError(
      "output-folder", .cannotCreate,
      pathExists(path)
        ? "is not a folder" : "cannot be created: \(String(cString: strerror(errno)))",
      at: Location(file: path))
  }
}

/// `cairn haptics preview`: the patterns as a picture.
struct HapticsPreviewCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn haptics preview",
    summary: "draw the haptic patterns as SVG",
    options: [.option("output", "FILE", help: "file to write (default stdout)")],
    examples: ["cairn haptics preview --output patterns.svg"])

  private static let xmlDeclaration = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  private static let signature = xmlDeclaration + "<!-- cairn haptics "

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let chart = HapticChart(
      HapticCue.allCases.map { cue in
        .init(name: cue.fileName, meaning: cue.text, pattern: cue.pattern)
      })
    let text =
      signature + "\(cairnVersion) -->\n" + chart.svg.dropFirst(xmlDeclaration.count)
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output) { head in
        head.starts(with: signature.utf8)
      }
    } else {
      try Console.write(text)
    }
    return .success
  }
}
