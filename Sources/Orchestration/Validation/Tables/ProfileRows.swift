// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import CostModel
import SystemIO

/// The rows of `routing_profiles`.
struct ProfileRows {
  /// One profile.
  struct Profile {
    var id: Int64
    var name: String
    /// The minimum cost per metre stated in the database.
    var leastCostPerMetre: Double
    /// The definition; nil if it cannot be read.
    var definition: CostProfile?
  }

  /// The maximum number of checked profiles; no real database has as many.
  static let limit = 256

  /// In the order of their ids; the first one is the profile of `routing_edges`.
  private(set) var all: [Profile] = []

  /// Reads the table; adds breaches of `profile-definitions` and `metadata`.
  init(_ connection: SQLiteConnection, metadata: [String: String], _ findings: inout Findings)
    throws(CairnError)
  {
    let row = try connection.prepare(
      """
      SELECT id, name, min_cost_per_metre, fingerprint, definition FROM routing_profiles
      ORDER BY id
      """)
    while try row.step() {
      guard all.count < Self.limit else {
        findings.add(.profileDefinitions, "there are more than \(Self.limit) profiles")
        break
      }
      let name = row.text(1) ?? ""
      let text = row.text(4) ?? ""
      let fingerprint = row.text(3) ?? ""
      all.append(
        Profile(
          id: row.integer(0), name: name, leastCostPerMetre: number(row, 2),
          definition: Self.definition(text, name, &findings)))
      if SHA256Digest.ofText(text) != fingerprint {
        findings.add(.profileDefinitions, "\(name): the fingerprint does not match its definition")
      }
      guard all.count == 1 else { continue }
      for (key, value) in [("profile", name), ("profile_fingerprint", fingerprint)]
      where metadata[key] != value {
        findings.add(
          .metadata, "\(key) is \(metadata[key] ?? "missing"), but the first profile has \(value)")
      }
    }
  }

  private static func definition(_ text: String, _ name: String, _ findings: inout Findings)
    -> CostProfile?
  {
    do throws(CairnError) {
      let profile = try CostProfile(definition: text)
      if profile.name == name { return profile }
      findings.add(
        .profileDefinitions, "\(name): its definition is that of profile \(profile.name)")
    } catch {
      findings.add(.profileDefinitions, "\(name): its definition cannot be read: \(error.message)")
    }
    return nil
  }
}
