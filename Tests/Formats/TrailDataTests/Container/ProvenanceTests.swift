// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import TrailData

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
    let source = Provenance.Source(name: "a \"b\".osm.pbf", sha256: "00ff", bytes: .max)
    let whole = Provenance(
      tool: "x", source: source, changes: [source, source],
      dataTimestamp: "2024-01-01T00:00:00Z", region: "1,2,3,4", elevationTiles: ["N47E010.hgt"],
      counts: ["nodes": .max])
    for provenance in [whole, Provenance(tool: "y")] {
      let read = try (try provenance.json()).withUnsafeBytes {
        try Provenance(json: $0, path: "a.trails")
      }
      #expect(read == provenance)
    }
  }

  @Test(
    "a provenance with something of another type is damaged",
    arguments: [
      "", "[]", "{}", #"{"tool":"x"}"#, #"{"tool":1,"counts":{}}"#,
      #"{"tool":"x","counts":{"a":"b"}}"#, #"{"tool":"x","counts":{},"source":1}"#,
      #"{"tool":"x","counts":{},"source":{"name":"a","sha256":"b"}}"#,
      #"{"tool":"x","counts":{},"changes":[1]}"#, #"{"tool":"x","counts":{},"region":1}"#,
      #"{"tool":"x","counts":{},"dataTimestamp":[]}"#,
      #"{"tool":"x","counts":{},"elevationTiles":["a",1]}"#,
    ])
  func refusesOthers(_ text: String) {
    #expect(throws: CairnError.self) {
      try Array(text.utf8).withUnsafeBytes { try Provenance(json: $0, path: "a.trails") }
    }
  }

  @Test("null stands for what is unknown")
  func readsNull() throws {
    let text = #"{"tool":"x","counts":{},"source":null,"region":null,"elevationTiles":null}"#
    let read = try Array(text.utf8).withUnsafeBytes {
      try Provenance(json: $0, path: "a.trails")
    }
    #expect(read == Provenance(tool: "x"))
  }
}
