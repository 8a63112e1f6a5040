// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import FoundationEssentials
import SystemIO

/// A bundle that stays unpublished although its inputs give it: it was rolled back, or drift refused it.
///
/// `rejected/REGION.json` in the store is the bundle's record, with the further keys below.
package struct HeldBundle: Codable, Equatable, Sendable {
  /// Too great a difference from the published bundle.
  package struct Drift: Codable, Equatable, Sendable {
    /// The limit of the check max-drift.
    package var limit: Double?
    /// What the check found, in words.
    package var findings: String

    package init(limit: Double?, findings: String) {
      (self.limit, self.findings) = (limit, findings)
    }
  }

  private enum Keys: String, CodingKey { case heldSince, drift }

  /// The bundle.
  package var bundle: BundleRecord
  /// When it was first held back, ISO 8601; nil if unknown, as in a record of an earlier version.
  package var since: String?
  /// Why it was refused; nil if it was rolled back.
  package var drift: Drift?

  /// - Parameter time: The present time, in seconds since 1970.
  package init(_ bundle: BundleRecord, time: Int?, drift: Drift? = nil) {
    self.bundle = bundle
    since = time.flatMap { timestampText(seconds: Int64($0)) }
    self.drift = drift
  }

  package init(from decoder: any Decoder) throws {
    bundle = try BundleRecord(from: decoder)
    let container = try decoder.container(keyedBy: Keys.self)
    since = try container.decodeIfPresent(String.self, forKey: .heldSince)
    drift = try container.decodeIfPresent(Drift.self, forKey: .drift)
  }

  /// The one in a file; nil if the file is not a record of one.
  init?(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let held = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    else { return nil }
    self = held
  }

  package func encode(to encoder: any Encoder) throws {
    try bundle.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeIfPresent(since, forKey: .heldSince)
    try container.encodeIfPresent(drift, forKey: .drift)
  }

  /// The ``reason`` of what was rolled back.
  package static let rolledBackReason =
    "its current bundle was rolled back; the next is published when the inputs change, or after "
    + "cairn rollback --undo"

  /// Why it is not published, and what publishes it.
  package var reason: String {
    guard let drift else { return Self.rolledBackReason }
    return "\(drift.findings); the published bundle is kept until the inputs change, or until "
      + "cairn run --accept-drift \(bundle.id)"
  }

  /// The same with the day since when it is held back.
  package var text: String {
    "held back\(since.map { " since \(printable(String($0.prefix(10))))" } ?? ""): \(reason)"
  }
}
