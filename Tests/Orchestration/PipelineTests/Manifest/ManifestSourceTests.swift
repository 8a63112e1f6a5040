// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Sources of a manifest")
struct ManifestSourceTests {
  @Test("a remote source has a format, a digest and a largest size")
  func remoteSources() throws {
    let manifest = try FullManifest().load(FullManifest.good)
    let far = try #require(manifest.sources["far"])
    #expect(far.format == .pbf)
    #expect(far.isRemote)
    #expect(far.fileName == "far.osm.pbf")
    #expect(far.maximumBytes == 2_000_000_000)
    let odd = try #require(manifest.sources["odd"])
    #expect(odd.format == .overpass)
    #expect(odd.sha256 == FullManifest.digest)
    #expect(odd.maximumBytes == 200_000_000_000)
  }

  @Test(
    "an invalid source is reported with line and column",
    arguments: [
      ("https://example.org", "ftp://example.org", "5:15: “url” must be a URL that begins with"),
      ("sha256: 0123", "sha256: x123", "5:64: “sha256” must have 64 hexadecimal digits, not “x1"),
      (
        "sha256: \(FullManifest.digest), ", "",
        "5:3: source “far” needs the sha256 of the file at its url (cairn fetch"
      ),
      (", format: overpass", "", "6:15: “url” does not end in .pbf, .osm, .xml or one of"),
      ("max-size: 2 GB", "max-size: 2", "5:140: “max-size” must be a number with a unit (kB, KiB"),
      ("max-size: 2 GB", "pbf: a", "5:3: source “far” needs exactly one of pbf, overpass and url"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(FullManifest.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }
}
