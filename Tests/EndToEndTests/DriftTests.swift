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
}
