// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn publish, keygen and update")
struct UpdateCommandTests {
  @Test(
    "nights of edits reach a folder by HTTP, whatever the server does and whenever it is killed",
    .disabled(if: Executables.areSanitized, "waits for executables"))
  func nights() throws {
    // The long form is `make updates`.
    let result = try runProcess(
      "python3",
      [
        "\(packageRoot)/Tests/UpdateTests/updates.py", "--bin", Executables.folder, "--pbf",
        "\(packageRoot)/sample-data/valley.osm.pbf", "--nights", "2", "--kills", "6",
      ])
    #expect(result.status == 0, "\(result.stdout)\n\(result.stderr)")
    #expect(result.stdout.contains("passed: 6 kills in 2 nights"))
  }

  @Test("refusals have the exit codes that the help says")
  func refusals() throws {
    let folder = try TemporaryFolder()
    func cairn(_ words: String...) throws -> ProcessResult { try Executables.run("cairn", words) }
    let (key, tree) = (folder.file("key"), folder.file("tree"))
    try folder.write(
      """
      cairn: 1
      name: sample
      output: out
      sources: { valley: { pbf: "\(packageRoot)/sample-data/valley.osm.pbf" } }
      elevation: none
      regions: [{ id: valley, name: Valley, source: valley, bbox: [10.00, 47.00, 10.10, 47.10] }]
      """, to: "m.yaml")
    let manifest = folder.file("m.yaml")
    #expect(try cairn("publish", manifest, "--to", tree).status == 66)
    #expect(try cairn("run", "-q", manifest).status == 0)
    #expect(try cairn("keygen", key).status == 0)
    #expect(try cairn("keygen", key).status == 73)
    let attributes = try FileManager.default.attributesOfItem(atPath: key)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try cairn("publish", manifest, "--to", tree, "--sign", key + ".pub").status == 65)
    #expect(try cairn("publish", manifest, "--to", folder.path).status == 73)
    #expect(try cairn("publish", manifest, "--to", tree).status == 0)

    let (regions, url) = (folder.file("regions"), "file://" + tree)
    // Not signed yet; then with another key; then a region that is not there.
    let unsigned = try cairn("update", regions, url, "valley", "--key", key + ".pub")
    #expect(unsigned.status == 65, "\(unsigned.stderr)")
    #expect(unsigned.stderr.contains("it has no signature"), "\(unsigned.stderr)")
    #expect(try cairn("publish", manifest, "--to", tree, "--sign", key).status == 0)
    #expect(try cairn("publish", manifest, "--to", tree).status == 78)
    #expect(try cairn("keygen", folder.file("other")).status == 0)
    let other = try cairn("update", regions, url, "--key", folder.file("other.pub"))
    #expect(other.status == 65, "\(other.stderr)")
    #expect(try cairn("update", regions, url, "alps", "--key", key + ".pub").status == 66)
    let list = try cairn("update", regions, url, "--key", key + ".pub", "--list")
    #expect(list.stdout.contains("valley"), "\(list.stdout)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: regions) == [".cairn-updates"])
    let done = try cairn("update", regions, url, "valley", "--key", key + ".pub")
    #expect(done.status == 0, "\(done.stderr)")
    #expect(done.stdout.hasPrefix("valley: installed"))
    #expect(try cairn("bundle", "verify", regions + "/valley").status == 0)
    #expect(try cairn("update", regions, url).stdout == "valley: is up to date\n")
  }

  @Test("an empty file of a user's stage is published, verified and installed")
  func emptyFile() throws {
    let folder = try TemporaryFolder()
    func cairn(_ words: String...) throws -> ProcessResult { try Executables.run("cairn", words) }
    try folder.write(
      """
      cairn: 1
      name: sample
      output: out
      sources: { valley: { pbf: "\(packageRoot)/sample-data/valley.osm.pbf" } }
      elevation: none
      stages:
        - { name: huts, command: [cp, /dev/null, "{output}"], after: build-graph, outputs: [huts.txt] }
      regions: [{ id: valley, name: Valley, source: valley, bbox: [10.00, 47.00, 10.10, 47.10] }]
      """, to: "m.yaml")
    let (manifest, regions) = (folder.file("m.yaml"), folder.file("regions"))
    let run = try cairn("run", "-q", manifest)
    #expect(run.status == 0, "\(run.stderr)")
    #expect(try cairn("bundle", "verify", folder.file("out/valley")).status == 0)
    #expect(try cairn("publish", manifest, "--to", folder.file("tree")).status == 0)
    let update = try cairn("update", regions, "file://" + folder.file("tree"), "valley")
    #expect(update.status == 0, "\(update.stderr)")
    #expect(try folder.read("regions/valley/huts.txt") == [])
    #expect(try cairn("bundle", "verify", regions + "/valley").status == 0)
  }
}
