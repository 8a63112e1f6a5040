// SPDX-License-Identifier: Apache-2.0
import Glibc
import Manifests
import TestSupport
import Testing

@testable import Planning

@Suite("What a run needs")
struct RunNeedsTests {
  @Test("a new region needs multiples of its source, and one that was built what it needed then")
  func needs() throws {
    let folder = try TemporaryFolder()
    // Sparse: no test needs that much disk.
    let source = try folder.write("", to: "big.osm.pbf")
    #expect(truncate(source, 1_000_000_000) == 0)
    let plan = try Plan(ofTwoRegionsFrom: source, in: folder)
    let history = RunHistory(folder.file("history.json"))
    let new = RunNeeds(plan, history)
    #expect(new.diskBytes == 5_600_000_000)
    #expect(new.memoryBytes == 64 << 20 + 2_800_000_000)
    let text = try #require(new.text(freeDisk: 1 << 30, memory: 1 << 30, isBound: false))
    #expect(text.contains("5.6 GB of disk (1.1 GB free)") && text.contains("may become full"))
    #expect(
      new.text(freeDisk: 1 << 40, memory: 1 << 30, isBound: true)?
        .contains("and 1.1 GB of memory (1.1 GB") == true)
    #expect(
      new.text(freeDisk: 1 << 40, memory: 1 << 30, isBound: false)?.contains("--memory") == true)
    for region in ["a", "b"] {
      history.add(
        .init(wallSeconds: 1, peakBytes: 5000, inputBytes: 10, outputBytes: 3000),
        region: region, stage: Stage.decodePBF.rawValue)
    }
    let known = RunNeeds(plan, history)
    #expect(known.diskBytes == 6000 && known.memoryBytes == 5000)
    #expect(known.text(freeDisk: 10_000, memory: 10_000, isBound: false) == nil)
  }
}

extension Plan {
  /// Plans the regions a and b of an extract, without elevations.
  init(ofTwoRegionsFrom source: String, in folder: TemporaryFolder) throws {
    let manifest = try folder.write(
      """
      cairn: 1
      name: test
      output: out
      sources: { some: { pbf: \(source) } }
      elevation: none
      defaults: { source: some }
      profiles: [hiking]
      regions:
        - { id: a, name: A, bbox: [1, 42, 2, 43] }
        - { id: b, name: B, bbox: [2, 42, 3, 43] }
      """, to: "m.yaml")
    try self.init(Manifest.load(manifest), selection: nil)
  }
}
