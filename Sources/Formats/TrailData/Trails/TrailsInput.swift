// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit

// The options of the stages that read ways with or without elevations.

extension TrailsFile {
  /// `--input` and `--trails`.
  ///
  /// - Parameters:
  ///   - kind: The kind of output that needs them, if the stage has others.
  ///   - withoutElevations: What a `.trails` file alone is for.
  package static func inputOptions(for kind: String? = nil, withoutElevations: String)
    -> [CommandDefinition.Option]
  {
    let prefix = kind.map { "for \($0): " } ?? ""
    return [
      .option(
        "input", "FILE.elevated", required: kind == nil,
        help: prefix + "output of cairn-sample-elevation, or a .trails file \(withoutElevations)"),
      .option(
        "trails", "FILE.trails",
        help: prefix + "with a .elevated file: the .trails file that it was made from"),
    ]
  }

  /// Opens the files of ``inputOptions(for:withoutElevations:)`` and checks them on some threads.
  /// Throws 64 if a `.elevated` file is given alone, and otherwise as
  /// ``init(_:elevated:threads:)`` does.
  package convenience init(_ arguments: Arguments, threads: Int) throws(CairnError) {
    let path = try arguments.required("input")
    let trails = arguments.value("trails")
    let input = try ContainerReader(
      path, kinds: trails == nil ? [.elevated, .trails] : [.elevated], threads: threads)
    if let trails {
      let container = try ContainerReader(trails, kinds: [.trails], threads: threads)
      try self.init(container, elevated: input, threads: threads)
    } else if input.kind == .trails {
      try self.init(input, elevated: nil, threads: threads)
    } else {
      throw arguments.usageError(
        "\(path) has elevations alone; --trails is required",
        hint: "add --trails with the file that cairn-sample-elevation read")
    }
  }
}
