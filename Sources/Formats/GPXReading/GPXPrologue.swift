// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX

/// The part of a file before the root element.
///
/// XMLParser silently accepts document types and any encoding known to the system, in some of which
/// a document type may be disguised. So both are checked first.
enum GPXPrologue {
  /// The longest prologue, in bytes.
  static let maximumBytes = XMLLimits.tokenBytes

  private static let encodings: Set = ["utf-8", "utf-16", "iso-8859-1", "us-ascii"]

  /// Throws 65 for a file that does not begin like XML, has a document type, or an unsupported
  /// encoding.
  ///
  /// - Parameters:
  ///   - head: The first bytes of the file, ``maximumBytes`` or all of them.
  ///   - isWhole: Whether this is the whole file.
  static func check(_ head: [UInt8], isWhole: Bool) throws(CairnError) {
    if let error = foreignKind(head) { throw error }
    var text = try Scanner(head)
    if text.take("<?xml"), let declaration = text.skip(past: "?>"),
      declaration.first?.isWhitespace == true
    {
      try checkEncoding(declaration, isWide: text.isWide)
    }
    while true {
      text.skipSpace()
      if text.take("<!--") {
        guard text.skip(past: "-->") != nil else { break }
      } else if text.take("<?") {
        guard text.skip(past: "?>") != nil else { break }
      } else if text.take("<!DOCTYPE") {
        throw CairnError(
          .refusedXML, .dataError, "the XML has a document type declaration, which is not allowed",
          hint: "GPX does not need one, and entities can expand to any size")
      } else {
        break
      }
    }
    guard isWhole || !text.isAtEnd else {
      throw CairnError(
        .refusedXML, .dataError,
        "has more than \(grouped(maximumBytes)) bytes before its root element")
    }
  }

  private static func foreignKind(_ head: [UInt8]) -> CairnError? {
    if head.isEmpty { return CairnError(.emptyFile, .dataError, "is empty") }
    let kinds: [([UInt8], String)] = [
      ([0x1F, 0x8B], "is compressed with gzip"), (Array("BZh".utf8), "is compressed with bzip2"),
      ([0x28, 0xB5, 0x2F, 0xFD], "is compressed with zstd"),
      (Array("PK".utf8), "is a zip archive"),
    ]
    return kinds.first { head.starts(with: $0.0) }.map {
      CairnError(.wrongFileKind, .dataError, $0.1, hint: "unpack it first")
    }
  }

  /// Checks the declaration after `<?xml`.
  private static func checkEncoding(_ declaration: String, isWide: Bool) throws(CairnError) {
    guard let key = declaration.firstRange(of: "encoding") else { return }
    let rest = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
    let name = rest.dropFirst().prefix { $0 != quote }.lowercased()
    guard encodings.contains(name) else {
      throw CairnError(
        .malformedXML, .dataError,
        "its encoding “\(printable(String(name.prefix(40))))” is not supported")
    }
    guard (name == "utf-16") == isWide else {
      throw CairnError(
        .malformedXML, .dataError, "is not in the encoding that it names, \(name)")
    }
  }
}

/// Whether the characters of 16 bits of a file begin with their low byte, by its byte order mark; nil if
/// it has none.
private func isLittleEndian(_ head: [UInt8]) -> Bool? {
  head.starts(with: [0xFF, 0xFE]) ? true : head.starts(with: [0xFE, 0xFF]) ? false : nil
}

/// Scans the ASCII characters in a text of 8 or 16 bits; all others read as question marks.
private struct Scanner {
  /// Whether a character has 16 bits.
  let isWide: Bool
  private let characters: [UInt8]
  private var index = 0

  init(_ head: [UInt8]) throws(CairnError) {
    func isMark(_ bytes: UInt8...) -> Bool { head.starts(with: bytes) }
    let isLittle = isLittleEndian(head)
    isWide = isLittle != nil
    let isUnmarked = !isWide && head.prefix(4).contains(0)
    guard !isUnmarked, !isMark(0xFF, 0xFE, 0, 0) else {
      throw CairnError(
        .malformedXML, .dataError, "is neither UTF-8 nor UTF-16 with a byte order mark")
    }
    if isWide {
      characters = stride(from: 2, to: head.count - 1, by: 2).map { start in
        let (first, second) = (head[start], head[start + 1])
        let (high, low) = isLittle == true ? (second, first) : (first, second)
        return high == 0 ? low : UInt8(ascii: "?")
      }
    } else {
      characters = isMark(0xEF, 0xBB, 0xBF) ? Array(head.dropFirst(3)) : head
    }
  }

  var isAtEnd: Bool { index >= characters.count }

  mutating func skipSpace() {
    while index < characters.count, isXMLSpace(characters[index]) { index += 1 }
  }

  /// Skips a word if it is next.
  mutating func take(_ word: StaticString) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end <= characters.count, isNext(word, at: index) else { return false }
    index = end
    return true
  }

  /// Skips past the next occurrence of a word, and returns the text before it; skips to the end and
  /// returns nil if there is none.
  mutating func skip(past word: StaticString) -> String? {
    let start = index
    while index + word.utf8CodeUnitCount <= characters.count {
      if isNext(word, at: index) {
        let before = String(decoding: characters[start..<index], as: UTF8.self)
        index += word.utf8CodeUnitCount
        return before
      }
      index += 1
    }
    index = characters.count
    return nil
  }

  private func isNext(_ word: StaticString, at start: Int) -> Bool {
    word.withUTF8Buffer { word in
      characters[start..<(start + word.count)].elementsEqual(word)
    }
  }
}

/// Looks for what brings down XMLParser of Linux: a processing instruction without content, such as
/// `<?a?>` (also in a comment; GPX has none), and in UTF-16 half of a surrogate pair, once parsing is
/// aborted because of it.
struct ParserHazards {
  private enum State { case text, less, target, question }

  /// See ``isLittleEndian(_:)``.
  private let isLittle: Bool?
  private var state = State.text
  /// The first byte of a character of 16 bits.
  private var first: UInt8?
  private var isAfterHighSurrogate = false

  /// - Parameter head: The first bytes of a file.
  init(of head: [UInt8]) { isLittle = isLittleEndian(head) }

  /// Throws if one ends in the next piece of the file.
  mutating func check(_ piece: some Sequence<UInt8>) throws(GPXError) {
    for byte in piece {
      var character = UInt16(byte)
      if let isLittle {
        guard let first else {
          self.first = byte
          continue
        }
        character = isLittle ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte)
        self.first = nil
        guard !isAfterHighSurrogate || UTF16.isTrailSurrogate(character) else {
          throw .malformed("not well-formed XML: half of a surrogate pair", at: nil)
        }
        isAfterHighSurrogate = UTF16.isLeadSurrogate(character)
      }
      switch (state, character) {
      case (.text, 0x3C): state = .less
      case (.text, _): break
      case (.less, 0x3F): state = .target
      case (.less, _): state = character == 0x3C ? .less : .text
      case (.target, 0x09), (.target, 0x0A), (.target, 0x0D), (.target, 0x20): state = .text
      case (.question, 0x3E):
        throw .refused("has a processing instruction without content", at: nil)
      case (.target, _), (.question, _): state = character == 0x3F ? .question : .target
      }
    }
  }
}
