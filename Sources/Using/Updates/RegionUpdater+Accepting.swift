// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RegionUpdater {
  /// How far the clocks of publisher and client may differ, in seconds.
  private static let clockTolerance = 86_400.0
  private static let unsigned = "unsigned"

  /// An index that was accepted.
  private struct Accepted: Codable {
    var number: Int
    var sha256: String
    var published: String
  }

  /// Refuses an index that is old, expired or from the future.
  ///
  /// Only what the same key has signed is held against a signed index. Anyone could have written one
  /// without a signature, and end all updates with a great number, so it is not refused for its own.
  ///
  /// - Returns: The number of a later index that was accepted before; nil if there is none.
  func accept(_ index: IndexRecord, _ digest: String, remembers: Bool) throws(UpdateError) -> Int? {
    guard let release = index.release else { return nil }
    var known = try accepted()
    let signer = publicKey.map { hexadecimal($0) } ?? Self.unsigned
    let last = known[signer]
    if let last, publicKey != nil {
      guard release.number >= last.number else {
        throw .old(number: release.number, known: last.number)
      }
      guard release.number > last.number || digest == last.sha256 else {
        throw .invalid("there are two indexes with the number \(release.number)")
      }
    }
    let now = now()
    guard let published = parsedTimestamp(release.published) else {
      throw .invalid("the time of its index is not a time")
    }
    guard published.timeIntervalSince(now) <= Self.clockTolerance else {
      throw .fromFuture(published: release.published, now: timestampText(now) ?? "\(now)")
    }
    if let expires = release.expires {
      guard let end = parsedTimestamp(expires) else { throw .invalid("its end is not a time") }
      // A slow clock must not make an old index look new.
      let seen = publicKey == nil ? nil : last.flatMap { parsedTimestamp($0.published) }
      guard max(now, seen ?? .distantPast) <= end else { throw .expired(since: expires) }
    }
    let later = known.values.filter { $0.number >= release.number && $0.sha256 != digest }
    if remembers, digest != last?.sha256 {
      known[signer] = Accepted(
        number: release.number, sha256: digest, published: release.published)
      try remember(known)
    }
    return later.map(\.number).max()
  }

  private var acceptedFile: URL { work.appending(path: "accepted.json") }

  /// The indexes accepted last, by the key that signed them.
  private func accepted() throws(UpdateError) -> [String: Accepted] {
    guard UpdateFiles.exists(acceptedFile) else { return [:] }
    do {
      let data = try Data(contentsOf: acceptedFile)
      // An earlier version did not record who signed the index.
      if (try? JSONDecoder().decode(Accepted.self, from: data)) != nil { return [:] }
      return try JSONDecoder().decode([String: Accepted].self, from: data)
    } catch {
      throw .notWritten(
        "\(acceptedFile.path): cannot be read, so an old index would go unnoticed; remove it if you "
          + "trust the server")
    }
  }

  private func remember(_ accepted: [String: Accepted]) throws(UpdateError) {
    do { try UpdateFiles.write(try JSONEncoder().encode(accepted), to: acceptedFile) } catch {
      throw error as? UpdateError ?? .notWritten("\(acceptedFile.path): \(error)")
    }
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
