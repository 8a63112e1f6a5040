// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPX
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// The destination of a route: standard output or a file.
struct RouteOutput {
  static let option = CommandDefinition.Option.option(
    "output", "FILE", help: "file to write (default stdout)")

  private let path: String?
  private let isReplaced: @Sendable ([UInt8]) -> Bool

  /// - Parameter format: Nil for a planned route.
  init(_ arguments: Arguments, _ format: RouteFormat?) {
    let path = arguments.outputFile
    self.path = path
    isReplaced = { head in
      switch format {
      case .gpx: GPXExporter.recognises(head: head, ofCreator: "cairn ")
      case .geojson: isGeoJSONOfCairn(head)
      // It has no room for a signature, since apps read it.
      case nil: path.map(isPlannedRoute) ?? false
      // Neither has a signature, so an existing file stays.
      case .text, .json: false
      }
    }
  }

  /// Writes the text. Throws 73 if the file is not one of Cairn's in this format.
  func write(_ text: String) throws(CairnError) {
    guard let path else { return try Console.write(text) }
    try AtomicOutput.write(Array(text.utf8), to: path, replacing: isReplaced)
  }
}

extension RouteFormat {
  /// Reads `--format`; text if it is not given or is one of `others`. Throws 64 for anything else.
  init(_ arguments: Arguments, besides others: [String] = []) throws(CairnError) {
    let formats = Self.allCases.map(\.rawValue) + others
    self = try arguments.choice("format", of: formats).flatMap(Self.init) ?? .text
  }
}
