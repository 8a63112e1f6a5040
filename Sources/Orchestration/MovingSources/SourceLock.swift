// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import DownloadCache
import FoundationEssentials
import Manifests
import SystemIO

extension CairnError.Code {
  /// The lock file cannot be used, or lacks something.
  package static let sourceLock: Self = "source-lock"
}

/// The lock file next to a manifest: the content of its moving sources when they were last checked.
///
/// With it and `--frozen`, a manifest gives the same bundles on every machine.
package struct SourceLock: Codable, Equatable, Sendable {
  /// A version of the file at a URL.
  package struct Version: Codable, Equatable, Sendable {
    /// The URL for display.
    package var url: String
    /// Distinguishes URLs whose display form is equal because passwords and queries are hidden; nil
    /// if the whole URL is shown.
    package var urlMark: String?
    package var sha256: String
    package var bytes: Int
    /// The server's identification of the version, for the next request.
    package var tag: String?
    package var lastModified: String?
    /// The MD5 sum, if it was compared.
    package var md5: String?

    /// Whether the version is of this source.
    func isOf(_ source: Manifest.Source) -> Bool {
      url == redactedURL(source.path) && urlMark == Self.mark(source.path)
    }

    /// A few digits of a digest: too few to guess a password by.
    package static func mark(_ url: String) -> String? {
      redactedURL(url) == url ? nil : String(SHA256Digest.ofText(url).prefix(8))
    }
  }

  /// An answer of an Overpass API for a region.
  package struct Answer: Codable, Equatable, Sendable {
    /// The SHA-256 of the URL's display form and the query.
    package var query: String
    package var sha256: String
    package var bytes: Int
    /// When it was asked, in ISO 8601.
    package var asked: String
    /// The time of the data, if stated in the answer.
    package var dataTimestamp: String?
  }

  /// An elevation tile.
  package struct Tile: Codable, Equatable, Sendable {
    /// Its digest; nil if the server does not have it, as for the sea.
    package var sha256: String?
    package var bytes: Int
  }

  /// The version of the format, which identifies the file.
  package var cairnLock = 1
  /// Versions by the names of sources.
  package var sources: [String: Version] = [:]
  /// Answers by the names of sources and the ids of regions.
  package var answers: [String: [String: Answer]] = [:]
  /// Elevation tiles by the patterns of their URLs and by their names.
  package var tiles: [String: [String: Tile]] = [:]

  // Keys are sorted, and the first one identifies the file.
  private enum CodingKeys: String, CodingKey {
    case cairnLock
    case sources
    case answers = "queries"
    case tiles
  }

  private static let bytesLimit = 16 << 20

  /// Makes an empty one.
  package init() {}

  /// The path of a manifest's lock file: `alps.lock.json` next to `alps.yaml`.
  package static func path(ofManifest path: String) -> String {
    let ending = [".yaml", ".yml"].first(where: path.hasSuffix) ?? ""
    return path.dropLast(ending.count) + ".lock.json"
  }

  /// Reads a lock file; a missing one is empty. Throws 78 for any other file.
  package init(file path: String) throws(CairnError) {
    guard pathExists(path) else { return }
    let bytes = try InputFile(path).readAll(limit: Self.bytesLimit)
    do throws(CairnError) { self = try Self(bytes) } catch { throw error.located(inFile: path) }
  }

  /// Reads the content of a lock file. Throws 78 for anything else.
  package init(_ bytes: [UInt8]) throws(CairnError) {
    struct Signature: Decodable { var cairnLock: Int }
    let data = Data(bytes)
    guard let signature = try? JSONDecoder().decode(Signature.self, from: data) else {
      throw CairnError(
        .sourceLock, .configuration, "is not a Cairn lock file",
        hint: "move it away; cairn run needs this name for its lock file")
    }
    guard signature.cairnLock == 1 else {
      throw CairnError(
        .sourceLock, .configuration,
        "is a lock file of version \(signature.cairnLock); this version of Cairn reads version 1")
    }
    guard let lock = try? JSONDecoder().decode(SourceLock.self, from: data), lock.isSound else {
      throw CairnError(
        .sourceLock, .configuration, "is a damaged lock file",
        hint: "restore it, or remove it and run without --frozen")
    }
    self = lock
  }

  /// Whether its values are safe in command lines and requests.
  private var isSound: Bool {
    func isPlain(_ text: String?) -> Bool {
      text.map { $0.utf8.count <= 256 && $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } } ?? true
    }
    return sources.values.allSatisfy { version in
      isDigest(version.sha256) && version.bytes >= 0 && isPlain(version.tag)
        && isPlain(version.lastModified)
    }
      && answers.values.joined().allSatisfy { _, answer in
        isDigest(answer.sha256) && isDigest(answer.query) && answer.bytes >= 0
      }
      && tiles.values.joined().allSatisfy { _, tile in
        tile.sha256.map(isDigest) ?? true && tile.bytes >= 0
      }
  }

  /// Writes the lock file. Throws 73 if another program wrote the file of its name.
  package func write(to path: String) throws(CairnError) {
    try AtomicOutput.write(try encodeJSON(self), to: path) { head in
      String(decoding: head, as: UTF8.self).contains("\"cairnLock\"")
    }
  }

  /// The lock without entries that the manifest no longer names.
  package func without(othersThan manifest: Manifest) -> SourceLock {
    let regions = Set(manifest.regions.map(\.id))
    var lock = self
    lock.sources = sources.filter { manifest.sources[$0.key]?.origin == .url }
    lock.answers = answers.filter { manifest.sources[$0.key]?.isAnswer ?? false }
      .mapValues { $0.filter { regions.contains($0.key) } }.filter { !$0.value.isEmpty }
    let patterns = Set(
      manifest.elevationFolders().compactMap { $0.pattern.map { redactedURL($0.url) } })
    lock.tiles = tiles.filter { patterns.contains($0.key) }
    return lock
  }
}
