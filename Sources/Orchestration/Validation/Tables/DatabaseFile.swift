// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import SQLiteKit
import SystemIO

extension CairnError.Code {
  /// Beside the database lies what a writer would have put into it.
  static let unfinishedDatabase: Self = "unfinished-database"
}

/// What the first bytes of a database, its size and its neighbours tell before SQLite looks at it.
struct DatabaseFile {
  /// The size of the file.
  let bytes: Int

  /// Looks at a file. Throws 66 if it is not there, and 65 if it is no SQLite database, cut off,
  /// or not finished by whoever wrote it.
  init(_ path: String) throws(CairnError) {
    let file = try InputFile(path)
    bytes = file.size
    let place = Location(file: path)
    guard bytes > 0 else {
      throw CairnError(.notADatabase, .dataError, "is empty", at: place)
    }
    var head = [UInt8](repeating: 0, count: 100)
    let count = try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    guard head.starts(with: "SQLite format 3\0".utf8.prefix(count)) else {
      throw CairnError(
        .notADatabase, .dataError, "is not an SQLite database", at: place,
        hint: "is it a file that cairn-compute-costs wrote?")
    }
    guard count == head.count else { throw Self.cutOff(place, bytes, promised: head.count) }
    try Self.checkSize(head, bytes, place)
    try Self.checkNeighbours(path)
    // 2 stands for a database whose last changes may lie in another file.
    guard head[18] != 2, head[19] != 2 else {
      throw CairnError(
        .unfinishedDatabase, .dataError, "is in WAL mode: it needs a second file to be read",
        at: place, hint: "close it with PRAGMA journal_mode=DELETE, or build it anew")
    }
  }

  private static func checkSize(_ head: [UInt8], _ bytes: Int, _ place: Location)
    throws(CairnError)
  {
    let stored = Int(head[16]) << 8 | Int(head[17])
    let pageBytes = stored == 1 ? 65_536 : stored
    let pages = head[28..<32].reduce(0) { $0 << 8 | Int($1) }
    // The number of pages only counts if the same version wrote it.
    guard head[24..<28].elementsEqual(head[92..<96]), pages > 0, pageBytes >= 512,
      bytes < pages * pageBytes
    else { return }
    throw cutOff(place, bytes, promised: pages * pageBytes)
  }

  private static func cutOff(_ place: Location, _ bytes: Int, promised: Int) -> CairnError {
    CairnError(
      .damagedDatabase, .dataError,
      "is cut off: it has \(grouped(bytes)) of \(grouped(promised)) bytes", at: place,
      hint: "copy it again, or build it anew")
  }

  private static func checkNeighbours(_ path: String) throws(CairnError) {
    for ending in ["-wal", "-journal"] where pathExists(path + ending) {
      // What is there and cannot be read may hold anything.
      let size = (try? InputFile(path + ending))?.size ?? 1
      guard size > 0 else { continue }
      throw CairnError(
        .unfinishedDatabase, .dataError,
        "\(splitPath(path + ending).name) lies beside it: it was not closed, and what the file "
          + "says is not the last word", at: Location(file: path),
        hint: "close it with the program that wrote it, or build it anew")
    }
  }
}
