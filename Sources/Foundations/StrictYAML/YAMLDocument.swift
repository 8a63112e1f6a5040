// SPDX-License-Identifier: Apache-2.0
import CYAML
import CairnDiagnostics
import CairnFormatting
import SystemIO

extension CairnError.Code {
  /// A text that is not valid YAML.
  package static let malformedYAML: Self = "malformed-yaml"
  /// YAML that uses a feature outside the strict subset.
  package static let yamlNotStrict: Self = "yaml-not-strict"
  /// A well-formed file with an invalid content.
  package static let invalidConfiguration: Self = "invalid-configuration"
}

/// Reads a strict subset of YAML that includes JSON.
///
/// There are mappings with text keys, lists and scalars, in block or flow style, with comments.
/// Refused, always with line and column: anchors, aliases, tags, a second document, a key that
/// appears twice in a mapping or is not text, nesting deeper than ``depthLimit``, text that is not
/// UTF-8, and an empty document. The exit code is 78.
package enum YAMLDocument {
  /// The deepest nesting of mappings and lists: far deeper than any file needs, and safe for the
  /// stack.
  package static let depthLimit = 64
  /// The largest file that is read.
  package static let sizeLimitBytes = 4 << 20

  /// Reads a file of at most ``sizeLimitBytes``; errors refer to it as `name`.
  ///
  /// Throws 66 for a file that cannot be read and 78 for one that is not strict YAML.
  package static func parse(file path: String, called name: String? = nil) throws(CairnError)
    -> YAMLNode
  {
    let file = try InputFile(path)
    guard file.size <= sizeLimitBytes else {
      throw CairnError(
        .malformedYAML, .configuration,
        "has \(grouped(file.size)) bytes; at most \(grouped(sizeLimitBytes)) are allowed",
        at: Location(file: name ?? path), hint: "is this the right file?")
    }
    return try parse(file.readAll(limit: sizeLimitBytes), file: name ?? path)
  }

  /// Reads the content of a file; `file` is its name in errors. Throws 78.
  package static func parse(_ bytes: [UInt8], file: String) throws(CairnError) -> YAMLNode {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    try checkUTF8(bytes, file: file)
    return try EventReader(bytes, file: file).document()
  }

  private static func checkUTF8(_ bytes: [UInt8], file: String) throws(CairnError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var validBytes = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
      validBytes += scalar.count
    }
    let (line, column) = position(ofByte: validBytes, in: bytes)
    throw CairnError(
      .malformedYAML, .configuration, "is not UTF-8 text from here on",
      at: Location(file: file, .line(line, column: column)), hint: "save the file as UTF-8")
  }
}

/// The line and column, from 1, of a byte of UTF-8 text.
func position(ofByte offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
  var line = 1
  var column = 1
  for byte in bytes.prefix(offset) {
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
  return (line, column)
}
