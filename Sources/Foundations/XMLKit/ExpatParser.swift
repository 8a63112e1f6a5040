// SPDX-License-Identifier: Apache-2.0
import CExpat
import CairnDiagnostics
import CairnFormatting
import SystemIO

/// Expat with limits for untrusted files: document types, and with them entities, are refused, and
/// so are deep nesting and tokens of more than a megabyte.
///
/// An ``XMLElementReader`` receives elements and text. If it throws, parsing ends with that error.
package final class ExpatParser {
  private static let chunkBytes: Int32 = 1 << 16

  private let parser: OpaquePointer
  /// Receives elements and text while a source is parsed.
  private var reader: (any XMLElementReader)?
  private var failure: CairnError?
  /// Whether `failure` is set; faster to check than the error itself.
  private var hasFailed = false
  private var fedBytes = 0
  /// The depth of the current element; 1 for the root.
  package private(set) var depth = 0
  /// The beginning of the input, for errors that identify it.
  package private(set) var head: [UInt8] = []

  /// Creates a parser.
  package init() throws(CairnError) {
    guard let parser = XML_ParserCreate(nil) else {
      throw CairnError("expat", .software, "cannot create an Expat parser")
    }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user, let name else { return }
        Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
          $0.didStart(name, XMLAttributes(attributes))
        }
      },
      { user, name in
        guard let user, let name else { return }
        Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.didEnd(name) }
      })
    XML_SetStartDoctypeDeclHandler(parser) { user, name, _, _, _ in
      guard let user, let name else { return }
      Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
        $0.refuse(documentType: String(cString: name))
      }
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Enables or disables ``XMLElementReader/text(_:)``.
  package func reportText(_ isEnabled: Bool) {
    XML_SetCharacterDataHandler(
      parser,
      isEnabled
        ? { user, characters, count in
          guard let user else { return }
          Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
            $0.reader?.text(UnsafeRawBufferPointer(start: characters, count: Int(count)))
          }
        } : nil)
  }

  /// Parses a source to its end. Errors are located at a line and column of `file`.
  func parse(
    _ source: consuming XMLSource, file: String, into reader: any XMLElementReader,
    progress: (Int) -> Void
  ) throws(CairnError) {
    self.reader = reader
    defer { self.reader = nil }
    var reported = 0
    while true {
      guard let buffer = XML_GetBuffer(parser, Self.chunkBytes) else {
        throw CairnError(
          .malformedXML, .software, "Expat is out of memory", at: Location(file: file))
      }
      let chunk = UnsafeMutableRawBufferPointer(start: buffer, count: Int(Self.chunkBytes))
      let count = try source.read(into: chunk)
      if fedBytes == 0 { head = Array(chunk.prefix(min(count, 8192))) }
      fedBytes += count
      let status = XML_ParseBuffer(parser, Int32(count), count == 0 ? 1 : 0)
      if var error = failure {
        if error.location == nil { error.location = location(file) }
        throw error
      }
      guard status == XML_STATUS_OK else { throw parseError(file, reader) }
      if count == 0 { return }
      guard fedBytes - max(0, Int(XML_GetCurrentByteIndex(parser))) <= XMLLimits.tokenBytes else {
        throw CairnError(
          .refusedXML, .dataError,
          "a single tag or text has more than \(grouped(XMLLimits.tokenBytes)) bytes",
          at: location(file), hint: "is the file damaged?")
      }
      progress(source.offset - reported)
      reported = source.offset
    }
  }

  private func didStart(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    // Expat reports the rest of the current tag even after it was stopped.
    guard !hasFailed else { return }
    depth += 1
    guard depth <= XMLLimits.depth else {
      stop(
        CairnError(
          .refusedXML, .dataError, "elements are nested more than \(XMLLimits.depth) levels deep")
      )
      return
    }
    do throws(CairnError) { try reader?.start(name, attributes) } catch { stop(error) }
  }

  private func didEnd(_ name: UnsafePointer<CChar>) {
    guard !hasFailed else { return }
    do throws(CairnError) { try reader?.end(name) } catch { stop(error) }
    depth -= 1
  }

  private func refuse(documentType name: String) {
    if let reader { stop(reader.refusal(ofDocumentType: name)) }
  }

  private func stop(_ error: CairnError) {
    failure = error
    hasFailed = true
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  private func location(_ file: String) -> Location {
    Location(
      file: file,
      .line(
        Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1))
  }

  private func parseError(_ file: String, _ reader: any XMLElementReader) -> CairnError {
    if let error = reader.misreading() { return error.located(inFile: file) }
    let code = XML_GetErrorCode(parser)
    let isCutOff = [
      XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION,
    ].contains(code)
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code)"
    return isCutOff
      ? CairnError(
        .truncatedFile, .dataError, "the XML is truncated here", at: location(file),
        hint: "download it again")
      : CairnError(
        .malformedXML, .dataError, "not well-formed XML: \(reason)", at: location(file),
        hint: reader.hint)
  }
}
