// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Small maps in Tests/Drawings, drawn after reports of walkers who were led wrong. Where there are two of
/// a name, they differ in one tag or node.
@Suite("Drawings of what has led walkers wrong")
struct DrawingTests {
  /// The databases of all drawings, made once.
  private static let built = Result { try build() }
  private let folder: TemporaryFolder

  init() throws { folder = try Self.built.get() }

  private static func build() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let drawings = "\(packageRoot)/Tests/Drawings"
    let names = try FileManager.default.contentsOfDirectory(atPath: drawings)
      .filter { $0.hasSuffix(".osm") }.map { String($0.dropLast(4)) }.sorted()
    // Every drawing lies in this box.
    let regions = names.map { name in
      "  - { id: \(name), name: \(name), source: \(name), bbox: [0, 41, 9, 47] }"
    }
    let manifest = try folder.write(
      """
      cairn: 1
      name: drawings
      output: out
      sources:
      \(names.map { "  \($0): { overpass: \(drawings)/\($0).osm }" }.joined(separator: "\n"))
      elevation: none
      profiles: [trail-hiking, hiking]
      defaults:
        date: 2026-07-15
      regions:
      \(regions.joined(separator: "\n"))
      """, to: "manifest.yaml")
    try Executables.succeed("cairn", ["run", "-q", manifest])
    return folder
  }

  private func database(_ name: String) -> String { folder.file("out/\(name)/\(name).routing.db") }

  private func route(_ name: String, _ from: String, _ to: String, _ words: [String] = []) throws
    -> [String: Any]
  {
    try jsonObject(
      Executables.succeed(
        "cairn",
        ["route", database(name), "--from", from, "--to", to, "--format", "json"] + words
      ).stdout)
  }

  private static let ends: [String: (String, String)] = [
    "ferry": ("46.5,8.5", "46.5,8.5156777"),
    "square": ("46.5,8.4986935", "46.5017986,8.5039194"),
    "path": ("46.5,8.5", "46.5,8.5052259"),
    "route": ("46.5,8.5", "46.5,8.5078389"),
    "shore": ("46.5006295,8.5065324", "46.5,8.5130648"),
  ]

  /// `drawing | ends | options | metres | seconds, or - | warnings | why`
  private static let table = """
    fr-three | ferry | | 1200 | 3788 | ferry | the hour is that of the line, not of each of its ways
    f-rel-tagged | ferry | | 1200 | 1388 | ferry | a ferry takes from its line what it lacks
    fr-two | ferry | | 1200 | 1388 | ferry | one of two lines takes walkers
    f-rel-roles | ferry | | 1200 | 1388 | ferry | a role is a direction
    sq-private | square | | 600 | - | | the gate closes the way that leaves there
    sq-open | square | | 600 | - | | along the edge
    a-mp-service | square | | 600 | - | | a multipolygon is walked as the way is
    c-ring-service | square | | 600 | - | | along the edge
    n-elevator-access-no | path | | 1200 | - | | a lift that is closed
    n-elevator | path | | 400 | - | | a lift that is open
    w-sac-t5plus | path | --max-sac T2 --strict | 1200 | - | | T5+ is T5
    w-sac-t5plus | path | --profile hiking | 400 | - | demanding alpine path, T5 | without a limit it is told
    w-sac-t5 | path | --max-sac T2 --strict | 1200 | - | | T5
    st-proposed | route | | 1166 | - | | a proposed route opens nothing
    st-none | route | | 1166 | - | | without a route
    st-real | route | | 600 | - | closed to traffic, open by a waymarked route | a real route
    s-ferry | shore | | 500 | - | | nobody boards in the middle of a lake
    s-path | shore | | 600 | - | | a path is nearer
    """

  @Test("routes are as a local would walk, and say what there is to say")
  func routes() throws {
    for line in Self.table.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let (from, to) = try #require(Self.ends[columns[1]])
      let found = try route(columns[0], from, to, columns[2].split(separator: " ").map(String.init))
      #expect((found["totalDistance"] as? Double)?.rounded() == Double(columns[3]), "\(line)")
      if columns[4] != "-" {
        #expect((found["estimatedDuration"] as? Double)?.rounded() == Double(columns[4]), "\(line)")
      }
      let warnings = found["warnings"] as? [[String: Any]]
      let texts = warnings?.compactMap { $0["text"] as? String } ?? []
      #expect(texts.joined(separator: "; ") == columns[5], "\(line)")
    }
  }

  @Test(
    "what is said on the way",
    arguments: [
      ("hp-8", "46.5005006,8.5000509", ["Turn sharp left onto Upper Path"]),
      ("d-jogs", "46.5,8.5117583", []), ("j-none", "46.5,8.5117583", []),
    ])
  func said(name: String, to: String, texts: [String]) throws {
    let planned = try jsonObject(
      Executables.succeed(
        "cairn",
        ["route", database(name), "--from", "46.5,8.5", "--to", to, "--format", "planned"]
      ).stdout)
    let list = try #require(planned["turnInstructions"] as? [[String: Any]])
    #expect(list.dropFirst().dropLast().map { $0["description"] as? String } == texts)
  }

  @Test("a line whose ways have roles goes one way only")
  func direction() throws {
    let result = try Executables.run(
      "cairn",
      ["route", database("f-rel-roles"), "--from", "46.5,8.5156777", "--to", "46.5,8.5"])
    #expect(result.status != 0)
  }

  @Test(
    "a waymarked route with a spur that is listed twice is one piece",
    arguments: [("sp-both", 1700.0), ("sp-start", 1500.0)])
  func spur(name: String, metres: Double) throws {
    let trail = try jsonObject(
      Executables.succeed("cairn", ["trails", "show", "--json", folder.file("out/\(name)"), "r20"])
        .stdout)
    #expect(trail["lengthMetres"] as? Double == metres)
    #expect(
      (trail["pieces"] as? [Any])?.count == 1 && (trail["branches"] as? [Any])?.isEmpty == true)
  }

  @Test("a winter ban of protected land closes in winter and is told in summer")
  func winterBan() throws {
    let ends = ["--from", "42.001,1", "--to", "42.001,1.004"]
    let summer = try route("winter-ban", ends[1], ends[3])
    let warnings = try #require(summer["warnings"] as? [[String: Any]])
    #expect(warnings.map { $0["tag"] as? String } == ["access:conditional=no @ (Dec 1-Apr 30)"])
    let winter = try Executables.run(
      "cairn", ["route", database("winter-ban")] + ends + ["--date", "2026-01-10"])
    #expect(winter.status != 0 && winter.stderr.contains("no @ (Dec 1-Apr 30)"), "\(winter.stderr)")
  }

  @Test("an audit says of a condition that no calendar knows what it is")
  func snow() throws {
    let audit = try Executables.succeed("cairn", ["audit", database("snow")]).stdout
    #expect(
      audit.contains("perhaps closed: no @ snow") && !audit.contains("fast traffic"), "\(audit)")
  }
}
