// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import TestSupport
import Testing
import TrailData

@Suite("Trails and graph files")
struct TrailsFileTests {
  let folder: TemporaryFolder
  let map = AsciiMap(
    "A--B--C", ways: [.init("ABC", tags: ["highway": "path", "name": "Höhenweg"])],
    nodeTags: ["B": ["barrier": "gate", "foot": "yes"]], elevations: ["A": -12.5, "B": 3_000])

  init() throws { folder = try TemporaryFolder() }

  @Test("a .trails file has no elevations, and a .elevated file nothing else")
  func keepsKindsApart() throws {
    let files = try map.elevatedFiles(in: folder)
    #expect(try TrailsFile(files.trails).elevations == nil)
    expectError(.wrongContainerKind, .dataError) { try TrailsFile(files.elevated) }
    expectError(.wrongContainerKind, .dataError) {
      try TrailsFile(files.trails, elevated: files.trails)
    }
    expectError(.wrongContainerKind, .dataError) { try GraphFile(files.trails) }
    #expect(
      try ContainerReader(files.elevated).sections.map(\.name) == [
        "trails.digest", "node.elevation", "sample.ref", "sample.elevation", "poi.elevation",
      ])
  }

  @Test("elevations are read with their .trails file, without its margin")
  func addsElevations() throws {
    let files = try map.elevatedFiles(in: folder)
    let (trails, elevated) = (try TrailsFile(files.trails), try files.open())
    #expect(trails.margin != nil && elevated.margin == nil)
    #expect(elevated.sampleElevations?.isEmpty == true && elevated.samples(afterRef: 0).isEmpty)
    #expect(trails.sampleElevations == nil && trails.samples(afterRef: 0).isEmpty)
    #expect(Array(elevated.latitudes) == Array(trails.latitudes))
    #expect(Array(elevated.refs) == Array(trails.refs))
    #expect(elevated.elevations?.prefix(2).map { $0 } == [-12.5, 3_000])
    #expect(elevated.elevations?[2].isNaN == true)
  }

  @Test("elevations of another .trails file are refused, even if they would fit")
  func refusesOtherTrails() throws {
    let files = try map.elevatedFiles(in: folder)
    var content = try map.trails()
    content.latitudes[0] += 1
    let moved = folder.file("moved.trails")
    let provenance = try TrailsFile(files.trails).provenance
    try content.write(to: moved, provenance: provenance)
    let error = expectError(.wrongTrails, .dataError) {
      try TrailsFile(moved, elevated: files.elevated)
    }
    #expect(error?.location?.file == files.elevated)
    #expect(error?.message == "has the elevations of another .trails file than \(moved)")
    // The same columns of another source are another file, too.
    try map.trails().write(to: moved, provenance: Provenance(tool: "another"))
    expectError(.wrongTrails, .dataError) { try TrailsFile(moved, elevated: files.elevated) }
    try map.trails().write(to: moved, provenance: provenance)
    #expect(try TrailsFile(moved, elevated: files.elevated).elevations?[1] == 3_000)
  }

  @Test("a stage opens a .elevated file with its .trails file, or a .trails file alone")
  func opensInputs() throws {
    let files = try map.elevatedFiles(in: folder)
    func open(_ words: String...) throws -> TrailsFile {
      let options = TrailsFile.inputOptions(withoutElevations: "")
      let command = CommandDefinition(name: "x", summary: "", discussion: "", options: options)
      return try TrailsFile(Arguments(words, for: command), threads: 1)
    }
    #expect(try open("--input", files.elevated, "--trails", files.trails).elevations?[1] == 3_000)
    #expect(try open("--input", files.trails).elevations == nil)
    let error = expectError(.usage, .usage) { try open("--input", files.elevated) }
    #expect(error?.message.contains("--trails is required") == true)
    expectError(.wrongContainerKind, .dataError) {
      try open("--input", files.trails, "--trails", files.elevated)
    }
  }

  @Test("a wrong number of elevations is a bug in Cairn and leaves no file")
  func refusesWrongCount() throws {
    let trails = try TrailsFile(try map.trailsFile(in: folder))
    expectError("elevation-count", .software) {
      try trails.writeElevated([1, 2], to: folder.file("x"), provenance: .init(tool: "x"))
    }
    expectError("elevation-count", .software) {
      try trails.writeElevated(
        Array(repeating: 1, count: trails.nodeIDs.count), samples: .init(elevations: [7]),
        to: folder.file("x"), provenance: .init(tool: "x"))
    }
    #expect(try folder.contents == ["map.trails"])
  }

  @Test("every text in the table is found, and no other")
  func findsTexts() throws {
    var random = SeededGenerator(seed: 4)
    var texts: Set<String> = ["", "a", "ab", "b", "é", "\u{10FFFF}"]
    for _ in 0..<200 {
      texts.insert(
        String(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in
            "abcz_:é山".randomElement(using: &random) ?? "a"
          }))
    }
    var content = TrailsContent()
    content.strings = texts.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    let path = folder.file("texts.trails")
    try content.write(to: path, provenance: Provenance(tool: "x"))
    let strings = try TrailsFile(path).strings
    #expect(strings.count == texts.count)
    for text in texts {
      let index = try #require(strings.index(of: text))
      #expect(strings[Int(index)] == text)
    }
    for text in ["zzzzz", "aaaaa", "A", "é山é山é", "\u{0}"] {
      #expect(strings.index(of: text) == nil)
    }
  }

  @Test("empty content gives valid files")
  func writesNothing() throws {
    let path = folder.file("empty.trails")
    try TrailsContent().write(to: path, provenance: Provenance(tool: "x"))
    let file = try TrailsFile(path)
    #expect(file.nodeIDs.isEmpty && file.wayIDs.isEmpty && file.strings.count == 0)
    #expect(file.strings.index(of: "x") == nil)
    let graph = folder.file("empty.graph")
    try GraphContent().write(
      to: graph, strings: file.strings, provenance: Provenance(tool: "x"))
    #expect(try GraphFile(graph).from.isEmpty)
  }

  @Test("bytes that are not UTF-8 can be read as text without trapping")
  func repairsTexts() throws {
    var content = TrailsContent()
    content.strings = [[0x41, 0xC3], [0xFF, 0xFE]]
    let path = folder.file("odd.trails")
    try content.write(to: path, provenance: Provenance(tool: "x"))
    #expect(try TrailsFile(path).strings[0] == "A\u{FFFD}")
  }

  @Test("a graph is read as it was written")
  func graphRoundTrips() throws {
    let trails = try TrailsFile(try map.trailsFile(in: folder))
    let path = folder.file("map.graph")
    try sampleGraph(trails).write(
      to: path, strings: trails.strings, provenance: Provenance(tool: "x"))
    let graph = try GraphFile(path)
    #expect(Array(graph.nodeIDs) == [1, 3])
    #expect(graph.elevations[0] == 7 && graph.elevations[1].isNaN)
    #expect(Array(graph.from) == [0] && Array(graph.to) == [1] && Array(graph.ways) == [0])
    #expect(Array(graph.distances) == [600] && Array(graph.gains) == [20])
    #expect(Array(graph.losses) == [10.5])
    #expect(graph.points(ofEdge: 0) == 0..<1)
    #expect(Array(graph.pointLatitudes) == [470_000_000])
    #expect(graph.wayNames[0] == GraphFile.noText)
    #expect(graph.tagSets.tags(of: 0).count == 1)
    #expect(graph.strings.count == trails.strings.count)
  }
}

/// One edge between two nodes with a point between them, over the texts of a trails file.
func sampleGraph(_ trails: TrailsFile) -> GraphContent {
  var graph = GraphContent()
  graph.nodeIDs = [1, 3]
  graph.latitudes = [470_000_000, 470_000_000]
  graph.longitudes = [100_000_000, 100_100_000]
  graph.elevations = [7, .nan]
  graph.from = [0]
  graph.to = [1]
  graph.ways = [0]
  graph.distances = [600]
  graph.gains = [20]
  graph.losses = [10.5]
  graph.slopes = [-12.5]
  graph.elevationProfileOffsets = [0, 3]
  graph.elevationProfiles = [7, 27, 16.5]
  graph.pointOffsets = [0, 1]
  graph.pointLatitudes = [470_000_000]
  graph.pointLongitudes = [100_050_000]
  graph.wayIDs = [100]
  graph.wayNames = [GraphFile.noText]
  graph.wayTagSets = [0]
  graph.tagSets.add(
    key: trails.strings.index(of: "highway") ?? 0, value: trails.strings.index(of: "path") ?? 0)
  graph.tagSets.endObject()
  return graph
}
