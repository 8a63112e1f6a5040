// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnTracks
import GPXInput
import SystemIO
import XMLKit

/// A file of tracks in a command's arguments.
struct TrackInput {
  /// The argument; `stdin` for `-`.
  let name: String
  /// The content. A journal has one track.
  var file: GPXFile
  /// Its defects, for stderr.
  private(set) var notes: [String] = []

  /// Reads a GPX file, plain or compressed with gzip, or a journal of recorded fixes; `-` is stdin.
  /// Throws 66 if it does not exist and 65 if it is neither.
  init(_ word: String) throws(CairnError) {
    guard word == "-" else {
      name = word
      file = GPXFile()
      try read(word)
      return
    }
    name = "stdin"
    file = GPXFile()
    do throws(CairnError) {
      let copy = try StandardInputCopy()
      try read(copy.path)
    } catch {
      var error = error
      error.location?.file = name
      throw error
    }
  }

  /// Whether a word is stdin or names a file of tracks: by its ending, or by its first bytes.
  static func recognises(_ word: String) throws(CairnError) -> Bool {
    let name = word.lowercased()
    if word == "-" || name.hasSuffix(".gpx") || name.hasSuffix(".gpx.gz") { return true }
    guard pathExists(word), !folderExists(word) else { return false }
    if try isJournal(word) { return true }
    guard isMarkup(try head(of: word)) else { return false }
    return try xmlRootName(of: word) == "gpx"
  }

  private mutating func read(_ path: String) throws(CairnError) {
    guard try Self.isJournal(path) else {
      file = try GPXFile(path) { notes.append($0) }
      return
    }
    var segments: [[LocationFix]] = []
    do throws(RouteJournal.Failure) {
      let contents = try RouteJournal.read(path) { fix, beginsSegment in
        if beginsSegment || segments.isEmpty { segments.append([]) }
        segments[segments.count - 1].append(fix)
      }
      if contents.damagedBytes > 0 {
        notes.append("\(grouped(contents.damagedBytes)) damaged bytes were skipped")
      }
      if contents.tornBytes > 0 { notes.append("the last fix was cut off") }
    } catch { throw cairnError(error) }
    file.tracks = [RecordedRoute(segments: segments).track()]
  }

  private static func isJournal(_ path: String) throws(CairnError) -> Bool {
    RouteJournal.isJournal(head: try head(of: path))
  }

  /// The first bytes of a file.
  private static func head(of path: String) throws(CairnError) -> [UInt8] {
    let input = try InputFile(path)
    var head = [UInt8](repeating: 0, count: min(16, input.size))
    try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      _ = try input.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    return head
  }

  /// The tracks with points or, if there are none, the routes. Throws 65 if there are neither.
  func lines() throws(CairnError) -> [GPXFile.Line] {
    let lines = (file.tracks.isEmpty ? file.routes : file.tracks).filter { line in
      line.segments.contains { !$0.isEmpty }
    }
    guard !lines.isEmpty else {
      throw CairnError(
        "no-line", .dataError, "has neither tracks nor routes with points",
        at: Location(file: name))
    }
    return lines
  }

  /// The file with other lines in place of its tracks, or of the routes taken for them; all else is
  /// kept.
  func replacingLines(_ lines: [GPXFile.Line]) -> GPXFile {
    var changed = file
    if file.tracks.isEmpty { changed.routes = [] }
    changed.tracks = lines
    return changed
  }
}

/// A journal's error as a command's error.
func cairnError(_ failure: RouteJournal.Failure) -> CairnError {
  switch failure {
  case .missing(let path):
    CairnError("no-journal", .noInput, "no such file", at: Location(file: path))
  case .foreign(let path):
    CairnError(
      "not-a-journal", .dataError, "is not a journal of recorded fixes", at: Location(file: path))
  case .laterVersion(let path, let version):
    CairnError(
      "later-journal", .dataError,
      "is a journal of version \(version), which this version of Cairn cannot read",
      at: Location(file: path), hint: "use a later version of Cairn")
  case .inUse(let path):
    CairnError(
      "journal-in-use", .temporaryFailure, "is being recorded to", at: Location(file: path))
  case .cannotRead(let path, let reason):
    CairnError("journal", .ioError, "cannot be read: \(reason)", at: Location(file: path))
  case .cannotWrite(let path, let reason):
    CairnError("journal", .cannotCreate, "cannot be written: \(reason)", at: Location(file: path))
  }
}
