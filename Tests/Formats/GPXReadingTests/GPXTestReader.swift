// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPXReading
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(GPXInput)
  import GPXInput
#endif

/// The readers of GPX that there are: the tests are the same for all of them.
enum GPXTestReader: String, CaseIterable, Sendable {
  /// Foundation's parser, for apps.
  case foundation
  #if canImport(GPXInput)
    /// Expat, for the commands.
    case expat
  #endif

  /// Reads the bytes of a file.
  func read(_ bytes: some Sequence<UInt8>, _ omissions: inout [GPXOmission]) throws(GPXError)
    -> GPXFile
  {
    switch self {
    case .foundation: return try GPXFile(data: Data(bytes), omissions: &omissions)
    #if canImport(GPXInput)
      case .expat:
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gpx")
        defer { try? FileManager.default.removeItem(at: url) }
        do { try Data(bytes).write(to: url) } catch { throw .unreadable("\(error)") }
        var warnings = WarningTally()
        defer { omissions = warnings.entries.map(GPXOmission.init) }
        do throws(CairnError) { return try GPXFile(url.path, warnings: &warnings) } catch {
          var position: GPXError.Position?
          if case .line(let line, let column) = error.location?.position {
            position = GPXError.Position(line: line, column: column)
          }
          throw GPXError(error, at: position)
        }
    #endif
    }
  }

  /// Reads a file that leaves nothing out.
  func read(_ bytes: some Sequence<UInt8>) throws -> GPXFile {
    var omissions: [GPXOmission] = []
    let file = try read(bytes, &omissions)
    #expect(omissions.isEmpty)
    return file
  }

  /// Reads a root element with a content.
  func read(_ body: String, root: String = "<gpx>") throws -> GPXFile {
    try read((root + body + "</gpx>").utf8)
  }

  /// The same, and what is left out.
  func read(_ body: String, root: String = "<gpx>", _ omissions: inout [GPXOmission]) throws
    -> GPXFile
  {
    try read((root + body + "</gpx>").utf8, &omissions)
  }

  /// Why bytes are refused; nil if they are not.
  func refusal(of bytes: some Sequence<UInt8>) -> GPXError? {
    var omissions: [GPXOmission] = []
    do throws(GPXError) {
      _ = try read(bytes, &omissions)
      return nil
    } catch { return error }
  }
}

extension GPXError {
  /// What kind of error it is, without words.
  var kind: String {
    switch self {
    case .unreadable: "unreadable"
    case .notGPX: "not GPX"
    case .malformed: "malformed"
    case .refused: "refused"
    case .invalid: "invalid"
    }
  }

  /// Where it is.
  var position: Position? {
    switch self {
    case .unreadable, .notGPX: nil
    case .malformed(_, let position), .refused(_, let position), .invalid(_, let position): position
    }
  }
}
