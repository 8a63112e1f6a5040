// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

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

  private func source(_ text: String) throws -> Manifest.Source {
    let old = "far: { url: \"https://example.org/a/far.osm.pbf?x=1\", sha256: "
    let good = FullManifest.good.replacing(
      "\(old)\(FullManifest.digest), max-size: 2 GB }", with: "far: { \(text) }")
    return try #require(try FullManifest().load(good).sources["far"])
  }

  @Test("a source without a digest moves, and may have an MD5 sum beside it or elsewhere")
  func movingSources() throws {
    let url = "https://example.org/a.osm.pbf?t=1"
    let plain = try source("url: \"\(url)\"")
    #expect(plain.isRemote && plain.isMoving)
    #expect(plain.sha256 == nil)
    #expect(plain.md5URL == nil)
    #expect(
      try source("url: \"\(url)\", md5: true").md5URL == "https://example.org/a.osm.pbf.md5?t=1")
    #expect(try source("url: \"\(url)\", md5: false").md5URL == nil)
    #expect(
      try source("url: \"\(url)\", md5: \"http://b/sum\"").md5URL == "http://b/sum")
  }

  @Test("an Overpass API is asked again after a while")
  func queriedSources() throws {
    let api = try source("overpass-api: \"https://example.org/api/interpreter\"")
    #expect(api.origin == .overpassAPI(maxAgeSeconds: 43_200))
    #expect(api.format == .overpass)
    #expect(api.isAnswer && api.isMoving)
    #expect(api.fileName == "far.osm")
    let young = try source("overpass-api: \"http://a/b\", max-age: 90 min")
    #expect(young.origin == .overpassAPI(maxAgeSeconds: 5400))
    let problems = try FullManifest().problems(
      FullManifest.good.replacing("url: \"https", with: "overpass-api: \"ftp"))
    #expect(problems.contains { $0.contains("“sha256” is only allowed with a url") })
    #expect(
      try FullManifest().problems(
        FullManifest.good.replacing("url: \"https", with: "overpass-api: \"ftp")
          .replacing("sha256: \(FullManifest.digest), max-size: 2 GB", with: "max-age: 1 d")
      ).first?.contains("must be a URL that begins with https:// or http://, without") == true)
  }

  @Test(
    "an invalid source is reported with line and column",
    arguments: [
      ("https://example.org", "ftp://example.org", "5:15: “url” must be a URL that begins with"),
      ("sha256: 0123", "sha256: x123", "5:64: “sha256” must have 64 hexadecimal digits, not “x1"),
      (
        "max-size: 2 GB", "md5: true",
        "5:135: “md5” is not needed beside sha256"
      ),
      ("max-size: 2 GB", "max-age: 2 h", "5:139: “max-age” is only allowed with an overpass-api"),
      (", format: overpass", "", "6:15: “url” does not end in .pbf, .osm, .xml or one of"),
      ("max-size: 2 GB", "max-size: 2", "5:140: “max-size” must be a number with a unit (kB, KiB"),
      ("max-size: 2 GB", "pbf: a", "5:3: source “far” needs exactly one of pbf, overpass, url and"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(FullManifest.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }
}
