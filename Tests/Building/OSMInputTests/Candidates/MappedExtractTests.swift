// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing
import TrailData

@testable import OSMInput

@Suite("Extracts as mappers see them")
struct MappedExtractTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func tags(_ lists: TagLists, _ object: Int, _ content: TrailsContent) -> [String] {
    (lists.offsets[object]..<lists.offsets[object + 1]).map { tag in
      let (key, value) = (lists.keys[Int(tag)], lists.values[Int(tag)])
      return [key, value].map { String(decoding: content.strings[Int($0)], as: UTF8.self) }
        .joined(separator: "=")
    }
  }

  @Test("every highway is there with all tags, from PBF as from XML")
  func allTags() throws {
    let pbf = try MappedExtract(try scratch.file("map.osm.pbf", SmallMap.valley.pbf), threads: 2)
    let xml = try MappedExtract(try scratch.file("map.osm", SmallMap.valley.xml), threads: 1)
    #expect(pbf.content == xml.content)
    let content = pbf.content
    #expect(content.wayIDs == [10, 11, 13])
    #expect(
      tags(content.wayTags, 1, content) == [
        "building=no", "foot=yes", "highway=tertiary", "name=Große Straße",
      ])
    #expect(content.taggedNodes.count == 1)
    #expect(
      tags(content.nodeTags, 0, content) == ["access=yes", "barrier=gate", "source=survey"])
    #expect(pbf.cutNodes.isEmpty && xml.cutNodes.isEmpty)
  }

  @Test("the nodes beside missing ones are known")
  func cuts() throws {
    var map = SmallMap.valley
    map.nodes.removeAll { [2, 9].contains($0.id) }
    map.ways.append(MapWay(id: 20, refs: [1, 3, 2, 5, 3]))
    for file in [
      try scratch.file("cut.osm.pbf", map.pbf), try scratch.file("cut.osm", map.xml),
    ] {
      let extract = try MappedExtract(file, threads: 1)
      // Node 1 is cut on way 10, 3 and 5 on way 20, and 5 on ways 11 and 13.
      #expect(extract.cutNodes == [1, 3, 5])
    }
  }

  @Test("what is no map is refused")
  func bad() throws {
    for bytes in [[], [0], [0, 0], [0, 0, 0, 9, 1], Array("text".utf8)] as [[UInt8]] {
      let file = try scratch.file("bad", bytes)
      let error = #expect(throws: CairnError.self) { try MappedExtract(file, threads: 1) }
      #expect(error?.exitCode == .dataError, "\(bytes)")
    }
  }
}
