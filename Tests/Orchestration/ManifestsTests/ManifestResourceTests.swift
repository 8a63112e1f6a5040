// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Resources and retries of a manifest")
struct ManifestResourceTests {
  @Test("a stage has its own resources, and the default ones for what it does not set")
  func resources() throws {
    let manifest = try FullManifest().load(FullManifest.good)
    #expect(
      manifest.resources(ofStage: "decode-pbf")
        == .init(threads: 2, memoryMiB: 1536, timeSeconds: 7200))
    #expect(manifest.resources(ofStage: "validate") == .init(threads: 2, timeSeconds: 90))
    #expect(manifest.resources(ofStage: "contours").memoryMiB == 96)
    #expect(manifest.retries == 3)
  }

  @Test("memory without a unit counts MiB")
  func bareMemory() throws {
    let text = FullManifest.good.replacing("memory: 100 MB", with: "memory: 512")
    let manifest = try FullManifest().load(text)
    #expect(manifest.resources(ofStage: "contours").memoryMiB == 512)
  }

  @Test("without resources nothing is limited, and a stage is run again once")
  func defaults() throws {
    let manifest = try FullManifest().load(ManifestTests.good)
    #expect(manifest.retries == 1)
    #expect(manifest.resources(ofStage: "validate") == .init())
  }

  @Test(
    "an invalid resource is reported with line and column",
    arguments: [
      ("memory: 100 MB", "memory: 100 kB", "21:23: “memory” is too small: “100 kB”"),
      ("contours: { memory", "contour: { memory", "21:3: unknown key “contour” (did you mean"),
      ("1.5 GiB", "1.5 gib", "20:25: “memory” must be a number with a unit"),
      ("2 h", "2000 d", "20:40: “time” is too large: “2000 d”"),
      ("threads: 2", "threads: 0", "19:23: “threads” must be from 1 to 256, not 0"),
      ("retries: 3", "retries: 11", "22:10: “retries” must be from 0 to 10, not 11"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(FullManifest.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }
}
