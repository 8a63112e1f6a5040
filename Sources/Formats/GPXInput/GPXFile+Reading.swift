// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import SystemIO
import XMLKit

extension GPXFile {
  /// Reads a file of any size, plain or compressed with gzip, in little memory, calling `visit` for
  /// each piece. Returns the metadata of the file, without lines and waypoints.
  ///
  /// - Parameter warnings: Counts the values left out because they cannot be read: times, numbers,
  ///   extensions that are not well-formed in their namespaces.
  ///
  /// Throws 66 if it does not exist, 65 with line and column for anything but valid GPX with valid
  /// coordinates, 74 if reading fails, and the errors of `visit`.
  package static func read(
    _ path: String, warnings: inout WarningTally, _ visit: (Piece) throws(CairnError) -> Void
  ) throws(CairnError) -> GPXFile {
    do throws(CairnError) {
      return try withoutActuallyEscaping(visit) { visit throws(CairnError) in
        let reader = try ExpatGPXReader(GPXReader(visit))
        defer { warnings.merge(reader.content.warnings) }
        try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
        return reader.content.file
      }
    } catch { throw error.located(inFile: path) }
  }

  /// Reads a file, plain or compressed with gzip.
  ///
  /// Throws the errors of ``read(_:warnings:_:)``, and 65 for more than ``GPXPieces/maximumPoints``
  /// or ``GPXPieces/maximumTextBytes``.
  package init(_ path: String, warnings: inout WarningTally) throws(CairnError) {
    var pieces = GPXPieces()
    let head = try Self.read(path, warnings: &warnings) { piece throws(CairnError) in
      try pieces.add(piece)
    }
    self = pieces.file(head)
  }

  /// Reads a file, and tells what was left out because it cannot be read, in a line for each kind:
  /// “a time cannot be read: 12, such as “noon””.
  package init(_ path: String, note: (String) -> Void) throws(CairnError) {
    var warnings = WarningTally()
    try self.init(path, warnings: &warnings)
    for entry in warnings.entries {
      let example = entry.examples.first.map { ", such as \(printable($0))" } ?? ""
      note("\(entry.kind): \(grouped(entry.count))\(example)")
    }
  }
}

/// Connects Expat to a reader of GPX.
private final class ExpatGPXReader: XMLElementReader {
  let parser: ExpatParser
  let content: GPXReader
  private var isTextReported = false

  init(_ content: GPXReader) throws(CairnError) {
    self.content = content
    parser = try ExpatParser()
  }

  var kind: String { "GPX" }

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {
    try content.start(name, attributes)
    followWishes()
  }

  func text(_ bytes: UnsafeRawBufferPointer) { content.text(bytes) }

  func end(_ name: UnsafePointer<CChar>) throws(CairnError) {
    try content.end()
    followWishes()
  }

  /// Disables the reporting of unneeded text, which is most of it.
  private func followWishes() {
    guard content.wantsText != isTextReported else { return }
    isTextReported = content.wantsText
    reportText(isTextReported)
  }
}
