// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The difference between two versions of a bundle file: applied to the old file, it gives the new
/// one byte for byte, and is far smaller. docs/deltas.md describes the format.
///
/// ```swift
/// let delta = try DatabaseDelta(contentsOf: download)
/// try delta.apply(to: installed, output: installed)
/// ```
public struct DatabaseDelta: Sendable {
  /// The version of the format that this library writes, and the latest that it reads.
  public static let formatVersion = 1
  /// The first bytes of every delta.
  static let signature: [UInt8] = Array("CairnDlt".utf8)
  /// The greatest size of a delta or file that is read.
  static let greatestSize = Int(Int32.max)

  /// The unit of comparison.
  public enum Method: UInt8, Sendable, Hashable {
    /// The bytes of the files, of any kind.
    case bytes = 0
    /// The rows of two routing databases.
    case rows = 1
  }

  /// A version of a file.
  public struct Version: Sendable, Hashable {
    /// The SHA-256 of the file: 64 hexadecimal digits.
    public var sha256: String
    /// The size of the file in bytes.
    public var bytes: Int
    /// The time of the OpenStreetMap data in the database, ISO 8601; nil if it has none.
    public var dataDate: String?

    /// Describes a version.
    package init(sha256: String, bytes: Int, dataDate: String? = nil) {
      self.sha256 = sha256
      self.bytes = bytes
      self.dataDate = dataDate
    }

    /// The version for a person: the beginning of the digest, and the time of the data.
    public var description: String {
      "the version \(dataDate.map { "of \($0) " } ?? "")with SHA-256 \(sha256.prefix(12))…"
    }
  }

  /// The unit of comparison.
  public let method: Method
  /// The version that the delta can be applied to.
  public let old: Version
  /// The version that this gives.
  public let new: Version
  /// The size of the delta in bytes.
  public var bytes: Int { content.count }
  /// The most memory that ``apply(to:output:)`` takes, in bytes: 1.2 times the larger of the two
  /// files, and more for a delta that contains much of the new file. If there is less, download the
  /// whole file.
  public var memory: Int {
    max(Self.memory(old: old.bytes, new: new.bytes), method == .bytes ? new.bytes &+ bytes : 0)
  }

  /// The memory for applying a delta between files of these sizes, excluding the delta itself.
  package static func memory(old: Int, new: Int) -> Int {
    let (product, isTooMuch) = (max(old, new) / 5).multipliedReportingOverflow(by: 6)
    let (sum, overflows) = product.addingReportingOverflow(4 << 20)
    return isTooMuch || overflows ? .max : sum
  }

  /// The delta as stored in a file.
  package var fileContent: [UInt8] { content }

  /// The whole delta, and the bounds of the instructions in it.
  let content: [UInt8]
  let instructions: Range<Int>
  /// The number of bytes that the instructions give: those of the new file, or of its packed rows.
  let unpackedSize: Int

  /// Reads a delta. Throws ``DeltaError``.
  public init(contentsOf url: URL) throws(DeltaError) {
    try self.init(path: url.path)
  }

  /// Reads a delta. Throws ``DeltaError``.
  package init(path: String) throws(DeltaError) {
    try self.init(try readWhole(path, limit: Self.greatestSize))
  }

  /// Reads a delta from memory. Throws ``DeltaError``.
  public init(_ content: [UInt8]) throws(DeltaError) {
    guard Self.recognises(head: content) else { throw .notADelta }
    // Signature, version and method; then the checksum at the end.
    guard content.count >= Self.signature.count + 2 + 4 else { throw .damaged("it is truncated") }
    let version = Int(content[Self.signature.count])
    guard version == Self.formatVersion else { throw .tooNew(version: version) }
    let end = content.count - 4
    let stored = content[end...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard CRC32.checksum(content[..<end]) == stored else {
      throw .damaged("its checksum is wrong: it is truncated or was changed")
    }
    guard let method = Method(rawValue: content[Self.signature.count + 1]) else {
      throw .damaged("its method is unknown")
    }
    let head: Head
    do {
      head = try content.withUnsafeBytes { try Head($0, end: end) }
    } catch { throw error as? DeltaError ?? .damaged("it is truncated") }
    if method == .rows, head.rowsVersion != RoutingColumns.version {
      throw head.rowsVersion < RoutingColumns.version
        ? .tooOld(version: head.rowsVersion) : .tooNew(version: head.rowsVersion)
    }
    self.method = method
    (old, new) = (head.old, head.new)
    unpackedSize = head.unpackedSize
    instructions = head.size..<end
    self.content = content
  }

  /// Whether a file that starts with these bytes is a delta.
  public static func recognises(head: [UInt8]) -> Bool { head.starts(with: signature) }
}

/// The content before the instructions.
private struct Head {
  var old: DatabaseDelta.Version
  var new: DatabaseDelta.Version
  var rowsVersion: Int
  var unpackedSize: Int
  var size: Int

  init(_ bytes: UnsafeRawBufferPointer, end: Int) throws(DeltaError) {
    var reader = DeltaReader(
      UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: DatabaseDelta.signature.count + 2)
    func size() throws(DeltaError) -> Int {
      let size = try reader.varint()
      guard size <= UInt64(DatabaseDelta.greatestSize) else {
        throw .damaged("its sizes are impossible")
      }
      return Int(size)
    }
    func version() throws(DeltaError) -> DatabaseDelta.Version {
      let digest = hexadecimal(try reader.raw(SHA256.size))
      let bytes = try size()
      let date = try reader.text()
      return .init(sha256: digest, bytes: bytes, dataDate: date.isEmpty ? nil : date)
    }
    rowsVersion = Int(try reader.fixed(UInt8.self))
    old = try version()
    new = try version()
    unpackedSize = try size()
    self.size = reader.offset
  }
}

/// Bytes as lowercase hexadecimal digits.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
