// SPDX-License-Identifier: Apache-2.0
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Profiles and variants in manifests")
struct ManifestVariantTests {
  private func problems(_ good: String, _ bad: String) throws -> [String] {
    try FullManifest().problems(ManifestTests.good.replacing(good, with: bad))
  }

  private func names(_ profiles: [Manifest.Profile]) -> [String] {
    profiles.map {
      switch $0.kind {
      case .builtIn(let name): name
      case .file: "file"
      }
    }
  }

  @Test("a region has profiles and variants of its own, those of the defaults or the manifest's")
  func inherited() throws {
    let full = try FullManifest()
    let plain = try full.load(ManifestTests.good)
    #expect(
      plain.regions.map { names(plain.profiles(of: $0)) } == [
        ["hiking", "file"], ["hiking", "file"],
      ])
    #expect(plain.regions.allSatisfy { $0.variants.isEmpty })
    let text = ManifestTests.good
      .replacing(
        "source: valley,",
        with: "source: valley, profiles: [family], variants: [{ name: bike, profiles: [cycling] }],"
      )
      .replacing(
        "    source: plain\n", with: "    source: plain\n    variants: []\n    profiles: [hiking]\n"
      )
    let manifest = try full.load(text)
    #expect(manifest.regions.map { names(manifest.profiles(of: $0)) } == [["family"], ["hiking"]])
    #expect(manifest.regions.map { $0.variants.map(\.name) } == [["bike"], []])
    #expect(names(manifest.regions[0].variants[0].profiles) == ["cycling"])
    let features = try full.load(
      FullManifest.good.replacing(
        "title, checks", with: "title, variants: [{ name: v, profiles: [family] }], checks"))
    #expect(features.regions.allSatisfy { $0.variants.map(\.name) == ["v"] })
  }

  @Test(
    "a variant that cannot be built is refused with line and column",
    arguments: [
      (
        "[{ name: a, profiles: [hiking] }, { name: a, profiles: [cycling] }]",
        "is the name of another variant: “a”"
      ),
      (
        "[{ name: A.b, profiles: [hiking] }]",
        "must consist of lower-case letters, digits and hyphens"
      ),
      ("[{ name: a, profiles: [] }]", "must list at least one profile"),
      ("[{ name: a }]", "“profiles” is missing"),
      ("[{ profiles: [hiking] }]", "“name” is missing"),
      ("[{ name: a, profiles: [hiking, cycling, hiking] }]", "appears twice: “hiking”"),
    ])
  func refused(variants: String, problem: String) throws {
    let found = try problems("source: valley,", "source: valley, variants: \(variants),")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("m.yaml:10:") == true)
    #expect(found.first?.contains(problem) == true, "\(found)")
  }

  @Test("an output of a custom stage with the name of a variant's database is refused")
  func collision() throws {
    let full = try FullManifest()
    for (output, isTaken) in [
      ("{region}.bike.routing.db", true), ("east.bike.routing.db-wal", true),
      ("{region}.boat.routing.db", false),
    ] {
      let text = FullManifest.good
        .replacing(
          "far, checks", with: "far, variants: [{ name: bike, profiles: [cycling] }], checks"
        )
        .replacing("\"{region}.contours\"", with: "\"\(output)\"")
      #expect(
        full.problems(text).contains { $0.contains("name of another file") } == isTaken, "\(output)"
      )
    }
  }
}
