// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Recognises a web page that a server sent instead of data.
enum HTMLPage {
  /// Whether the beginning of a file looks like a web page.
  static func isLikely(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(1024), as: UTF8.self).lowercased()
    return text.contains("<html") || text.contains("<!doctype html")
  }

  /// An error that quotes the page.
  static func error(_ head: [UInt8]) -> CairnError {
    let text = String(decoding: head, as: UTF8.self)
    let words = [
      content(of: text, from: "<title>", to: "</title>"),
      // The form of error messages of Overpass.
      content(of: text, from: "Error</strong>:", to: "</p>").map { "error: \($0)" },
    ]
    let quote = words.compactMap { $0 }.joined(separator: "; ")
    return .badData(
      .overpassFailure,
      "is a web page, not OpenStreetMap data" + (quote.isEmpty ? "" : ": “\(quote)”"),
      hint: "the server refused the query; check it, or try again later")
  }

  private static func content(of page: String, from start: String, to end: String) -> String? {
    guard let from = firstRange(of: start, in: page[...])?.upperBound,
      let to = firstRange(of: end, in: page[from...])?.lowerBound
    else { return nil }
    var text = ""
    var isTag = false
    for character in page[from..<to].prefix(500) {
      if character == "<" { isTag = true }
      if !isTag { text.append(character.isWhitespace ? " " : character) }
      if character == ">" { isTag = false }
    }
    let words = text.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : String(words.prefix(200))
  }

  /// The first occurrence of a word, ignoring case.
  private static func firstRange(of word: String, in text: Substring) -> Range<String.Index>? {
    let pattern = Array(word.lowercased().utf8)
    let bytes = text.utf8
    var start = bytes.startIndex
    while start < bytes.endIndex {
      var position = start
      var matched = 0
      while matched < pattern.count, position < bytes.endIndex,
        lowercased(bytes[position]) == pattern[matched]
      {
        matched += 1
        position = bytes.index(after: position)
      }
      if matched == pattern.count { return start..<position }
      start = bytes.index(after: start)
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 65 && byte <= 90 ? byte + 32 : byte
  }
}
