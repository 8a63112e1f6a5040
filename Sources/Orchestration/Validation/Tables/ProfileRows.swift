// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import SQLiteKit
import SystemIO

/// The rows of `routing_profiles`.
struct ProfileRows {
  /// One profile.
  struct Profile {
    var id: Int64
    var name: String
    /// The least cost of a metre, as the database says.
    var leastCostPerMetre: Double
    /// What the definition says; nil where it cannot be read.
    var definition: CostProfile?
  }

  /// How many profiles are looked at: more than anybody has, and few enough for any machine.
  static let limit = 256

  /// In the order of their ids; the first one is that of `routing_edges`.
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
      if try SHA256Digest.ofText(text) != fingerprint {
        findings.add(.profileDefinitions, "\(name): the fingerprint is not that of its definition")
      }
      guard all.count == 1 else { continue }
      for (key, value) in [("profile", name), ("profile_fingerprint", fingerprint)]
      where metadata[key] != value {
        findings.add(
          .metadata, "\(key) says \(metadata[key] ?? "nothing"), the first profile \(value)")
      }
    }
  }

  private static func definition(_ text: String, _ name: String, _ findings: inout Findings)
    -> CostProfile?
  {
    do throws(CairnError) {
      let profile = try CostProfile(definition: text)
      if profile.name == name { return profile }
      findings.add(.profileDefinitions, "\(name): its definition is that of \(profile.name)")
    } catch {
      findings.add(.profileDefinitions, "\(name): its definition cannot be read: \(error.message)")
    }
    return nil
  }
}
