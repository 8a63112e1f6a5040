// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import SystemIO

extension CairnError.Code {
  /// The download is plainly something else, such as an error page.
  package static let wrongContent: Self = "wrong-content"
}

/// The expected kind of a download. Its readers check whether it is completely valid.
package enum DownloadedContent: String, CaseIterable, Sendable {
  /// A PBF file.
  case pbf
  /// OSM or Overpass XML, plain or gzip.
  case overpass
  /// The whole answer to a query, as plain XML.
  case answer
  /// An elevation tile: anything except a page.
  case tile

  private static let headBytes = 4096

  /// Throws 65 if a file is something else, and 75 if it is an answer that Overpass could not
  /// finish. Returns the time of the data, if it is an answer that states it.
  package func check(_ path: String) throws(CairnError) -> String? {
    let file = try InputFile(path)
    let head = try bytes(of: file, at: 0, count: Self.headBytes)
    let text = String(decoding: head, as: UTF8.self)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(200).lowercased()
    let isPage = start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    if isPage || start.contains("<html") {
      throw wrong("is a web page, not data" + (title(of: text).map { ": “\($0)”" } ?? ""))
    }
    switch self {
    case .pbf:
      // The first blob of every PBF file is of this type.
      let isPBF = head.prefix(64).indices.contains { head[$0...].starts(with: "OSMHeader".utf8) }
      guard isPBF else { throw wrong("is not a PBF file") }
    case .overpass:
      guard start.hasPrefix("<") || head.starts(with: [0x1F, 0x8B]) else {
        throw wrong("is neither XML nor gzip")
      }
    case .answer:
      guard start.hasPrefix("<?xml") || start.hasPrefix("<osm") else { throw wrong("is not XML") }
      return try checkAnswer(file, head: text)
    case .tile: break
    }
    return nil
  }

  /// Checks an Overpass answer: it must be complete and without the remark of a failure, which the
  /// server sends with status 200.
  private func checkAnswer(_ file: InputFile, head: String) throws(CairnError) -> String? {
    let mark = Array("<remark".utf8)
    let step = 1 << 18
    var offset = 0
    while offset < file.size {
      // Pieces overlap, so that none splits the mark.
      let piece = try bytes(of: file, at: offset, count: step + mark.count)
      if piece.isEmpty { break }
      if let index = firstIndex(of: mark, in: piece) {
        let words = try bytes(of: file, at: offset + index, count: 600)
        throw CairnError(
          .wrongContent, .temporaryFailure,
          "Overpass reported an error: “\(remark(String(decoding: words, as: UTF8.self)))”",
          hint: "run again later, or use smaller regions or a PBF extract")
      }
      offset += step
    }
    let end = try bytes(of: file, at: max(0, file.size - 64), count: 64)
    let tail = String(decoding: end, as: UTF8.self).reversed().drop { $0.isWhitespace }
    guard String(tail.reversed()).hasSuffix("</osm>") else {
      throw CairnError(
        .wrongContent, .temporaryFailure, "is truncated", hint: "run again")
    }
    return head.firstRange(of: "osm_base=\"").map { range in
      String(head[range.upperBound...].prefix { $0 != "\"" }.prefix(40))
    }.flatMap { parsedTimestamp($0) == nil ? nil : $0 }
  }

  private func firstIndex(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
    var index = bytes.startIndex
    while let found = bytes[index...].firstIndex(of: mark[0]) {
      if bytes[found...].starts(with: mark) { return found }
      index = found + 1
    }
    return nil
  }

  private func remark(_ text: String) -> String {
    let words = text.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
    return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func title(of page: String) -> String? {
    guard let start = page.firstRange(of: "<title>")?.upperBound else { return nil }
    let words = page[start...].prefix { $0 != "<" }.split(whereSeparator: \.isWhitespace)
    return words.isEmpty ? nil : String(words.joined(separator: " ").prefix(120))
  }

  private func wrong(_ message: String) -> CairnError {
    CairnError(.wrongContent, .dataError, message, hint: "open the URL in a browser to see why")
  }

  private func bytes(of file: InputFile, at offset: Int, count: Int) throws(CairnError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = try bytes.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
        let whole = UnsafeMutableRawBufferPointer(buffer)
        return try file.read(
          into: UnsafeMutableRawBufferPointer(rebasing: whole[done...]), at: offset + done)
      }
      if got == 0 { break }
      done += got
    }
    return Array(bytes.prefix(done))
  }
}
