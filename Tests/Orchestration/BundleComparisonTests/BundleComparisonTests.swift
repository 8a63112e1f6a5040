// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import BundleComparison

@Suite("What has changed between two bundles")
struct BundleComparisonTests {
  private struct Expected: Hashable, CustomStringConvertible {
    var kind: String
    var label: String
    var description: String { "\(kind) \(label)" }
  }

  @Test("of seeded edits nothing is missed and nothing is invented", arguments: 1...6)
  func edits(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var (old, new) = (EditedWorld(), EditedWorld())
    var rows = Array(0..<EditedWorld.rows)
    rows.shuffle(using: &random)
    var expected: [Expected: Double] = [:]
    // Each edit once, and some of them twice.
    let edits = Edit.allCases + Edit.allCases.shuffled(using: &random)
    for (row, edit) in zip(rows, edits) {
      guard let change = edit.apply(row, old: &old, new: &new) else { continue }
      expected[Expected(kind: change.kind, label: change.label)] = change.share
    }
    let folder = try TemporaryFolder()
    let comparison = try BundleComparison(
      old.build(in: folder, "old"), new.build(in: folder, "new"))
    var found: [Expected: Double] = [:]
    for change in comparison.ways {
      let label = change.name ?? change.ways.map { "\($0)" }.joined(separator: ",")
      found[Expected(kind: change.kind.rawValue, label: label), default: 0] += change.metres
    }
    let (missed, invented) = (
      Set(expected.keys).subtracting(found.keys), Set(found.keys).subtracting(expected.keys)
    )
    #expect(missed.isEmpty, "missed: \(missed)")
    #expect(invented.isEmpty, "invented: \(invented.map { "\($0) \(found[$0] ?? 0)" })")
    // A path is 8 · 0.0013° long.
    let metres = 8 * 0.0013 * 111_195 * cos(47.04 * .pi / 180)
    for (change, share) in expected where change.kind != "rerouted" {
      #expect(abs((found[change] ?? 0) - share * metres) < 0.02 * metres, "\(change)")
    }
  }

  @Test("a comparison of a database with itself, and of two builds of the same, is empty")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let world = EditedWorld()
    let (one, other) = (try world.build(in: folder, "one"), try world.build(in: folder, "other"))
    let comparison = try BundleComparison(one, other)
    #expect(comparison.isEmpty)
    #expect(ChangeNotes(comparison).text.contains("Nothing has changed."))
  }

  @Test("what is added one way round is removed the other way round")
  func bothWays() throws {
    let folder = try TemporaryFolder()
    var changed = EditedWorld()
    changed.ways[EditedWorld.way(4)] = nil
    changed.peaks[90_001] = nil
    let (one, other) = (
      try EditedWorld().build(in: folder, "one"), try changed.build(in: folder, "other")
    )
    let forward = try BundleComparison(one, other)
    let back = try BundleComparison(other, one)
    #expect(forward.ways.map(\.kind) == [.removed] && back.ways.map(\.kind) == [.added])
    #expect(forward.ways.first?.metres == back.ways.first?.metres)
    #expect(forward.places?.map(\.kind) == [.removed] && back.places?.map(\.kind) == [.added])
  }

  @Test("peaks that were added, removed, moved, renamed or drawn anew are told apart")
  func places() throws {
    let folder = try TemporaryFolder()
    var new = EditedWorld()
    new.peaks[90_000] = nil
    new.peaks[90_001]?.latitude += 0.0018
    new.peaks[90_002]?.name = "Other"
    new.peaks[90_003]?.latitude += 0.00005
    new.peaks[90_044] = new.peaks.removeValue(forKey: 90_004)
    new.peaks[90_055] = new.peaks.removeValue(forKey: 90_005)
    new.peaks[90_055]?.name = "Peak Five"
    new.peaks[90_099] = .init(latitude: 47.05, longitude: 10.03, name: "Another")
    let comparison = try BundleComparison(
      EditedWorld().build(in: folder, "old"), new.build(in: folder, "new"))
    let found = (comparison.places ?? []).map { "\($0.kind) \($0.osm) \($0.name)" }
    #expect(
      found == [
        "removed n90000 Peak 0", "added n90099 Another", "moved n90001 Peak 1",
        "renamed n90002 Other", "renamed n90055 Peak Five",
      ])
    let moved = comparison.places?.first { $0.kind == .moved }
    #expect(abs((moved?.metres ?? 0) - 200) < 2)
    #expect(comparison.ways.isEmpty && comparison.routes?.isEmpty == true)
    let notes = ChangeNotes(comparison).text
    #expect(notes.contains("- **Another** (peak)") && notes.contains("**Peak 1** (peak): by 200 m"))
  }

  @Test("notes cut long lists with a count, and escape what Markdown would read")
  func notes() throws {
    let folder = try TemporaryFolder()
    var new = EditedWorld()
    for row in 1..<8 { new.ways[EditedWorld.way(row)] = nil }
    new.ways[EditedWorld.way(9)]?.tags["name"] = "A *bold* [x](y) path"
    let comparison = try BundleComparison(
      EditedWorld().build(in: folder, "old"), new.build(in: folder, "new"))
    let text = ChangeNotes(comparison, limit: 3).text
    #expect(text.contains("- … and 4 more, 3.2 km"), "\(text)")
    #expect(text.contains(#"**A \*bold\* \[x\](y) path** (path, hiking): 793 m"#), "\(text)")
    #expect(text.contains("| removed | 5.5 km | – | 5 | 7 |"), "\(text)")
    #expect(text.contains("Path (hiking) near Peak 3: "), "\(text)")
  }

  @Test("GeoJSON has the lines before and now, and JSON says the same as the notes")
  func formats() throws {
    let folder = try TemporaryFolder()
    var new = EditedWorld()
    new.nodes[EditedWorld.node(5, 5)]?.latitude += 0.001
    new.ways[EditedWorld.way(7)] = nil
    let comparison = try BundleComparison(
      EditedWorld().build(in: folder, "old"), new.build(in: folder, "new"))
    let features = try encodeJSON(comparison.features)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(features)) as? [String: Any])
    let list = try #require(object["features"] as? [[String: Any]])
    let told = list.map { feature -> String in
      let properties = feature["properties"] as? [String: Any] ?? [:]
      return "\(properties["change"] ?? "") \(properties["side"] ?? "")"
    }
    #expect(told == ["removed old", "rerouted old", "rerouted new"])
    let record = try #require(
      JSONSerialization.jsonObject(with: Data(encodeJSON(comparison.json))) as? [String: Any])
    let ways = try #require(record["ways"] as? [[String: Any]])
    #expect(ways.map { $0["change"] as? String } == ["removed", "rerouted"])
    #expect(ways.last?["wayMetresBefore"] as? Double ?? 0 > 700)
    #expect(BundleComparison.isComparison(head: try encodeJSON(comparison.json)))
  }

  @Test("a database that is missing, or something else, is an error")
  func badInput() throws {
    let folder = try TemporaryFolder()
    let side = try EditedWorld().build(in: folder, "one")
    let text = try folder.write("no database", to: "text.db")
    for (path, code) in [(folder.file("none.db"), ExitCode.noInput), (text, .dataError)] {
      #expect {
        _ = try BundleComparison(side, .init(routingDatabase: path))
      } throws: { ($0 as? CairnError)?.exitCode == code }
      #expect {
        _ = try BundleComparison(
          side, .init(routingDatabase: side.routingDatabase, places: path))
      } throws: { ($0 as? CairnError)?.exitCode == code }
    }
  }
}
