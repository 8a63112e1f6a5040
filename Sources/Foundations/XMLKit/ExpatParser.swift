// SPDX-License-Identifier: Apache-2.0
import CExpat
import Diagnostics
import Formatting
import Glibc
import SystemIO

/// The attributes of an element as Expat passes them; valid only during the start-element callback.
@frozen
public struct XMLAttributes: Sequence, IteratorProtocol {
  @usableFromInline var remaining: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  init(_ start: UnsafeMutablePointer<UnsafePointer<CChar>?>?) { remaining = start }

  /// The next attribute's name and value.
  @inlinable @inline(__always)
  public mutating func next() -> (name: UnsafePointer<CChar>, value: UnsafePointer<CChar>)? {
    guard let pair = remaining, let name = pair[0], let value = pair[1] else { return nil }
    remaining = pair + 2
    return (name, value)
  }
}

/// Expat with limits that make it safe for untrusted files: document types, and with them entities,
/// are refused, and so are deep nesting and tokens of more than a megabyte.
///
/// A subclass overrides the functions that are called for elements and text. If they throw, parsing
/// ends with that error.
open class ExpatParser {
  private static let maximumDepth = 32
  private static let maximumTokenBytes = 1 << 20
  private static let chunkBytes: Int32 = 1 << 16

  private let parser: OpaquePointer
  private var failure: CairnError?
  /// Whether `failure` is set; faster to check than the error itself.
  private var hasFailed = false
  private var fedBytes = 0
  /// The depth of the current element; 1 for the root.
  public private(set) final var depth = 0
  /// The beginning of the input, for errors that say what it is.
  public private(set) final var head: [UInt8] = []

  /// Creates a parser.
  public init() throws(CairnError) {
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
        $0.stop($0.refusal(ofDocumentType: String(cString: name)))
      }
    }
  }

  deinit { XML_ParserFree(parser) }

  /// An element begins.
  open func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws(CairnError) {}

  /// An element ends.
  open func end(_ name: UnsafePointer<CChar>) throws(CairnError) {}

  /// A piece of text, if ``reportText(_:)`` has enabled it.
  open func text(_ bytes: UnsafeRawBufferPointer) {}

  /// The error for a document type declaration.
  open func refusal(ofDocumentType name: String) -> CairnError {
    CairnError(
      .refusedXML, .dataError,
      "the XML has a document type declaration (“\(name.prefix(40))”), which is not allowed",
      hint: "\(kind) does not need one, and entities can expand to any size")
  }

  /// What the parser reads, for errors.
  open var kind: String { "XML of this kind" }

  /// What to do about a file that is not well-formed XML.
  open var hint: String { "is it \(kind)?" }

  /// An error that says what a file that is not well-formed XML is instead, if that is known.
  open func misreading() -> CairnError? { nil }

  /// Enables or disables ``text(_:)``.
  public final func reportText(_ isEnabled: Bool) {
    XML_SetCharacterDataHandler(
      parser,
      isEnabled
        ? { user, characters, count in
          guard let user else { return }
          Unmanaged<ExpatParser>.fromOpaque(user)._withUnsafeGuaranteedRef {
            $0.text(UnsafeRawBufferPointer(start: characters, count: Int(count)))
          }
        } : nil)
  }

  /// Parses a source to its end. Errors are located at a line and column of `file`.
  package final func parse(
    _ source: consuming XMLSource, file: String, progress: (Int) -> Void
  ) throws(CairnError) {
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
      guard status == XML_STATUS_OK else { throw parseError(file) }
      if count == 0 { return }
      guard fedBytes - max(0, Int(XML_GetCurrentByteIndex(parser))) <= Self.maximumTokenBytes else {
        throw CairnError(
          .refusedXML, .dataError,
          "a single tag or text has more than \(grouped(Self.maximumTokenBytes)) bytes",
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
    guard depth <= Self.maximumDepth else {
      stop(
        CairnError(
          .refusedXML, .dataError, "elements are nested more than \(Self.maximumDepth) levels deep")
      )
      return
    }
    do throws(CairnError) { try start(name, attributes) } catch { stop(error) }
  }

  private func didEnd(_ name: UnsafePointer<CChar>) {
    guard !hasFailed else { return }
    do throws(CairnError) { try end(name) } catch { stop(error) }
    depth -= 1
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

  private func parseError(_ file: String) -> CairnError {
    if let error = misreading() { return error.located(inFile: file) }
    let code = XML_GetErrorCode(parser)
    let isCutOff = [
      XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION,
    ].contains(code)
    let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code)"
    return isCutOff
      ? CairnError(
        .truncatedFile, .dataError, "the XML is cut off here", at: location(file),
        hint: "download it again")
      : CairnError(
        .malformedXML, .dataError, "not well-formed XML: \(reason)", at: location(file),
        hint: hint)
  }
}

/// Whether a C string equals an ASCII word.
@inlinable @inline(__always)
package func equals(_ text: UnsafePointer<CChar>, _ word: StaticString) -> Bool {
  word.utf8Start.withMemoryRebound(to: CChar.self, capacity: word.utf8CodeUnitCount + 1) {
    strcmp(text, $0) == 0
  }
}

/// The bytes of a C string without the terminating zero.
@inlinable @inline(__always)
package func bytes(of text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: text, count: strlen(text))
}
