// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
@_exported import CairnGPX
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A value left out because it cannot be read: a time, a number, an extension.
public struct GPXOmission: Hashable, Sendable {
  /// The kind of value, as a clause: “a time cannot be read”.
  public var kind: String
  /// The number of them.
  public var count: Int
  /// Examples, at most 20.
  public var examples: [String]

  /// The public form of a warning of the tools.
  package init(_ entry: WarningTally.Entry) {
    (kind, count, examples) = (entry.kind, entry.count, entry.examples)
  }
}

extension GPXFile {
  /// Reads a file of version 1.0 or 1.1 in UTF-8, UTF-16 or Latin-1, in little more memory than its
  /// points need.
  ///
  /// Safe for untrusted files: document types, and with them entities, are refused, as are elements
  /// nested more than 32 levels deep, tags of more than a megabyte, and files of more than 5
  /// million points or 256 MB of texts. Compressed files are not supported.
  ///
  /// - Parameters:
  ///   - url: The location of the file on this device.
  ///   - omissions: Set to the values left out because they cannot be read.
  ///
  /// Throws ``GPXError``.
  public init(contentsOf url: URL, omissions: inout [GPXOmission]) throws(GPXError) {
    let file = url.resolvingSymlinksInPath()
    do {
      // Reading a pipe would wait for a writer.
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      guard url.isFileURL, attributes[.type] as? FileAttributeType == .typeRegular else {
        throw GPXError.unreadable("is not a regular file")
      }
    } catch let error as GPXError { throw error } catch {
      throw .unreadable("no such file, or it may not be read")
    }
    guard let stream = InputStream(url: file) else { throw .unreadable("cannot be opened") }
    let (head, isWhole) = try Self.head(of: file)
    try self.init(
      XMLParser(stream: stream), head, isWhole: isWhole,
      pieces: { body throws(GPXError) in try Self.pieces(of: file, body) }, &omissions)
  }

  /// Reads a file without reporting unreadable values. See ``init(contentsOf:omissions:)``.
  public init(contentsOf url: URL) throws(GPXError) {
    var omissions: [GPXOmission] = []
    try self.init(contentsOf: url, omissions: &omissions)
  }

  /// Reads the content of a file. See ``init(contentsOf:omissions:)``.
  public init(data: Data, omissions: inout [GPXOmission]) throws(GPXError) {
    try self.init(
      XMLParser(data: data), Array(data.prefix(GPXPrologue.maximumBytes)),
      isWhole: data.count <= GPXPrologue.maximumBytes,
      pieces: { body throws(GPXError) in try body(data) }, &omissions)
  }

  /// Reads the content of a file without reporting unreadable values. See
  /// ``init(contentsOf:omissions:)``.
  public init(data: Data) throws(GPXError) {
    var omissions: [GPXOmission] = []
    try self.init(data: data, omissions: &omissions)
  }

  /// - Parameter pieces: Calls a function with the pieces of the file in turn.
  private init(
    _ parser: XMLParser, _ head: [UInt8], isWhole: Bool,
    pieces: ((Data) throws(GPXError) -> Void) throws(GPXError) -> Void,
    _ omissions: inout [GPXOmission]
  ) throws(GPXError) {
    do throws(CairnError) { try GPXPrologue.check(head, isWhole: isWhole) } catch {
      throw GPXError(error, at: nil)
    }
    #if canImport(FoundationXML)
      var hazards = ParserHazards(of: head)
      try pieces { piece throws(GPXError) in try hazards.check(piece) }
    #endif
    var collected = GPXPieces()
    let reader = GPXReader { piece throws(CairnError) in try collected.add(piece) }
    try XMLParserReader(parser, reader).parse()
    omissions = reader.warnings.entries.map(GPXOmission.init)
    self = collected.file(reader.file)
  }

  private static func pieces(of url: URL, _ body: (Data) throws(GPXError) -> Void)
    throws(GPXError)
  {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { try body(piece) }
    } catch let error as GPXError { throw error } catch {
      throw .unreadable("it cannot be read")
    }
  }

  /// The beginning of a file, and whether it is the whole file.
  private static func head(of url: URL) throws(GPXError) -> (bytes: [UInt8], isWhole: Bool) {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      let data = try file.read(upToCount: GPXPrologue.maximumBytes + 1) ?? Data()
      return (
        Array(data.prefix(GPXPrologue.maximumBytes)), data.count <= GPXPrologue.maximumBytes
      )
    } catch { throw .unreadable("it cannot be opened") }
  }
}
