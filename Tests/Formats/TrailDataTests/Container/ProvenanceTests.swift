// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TrailData

@Suite("Provenance")
struct ProvenanceTests {
  @Test("provenance is written with sorted keys and without unknown values")
  func isWrittenSorted() throws {
    let provenance = Provenance(
      tool: "cairn 0.1.0", source: .init(name: "a/b.osm.pbf", sha256: "ab", bytes: 7),
      counts: ["ways": 2, "nodes": 3])
    #expect(
      String(decoding: try provenance.json(), as: UTF8.self) == """
        {
          "counts" : {
            "nodes" : 3,
            "ways" : 2
          },
          "source" : {
            "bytes" : 7,
            "name" : "a/b.osm.pbf",
            "sha256" : "ab"
          },
          "tool" : "cairn 0.1.0"
        }
        """)
  }

  @Test("provenance is read as it was written")
  func roundTrips() throws {
    let provenance = Provenance(
      tool: "x", dataTimestamp: "2024-01-01T00:00:00Z", region: "1,2,3,4",
      elevationTiles: ["N47E010.hgt"], counts: ["nodes": .max])
    #expect(
      try JSONDecoder().decode(Provenance.self, from: Data(try provenance.json())) == provenance)
  }
}
