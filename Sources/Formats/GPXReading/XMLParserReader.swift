// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Connects Foundation's XMLParser to a reader of GPX.
///
/// The parser continues after errors; its further events are ignored.
final class XMLParserReader: NSObject, XMLParserDelegate {
  private let parser: XMLParser
  private let content: GPXReader
  private var depth = 0
  private var failure: GPXError?
  /// Reported by the parser before the element begins.
  private var namespaceProblem: String?

  init(_ parser: XMLParser, _ content: GPXReader) {
    (self.parser, self.content) = (parser, content)
    super.init()
    parser.shouldProcessNamespaces = false
    parser.shouldResolveExternalEntities = false
    parser.delegate = self
  }

  /// Parses everything. Throws the first error.
  func parse() throws(GPXError) {
    // Its result adds nothing to its errors.
    _ = parser.parse()
    parser.delegate = nil
    if let failure { throw failure }
    guard content.isComplete else { throw .malformed("the XML is truncated here", at: position) }
  }

  private var position: GPXError.Position? {
    parser.lineNumber > 0
      ? GPXError.Position(line: parser.lineNumber, column: max(1, parser.columnNumber)) : nil
  }

  private func stop(_ error: GPXError) {
    failure = failure ?? error
    parser.abortParsing()
  }

  /// Runs a step of the reader, and aborts parsing if it throws.
  private func take(_ step: () throws(CairnError) -> Void) {
    guard failure == nil else { return }
    do throws(CairnError) { try step() } catch { stop(GPXError(error, at: position)) }
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    take { () throws(CairnError) in
      depth += 1
      guard depth <= XMLLimits.depth else {
        throw CairnError(
          .refusedXML, .dataError, "elements are nested more than \(XMLLimits.depth) levels deep")
      }
      try withCStrings(elementName, attributes) { name, attributes throws(CairnError) in
        try content.start(name, attributes)
      }
      if let problem = namespaceProblem { content.refuseExtension(problem) }
      namespaceProblem = nil
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    take { () throws(CairnError) in
      depth -= 1
      try content.end()
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard failure == nil, content.wantsText else { return }
    var string = string
    string.withUTF8 { content.text(UnsafeRawBufferPointer($0)) }
  }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    guard failure == nil, content.wantsText else { return }
    block.withUnsafeBytes { content.text($0) }
  }

  func parser(_ parser: XMLParser, foundComment comment: String) { check(comment) }

  func parser(
    _ parser: XMLParser, foundProcessingInstructionWithTarget target: String, data: String?
  ) { check(data ?? "") }

  private func check(_ text: String) {
    guard text.utf8.count > XMLLimits.tokenBytes else { return }
    stop(
      .refused(
        "a single comment or instruction has more than \(grouped(XMLLimits.tokenBytes)) bytes",
        at: position))
  }

  // The prologue was checked before; this is for a file exchanged since then.
  func parser(
    _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
  ) {
    stop(.refused("the XML declares entities, which is not allowed", at: position))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let code = (parseError as NSError).code
    switch code {
    case LibXML.warningsOfNamespaces: break
    case LibXML.errorsOfNamespaces:
      namespaceProblem = "has names with missing or invalid namespace declarations"
    case LibXML.documentEnd:
      let reason =
        content.isComplete
        ? "not well-formed XML: content after the root element" : "the XML is truncated here"
      stop(.malformed(reason, at: position))
    default:
      stop(.malformed("not well-formed XML: \(LibXML.reason(code))", at: position))
    }
  }
}

/// The error numbers that XMLParser takes from libxml2.
private enum LibXML {
  static let documentEnd = 5
  static let warningsOfNamespaces = 98...100
  static let errorsOfNamespaces = 200...205

  static func reason(_ code: Int) -> String {
    switch code {
    case 9: "invalid character"
    case 26: "undefined entity"
    case 76: "mismatched tag"
    default: "error \(code) of libxml2"
    }
  }
}

/// Lays an element out as a parser in C does.
private func withCStrings(
  _ name: String, _ attributes: [String: String],
  _ body: (UnsafePointer<CChar>, XMLAttributes) throws(CairnError) -> Void
) throws(CairnError) {
  var text: [CChar] = []
  var starts: [Int] = []
  func add(_ word: String) {
    starts.append(text.count)
    text.append(contentsOf: word.utf8.lazy.map { CChar(bitPattern: $0) })
    text.append(0)
  }
  add(name)
  for (key, value) in attributes {
    add(key)
    add(value)
  }
  guard text.count <= XMLLimits.tokenBytes else {
    throw CairnError(
      .refusedXML, .dataError, "a single tag has more than \(grouped(XMLLimits.tokenBytes)) bytes")
  }
  try text.withUnsafeBufferPointer { text throws(CairnError) in
    guard let base = text.baseAddress else { return }
    var pointers = starts.dropFirst().map { Optional(base + $0) } + [nil]
    try pointers.withUnsafeMutableBufferPointer { pointers throws(CairnError) in
      try body(base, XMLAttributes(pointers.baseAddress))
    }
  }
}
