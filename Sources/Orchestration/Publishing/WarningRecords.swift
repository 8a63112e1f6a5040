// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import Glibc
import ResultStore
import SystemIO
import Validation

/// What was noticed when a bundle was made.
package struct BundleWarnings: Codable, Equatable, Sendable {
  /// The warnings of one kind.
  package struct Kind: Codable, Equatable, Sendable {
    /// The stage that warned.
    package var stage: String
    /// The code of the warning, or the rule of the validator.
    package var kind: String
    /// The number of them.
    package var count: Int
    /// The first of them.
    package var examples: [String]

    package init(stage: String, kind: String, count: Int, examples: [String]) {
      (self.stage, self.kind, self.count, self.examples) = (stage, kind, count, examples)
    }
  }

  /// The warnings of the stages whose results it has, by stage and kind.
  package var kinds: [Kind]
  /// The differences of its databases from those published before, if compared.
  package var drift: [DriftReport]

  package init(kinds: [Kind] = [], drift: [DriftReport] = []) {
    (self.kinds, self.drift) = (kinds, drift)
  }

  /// The number of warnings.
  package var total: Int { kinds.reduce(0) { $0 &+ $1.count } }
}

/// The warnings of the bundles of an output folder: `warnings/REGION.json` in the store, which names
/// bundles by the digests of their records. So they are told alike whoever ran when, also after a
/// rollback.
package struct WarningRecords: Sendable {
  private struct Record: Codable {
    /// The region.
    var region: String
    /// Those of the published bundle and of earlier ones.
    var bundles: [String: BundleWarnings] = [:]
    /// Those of what the last run refused to publish; nil if it refused nothing.
    var refused: BundleWarnings?
  }

  private static let bytesLimit = 64 << 20

  private let output: String
  private let store: ActionStore

  /// The records of an output folder, which need not exist.
  package init(ofOutput output: String) {
    self.output = output
    store = ActionStore(ofOutput: output)
  }

  /// The warnings of the published bundle of a region; nil if there is none, or if no run has recorded
  /// them. Throws 65 for a damaged record.
  package func published(_ id: String) throws(CairnError) -> BundleWarnings? {
    guard let digest = Self.digest(ofBundle: joinPath(output, id)) else { return nil }
    return try record(id)?.bundles[digest]
  }

  /// The warnings of what the last run refused to publish; nil if it refused nothing. Throws 65 for a
  /// damaged record.
  package func refused(_ id: String) throws(CairnError) -> BundleWarnings? {
    try record(id)?.refused
  }

  /// Records the warnings of the published bundle of a region.
  ///
  /// - Parameters:
  ///   - isNew: Whether it was made just now. Otherwise, known warnings stay.
  ///   - earlier: The folders of bundles that may be published again, whose warnings are kept.
  func record(
    _ id: String, isNew: Bool, earlier: [String], _ warnings: () -> BundleWarnings
  ) throws(CairnError) {
    guard let digest = Self.digest(ofBundle: joinPath(output, id)) else { return }
    var record = try usableRecord(id)
    let known = record.bundles[digest]
    guard isNew || known == nil || record.refused != nil else { return }
    var present = isNew ? warnings() : known ?? warnings()
    // Made again, it is compared with itself.
    if let known, present.drift.isEmpty { present.drift = known.drift }
    let kept = Set(earlier.compactMap(Self.digest))
    record.bundles = record.bundles.filter { kept.contains($0.key) }
    record.bundles[digest] = present
    record.refused = nil
    try write(record, id)
  }

  /// Records the warnings of what is not published.
  package func refuse(_ id: String, _ warnings: BundleWarnings) throws(CairnError) {
    var record = try usableRecord(id)
    guard record.refused != warnings else { return }
    record.refused = warnings
    try write(record, id)
  }

  /// The same where it is only shown: those of a damaged record are unknown, and `cairn warnings` says
  /// what is wrong with it.
  package func publishedIfReadable(_ id: String) -> BundleWarnings? { try? published(id) }

  /// Whether the record of a region is one.
  package func isRecorded(_ id: String) -> Bool { (try? record(id))?.region == id }

  /// The record of a region, or a new one where there is none or it is damaged.
  private func usableRecord(_ id: String) throws(CairnError) -> Record {
    do throws(CairnError) { return try record(id) ?? Record(region: id) } catch {
      guard error.code == .damagedRecord else { throw error }
      return Record(region: id)
    }
  }

  private func record(_ id: String) throws(CairnError) -> Record? {
    let path = store.warningsPath(id)
    guard isRegionID(id), pathExists(path) else { return nil }
    let bytes = try InputFile(path).readAll(limit: Self.bytesLimit)
    do { return try JSONDecoder().decode(Record.self, from: Data(bytes)) } catch {
      throw CairnError(
        .damagedRecord, .dataError, "is not a record of warnings", at: Location(file: path),
        hint: "remove it; the next cairn run writes it again")
    }
  }

  private func write(_ record: Record, _ id: String) throws(CairnError) {
    try makeOwnFolder(store.warnings)
    try writeCacheFile(try encodeJSON(record), to: store.warningsPath(id))
  }

  /// The digest of the record of a bundle.
  private static func digest(ofBundle folder: String) -> String? {
    guard let bytes = BundleRecord.bytes(inFolder: folder) else { return nil }
    let digest = SHA256Digest()
    digest.update(bytes)
    return digest.finish()
  }
}

extension Publisher {
  /// Records the warnings of the published bundle of a region; see
  /// ``WarningRecords/record(_:isNew:earlier:_:)``.
  package func recordWarnings(_ id: String, isNew: Bool, _ warnings: () -> BundleWarnings)
    throws(CairnError)
  {
    try WarningRecords(ofOutput: index.output).record(
      id, isNew: isNew, earlier: earlier.folders(id), warnings)
  }
}

extension CairnError.Code {
  /// A record of warnings is none.
  fileprivate static let damagedRecord: Self = "damaged-record"
}
