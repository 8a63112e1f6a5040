// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension IndexRecord {
  /// Reads `index.json`. Throws ``BundleRecordError``.
  public init(json: Data) throws(BundleRecordError) { try self.init(json: [UInt8](json)) }

  /// Reads `index.json` of up to 64 MB. Throws ``BundleRecordError``.
  public init(contentsOf url: URL) throws(BundleRecordError) {
    try self.init(json: [UInt8](try contents(of: url, mostBytes: Self.mostBytes)))
  }
}

extension BundleRecord {
  private static let mostBytes = 16 << 20

  /// Reads `bundle.json`. Throws ``BundleRecordError``.
  public init(json: Data) throws(BundleRecordError) { self = try decoded(json) }

  /// Reads `bundle.json` of up to 16 MB. Throws ``BundleRecordError``.
  public init(contentsOf url: URL) throws(BundleRecordError) {
    try self.init(json: try contents(of: url, mostBytes: Self.mostBytes))
  }
}

extension RegionRecord {
  private static let mostBytes = 16 << 20

  /// Reads `region.json`. Throws ``BundleRecordError``.
  public init(json: Data) throws(BundleRecordError) { self = try decoded(json) }

  /// Reads `region.json` of up to 16 MB. Throws ``BundleRecordError``.
  public init(contentsOf url: URL) throws(BundleRecordError) {
    try self.init(json: try contents(of: url, mostBytes: Self.mostBytes))
  }

  /// The region of a routing database: from the `region.json` next to it, or from its name if that
  /// is `UUID.routing.db`, as apps name it. Nil if neither gives one.
  public static func regionId(ofDatabase url: URL) -> UUID? {
    guard !url.hasDirectoryPath else { return nil }
    let name = url.lastPathComponent
    let beside = url.deletingLastPathComponent().appending(path: fileName)
    if let record = try? RegionRecord(contentsOf: beside),
      record.routingDbFilename == name || record.variants?.values.contains(name) == true
    {
      return record.regionId
    }
    let ending = ".routing.db"
    return name.hasSuffix(ending) ? UUID(uuidString: String(name.dropLast(ending.count))) : nil
  }
}

func decoded<Record: Decodable>(_ json: Data) throws(BundleRecordError) -> Record {
  do { return try JSONDecoder().decode(Record.self, from: json) } catch {
    if let error = error as? BundleRecordError { throw error }
    throw .notARecord((error as? DecodingError).map(problem) ?? "\(error)")
  }
}

/// The content of a regular file; a pipe would be waited for.
private func contents(of url: URL, mostBytes: Int) throws(BundleRecordError) -> Data {
  do {
    let file = url.resolvingSymlinksInPath()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw BundleRecordError.unreadable("is not a regular file")
    }
    guard (attributes[.size] as? Int ?? 0) <= mostBytes else {
      throw BundleRecordError.notARecord("has more than \(grouped(mostBytes)) bytes")
    }
    return try Data(contentsOf: file)
  } catch {
    throw error as? BundleRecordError ?? .unreadable("no such file, or it may not be read")
  }
}
