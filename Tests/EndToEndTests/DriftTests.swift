// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn run with an earlier bundle published")
struct DriftTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let samples = "\(packageRoot)/sample-data"
    try folder.write(
      """
      cairn: 1
      name: drift
      output: out
      sources: { valley: { pbf: \(samples)/valley.osm.pbf } }
      elevation: [{ hgt: \(samples)/hgt }]
      profiles: [mine.yaml]
      defaults: { source: valley, checks: { max-drift: 0.1 } }
      regions: [{ id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }]
      """, to: "m.yaml")
    try writeProfile("climb-factor: 8\n")
  }

  private func writeProfile(_ text: String) throws {
    try folder.write("cairn-profile: 1\nname: mine\nbased-on: hiking\n" + text, to: "mine.yaml")
  }

  private func run(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["run", folder.file("m.yaml")] + words)
  }

  @Test("the published bundle stays if costs drift too far, until the user accepts the drift")
  func accepted() throws {
    #expect(try run().status == 0)
    let published = folder.file("out/west/west.routing.db")
    let before = try bytesOfFile(published)
    try writeProfile("# in other words\nclimb-factor: 8.0\n")
    #expect(try run().stdout.contains("nothing to do"))
    try writeProfile("climb-factor: 30\n")
    let refused = try run()
    #expect(refused.status == 1)
    #expect(refused.stderr.contains("check max-drift: "), "\(refused.stderr)")
    #expect(refused.stderr.contains("mine: cost per km"), "\(refused.stderr)")
    #expect(refused.stderr.contains("--accept-drift west"), "\(refused.stderr)")
    #expect(try bytesOfFile(published) == before)
    #expect(try run("--accept-drift", "west").status == 0)
    #expect(try bytesOfFile(published) != before)
    #expect(try run().stdout.contains("nothing to do"))
    #expect(try run("--accept-drift", "wst").status == 64)
  }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", [words[0], folder.file("m.yaml")] + words.dropFirst())
  }

  private func change(_ old: String, _ new: String) throws {
    let text = String(decoding: try folder.read("m.yaml"), as: UTF8.self)
    #expect(text.contains(old))
    try folder.write(text.replacing(old, with: new), to: "m.yaml")
  }

  /// Expects that the region is refused by this run, and held back by the next ones.
  private func expectToldOnce(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let refused = try Executables.run("cairn", ["run", folder.file("m.yaml")] + words)
    #expect(refused.status == 1, "\(refused.stderr)", sourceLocation: sourceLocation)
    for _ in 1...2 {
      let night = try run()
      #expect(night.status == 0, "\(night.stderr)", sourceLocation: sourceLocation)
      #expect(night.stdout.contains(/west .* held back\n/), sourceLocation: sourceLocation)
      #expect(night.stdout.contains("1 cached"), "nothing is built", sourceLocation: sourceLocation)
    }
  }

  @Test("what drift refuses fails one run and is held back by the next, until something changes")
  func heldBack() throws {
    #expect(try run().status == 0)
    let before = try bundle()
    try writeProfile("climb-factor: 30\n")
    try expectToldOnce()
    #expect(try bundle() == before)
    for command in ["status", "explain-run"] {
      let told = try cairn(command)
      #expect(told.status == 0)
      #expect(
        told.stdout.contains(/held back since 20\d\d-\d\d-\d\d: check max-drift/),
        "\(told.stdout)")
      #expect(told.stdout.contains("cairn run --accept-drift west"))
      #expect(try cairn(command, "--json").stdout.contains(/"held" ?: true/))
    }
    #expect(try run("--dry-run").stdout.contains("west: would not publish: held back since"))
    try Executables.succeed(
      "cairn", ["report", folder.file("m.yaml"), "--output", folder.file("report.html")])
    let page = String(decoding: try folder.read("report.html"), as: UTF8.self)
    #expect(page.contains("⏸ held back") && page.contains("west: held back since"))
    #expect(page.contains("⏸ 1 region held back"))
    let undo = try cairn("rollback", "west", "--undo")
    #expect(undo.status == 0 && undo.stdout.contains("nothing was rolled back; held back since"))
    #expect(try run().status == 0)
    // What can be done about it is told again whether it helped.
    try expectToldOnce("--force")
    try change("max-drift: 0.1", "max-drift: 0.11")
    try expectToldOnce()
    try writeProfile("climb-factor: 31\n")
    try expectToldOnce()
    // The published bundle is current again, and then not.
    try writeProfile("climb-factor: 8\n")
    #expect(try run().stdout.contains("nothing to do"))
    #expect(try cairn("status").stdout.contains("fresh"))
    try writeProfile("climb-factor: 31\n")
    try expectToldOnce()
    #expect(try bundle() == before)
    // A rolled-back bundle is no failure, although it drifts from the one that is published.
    #expect(try run("--accept-drift", "west").status == 0)
    #expect(try cairn("status").status == 0)
    #expect(try cairn("rollback", "west").status == 0)
    let held = try run()
    #expect(held.status == 0 && held.stdout.contains(/west .* held back\n/), "\(held.stderr)")
    #expect(try bundle() == before)
    #expect(try cairn("rollback", "west", "--undo").status == 0)
    try expectToldOnce()
    try change(", checks: { max-drift: 0.11 }", "")
    #expect(try run().status == 0)
    #expect(try bundle() != before)
  }

  @Test("a bundle that another check refuses fails each run, with drift or without")
  func otherChecks() throws {
    try change("max-drift: 0.1", "max-drift: 0.1, min-edges: 1000000")
    for _ in 1...2 { #expect(try run().status == 1, "nothing was ever published") }
    try change(", min-edges: 1000000", "")
    #expect(try run().status == 0)
    try writeProfile("climb-factor: 30\n")
    try expectToldOnce()
    try change("max-drift: 0.1", "max-drift: 0.1, min-edges: 1000000")
    for _ in 1...2 {
      let refused = try run()
      #expect(refused.status == 1)
      #expect(refused.stderr.contains("check min-edges") && refused.stderr.contains("max-drift"))
      #expect(try cairn("status").status == 1)
    }
    try change(", min-edges: 1000000", "")
    try expectToldOnce()
  }

  /// All files of the bundle.
  private func bundle() throws -> [String: [UInt8]] {
    let path = folder.file("out/west")
    return try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: [:]) {
      $0[$1] = try bytesOfFile("\(path)/\($1)")
    }
  }

  @Test(
    "a change is refused where the published database cannot be read, and both ways out work",
    arguments: ["west.routing.db", "west.bike.routing.db"], ["accept", "rollback"])
  func damagedBaseline(name: String, exit: String) throws {
    let manifest = folder.file("m.yaml")
    let main = name.contains("bike") ? "hiking" : "mine.yaml"
    let text = String(decoding: try bytesOfFile(manifest), as: UTF8.self)
      .replacing("\nprofiles: [mine.yaml]", with: "\nprofiles: [\(main)]")
      .replacing(
        "source: valley,",
        with: "source: valley, variants: [{ name: bike, profiles: [mine.yaml] }],")
    try folder.write(text, to: "m.yaml")
    #expect(try run().status == 0)
    try writeProfile("climb-factor: 8.01\n")
    #expect(try run().status == 0, "a small change")
    var bytes = try bytesOfFile(folder.file("out/west/\(name)"))
    bytes.replaceSubrange(0..<200, with: Array(repeating: 0, count: 200))
    try FileManager.default.removeItem(atPath: folder.file("out/west/\(name)"))
    try folder.write(bytes, to: "out/west/\(name)")
    let before = try bundle()
    try writeProfile("climb-factor: 30\n")
    let refused = try run()
    #expect(refused.status == 1)
    #expect(
      refused.stderr.contains(
        "\(name): has changed since it was published; the check max-drift has"),
      "\(refused.stderr)")
    #expect(refused.stderr.contains("--accept-drift west"), "\(refused.stderr)")
    #expect(try bundle() == before)
    let dry = try run("--dry-run")
    #expect(dry.stdout.contains("and fail: ") && dry.stdout.contains(name), "\(dry.stdout)")
    if exit == "accept" {
      #expect(try run("--accept-drift", "west").status == 0)
    } else {
      try Executables.succeed("cairn", ["rollback", manifest, "west"])
      let drift = try run()
      #expect(drift.status == 1)
      #expect(drift.stderr.contains("cost per km"), "measured again: \(drift.stderr)")
    }
    try Executables.succeed("cairn", ["bundle", "verify", folder.file("out")])
  }
}
