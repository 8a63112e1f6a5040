// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// Receives the elements and the text of XML from a parser.
package protocol XMLElementReader: AnyObject {
  /// The parser, which reads one source.
  var parser: ExpatParser { get }

  /// The kind of input, for errors.
  var kind: String { get }
  /// A hint for a file that is not well-formed XML.
  var hint: String { get }

  /// An element begins.
  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError)
  /// An element ends.
  func end(_ name: UnsafePointer<CChar>) throws(CairnError)
  /// A piece of text, if ``reportText(_:)`` has enabled it.
  func text(_ bytes: UnsafeRawBufferPointer)

  /// The error for a document type declaration.
  func refusal(ofDocumentType name: String) -> CairnError
  /// An error that identifies a file that is not well-formed XML, if possible.
  func misreading() -> CairnError?
}

extension XMLElementReader {
  package var hint: String { "is it \(kind)?" }
  package func end(_ name: UnsafePointer<CChar>) throws(CairnError) {}
  package func text(_ bytes: UnsafeRawBufferPointer) {}
  package func refusal(ofDocumentType name: String) -> CairnError { usualRefusal(of: name) }
  package func misreading() -> CairnError? { nil }

  /// The default error for a document type declaration.
  package func usualRefusal(of documentType: String) -> CairnError {
    CairnError(
      .refusedXML, .dataError,
      "the XML has a document type declaration (“\(documentType.prefix(40))”), which is not allowed",
      hint: "\(kind) does not need one, and entities can expand to any size")
  }

  /// The depth of the current element; 1 for the root.
  package var depth: Int { parser.depth }
  /// The beginning of the input, for errors that identify it.
  package var head: [UInt8] { parser.head }

  /// Enables or disables ``text(_:)``.
  package func reportText(_ isEnabled: Bool) { parser.reportText(isEnabled) }

  /// Parses a source to its end. Errors are located at a line and column of `file`.
  package func parse(
    _ source: consuming XMLSource, file: String, progress: (Int) -> Void
  ) throws(CairnError) {
    try parser.parse(source, file: file, into: self, progress: progress)
  }
}
