// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import TestSupport
import Testing
import TrailData

@Suite("What is measured along an edge")
struct MetricsTests {
  /// Gain and loss of the only edge of a way over these heights; nil is unknown.
  private func climb(_ heights: [Float?]) throws -> (gain: Double, loss: Double) {
    let letters = "ABCDEFGH".prefix(heights.count)
    var elevations: [Character: Float] = [:]
    for (letter, height) in zip(letters, heights) { elevations[letter] = height }
    let graph = try Graph(
      AsciiMap(String(letters), ways: [.init(String(letters))], elevations: elevations))
    #expect(graph.edges.count == 2)
    return (graph.file.gains[0], graph.file.losses[0])
  }

  @Test("the length is the sum of the great circles between all its nodes")
  func length() throws {
    let map = AsciiMap(
      """
      A   B

      D   C
      """, ways: [.init("ABCD")])
    let corners = try "ABCD".map { try map.coordinate($0) }
    let expected = zip(corners, corners.dropFirst()).reduce(0) {
      $0 + haversineDistance($1.0, $1.1)
    }
    let length = try Graph(map).file.distances[0]
    #expect(length == expected)
    // Two sides of 400 m and one of 200 m on a sphere of 6 371 000 m.
    #expect(abs(length - 1000) < 0.1)
  }

  @Test("the length of a loop is that of its round and not 0")
  func loop() throws {
    let length = try Graph(AsciiMap("A B\n\nD C", ways: [.init("ABCDA")])).file.distances[0]
    #expect(abs(length - 800) < 0.1)
  }

  @Test("a degree of latitude is 111 195 m")
  func degree() throws {
    let metresPerDegree = earthRadiusMetres * Double.pi / 180
    let map = AsciiMap("A\nB", cellMetres: metresPerDegree, ways: [.init("AB")])
    #expect(abs(try Graph(map).file.distances[0] - 111_194.93) < 0.01)
  }

  @Test("every rise and fall along the way counts, not only that from end to end")
  func everyRise() throws {
    let climb = try climb([100, 150, 120, 180, 100])
    #expect(climb == (gain: 110, loss: 110))
  }

  @Test("level ground has neither gain nor loss")
  func level() throws {
    #expect(try climb([500, 500, 500]) == (gain: 0, loss: 0))
  }

  @Test("below the sea's level heights are heights, too")
  func belowSea() throws {
    #expect(try climb([-400, -430, 10]) == (gain: 440, loss: 30))
  }

  @Test("an unknown height inside is passed over")
  func unknownInside() throws {
    #expect(try climb([100, nil, nil, 130, nil, 120]) == (gain: 30, loss: 10))
  }

  @Test("unknown heights at the ends leave what is between them")
  func unknownEnds() throws {
    #expect(try climb([nil, 100, 130, nil]) == (gain: 30, loss: 0))
  }

  @Test("without any elevation, or with a single one, there is no climb")
  func unknown() throws {
    #expect(try climb([nil, nil, nil]) == (gain: 0, loss: 0))
    #expect(try climb([nil, 800, nil]) == (gain: 0, loss: 0))
  }

  @Test("gain minus loss is the difference between the ends, whatever lies between them")
  func difference() throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var heights: [Float?] = (0..<8).map { _ in
        Bool.random(using: &random) ? Float.random(in: 0..<3000, using: &random) : nil
      }
      let ends = (Float.random(in: 0..<3000, using: &random), Float(1234.5))
      heights[0] = ends.0
      heights[7] = ends.1
      let climb = try climb(heights)
      let rise = Double(ends.1) - Double(ends.0)
      #expect(abs(climb.gain - climb.loss - rise) < 1e-9, "seed \(seed)")
      #expect(climb.gain >= 0 && climb.loss >= 0, "seed \(seed)")
    }
  }

  @Test(
    "an elevation that does not occur on Earth is damaged input",
    arguments: [.infinity, -.infinity, 1e30, -1e6] as [Float])
  func absurdHeight(height: Float) throws {
    let map = AsciiMap("A-B", ways: [.init("AB")], elevations: ["A": height])
    let folder = try TemporaryFolder()
    expectError(.damagedContainer, .dataError) { try map.graphFile(in: folder) }
    #expect(try !folder.contents.contains("map.graph"))
  }

  @Test("a node keeps its height, and an unknown one stays unknown")
  func nodeHeights() throws {
    let elevations = try Graph(AsciiMap("A-B", ways: [.init("AB")], elevations: ["A": 912.5]))
      .file.elevations
    #expect(elevations[0] == 912.5)
    #expect(elevations[1].isNaN)
  }

  @Test("edges that a cut makes add up to the whole way")
  func cut() throws {
    let drawing = "A-B-C-D\n  E"
    let heights: [Character: Float] = ["A": 100, "B": 130, "C": 90, "D": 95]
    let whole = try Graph(AsciiMap(drawing, ways: [.init("ABCD")], elevations: heights)).file
    let cut = try Graph(
      AsciiMap(drawing, ways: [.init("ABCD"), .init("EB")], elevations: heights)
    ).file
    #expect(abs(cut.distances[0] + cut.distances[1] - whole.distances[0]) < 1e-9)
    #expect(cut.gains[0] + cut.gains[1] == whole.gains[0])
    #expect(cut.losses[0] + cut.losses[1] == whole.losses[0])
  }
}

@Suite("The profile of an edge")
struct ProfileTests {
  private func file(_ map: AsciiMap) throws -> GraphFile { try Graph(map).file }

  @Test("a profile has at least one stretch and none longer than 30 m")
  func spacing() throws {
    for (metres, stretches) in [(1.0, 1), (29.9, 1), (30.1, 2), (95, 4), (3000.1, 101)] {
      let file = try file(
        AsciiMap("AB", cellMetres: metres, ways: [.init("AB")], elevations: ["A": 5, "B": 6]))
      #expect(file.elevationProfile(ofEdge: 0).count == stretches + 1, "\(metres) m")
      #expect(file.elevationProfiles.first == 5 && file.elevationProfiles.last == 6)
    }
  }

  @Test("a profile has the slope of the steepest stretch, negative where that descends")
  func slope() throws {
    let heights: [Character: Float] = ["A": 100, "B": 103, "C": 97]
    let map = AsciiMap("ABC", cellMetres: 30.001, ways: [.init("ABC")], elevations: heights)
    #expect(try file(map).slopes[0] == -20)
    var reversed = map
    reversed.ways = [.init("CBA")]
    #expect(try file(reversed).slopes[0] == 20)
  }

  @Test("an edge between two nodes on one spot has a slope of 0")
  func onOneSpot() throws {
    let file = try file(
      AsciiMap("AB", cellMetres: 0, ways: [.init("AB")], elevations: ["A": 5, "B": 6]))
    #expect(file.slopes[0] == 0)
    #expect(Array(file.elevationProfiles) == [5, 6])
  }

  @Test("a profile is missing where an elevation is missing")
  func unknown() throws {
    let file = try file(
      AsciiMap("A-B-C-D", ways: [.init("ABC"), .init("CD")], elevations: ["A": 5, "C": 7, "D": 8]))
    #expect(file.slopes[0].isNaN && file.elevationProfile(ofEdge: 0).isEmpty)
    #expect(file.slopes[1] > 0 && file.elevationProfile(ofEdge: 1).count > 1)
  }

  @Test("a profile is the same for every number of threads")
  func threads() throws {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    var heights: [Character: Float] = [:]
    for (index, letter) in letters.enumerated() { heights[letter] = Float(index * index % 37) }
    let ways = zip(letters, letters.dropFirst()).flatMap { pair in
      Array(repeating: AsciiMap.Way("\(pair.0)\(pair.1)"), count: 400)
    }
    let map = AsciiMap(letters, ways: ways, elevations: heights)
    let one = try Graph(map).file
    let many = try Graph(map, threads: 4).file
    #expect(one.from.count == 10_000)
    #expect(Array(one.slopes) == Array(many.slopes))
    #expect(Array(one.elevationProfileOffsets) == Array(many.elevationProfileOffsets))
    #expect(Array(one.elevationProfiles) == Array(many.elevationProfiles))
  }
}

@Suite("What an edge knows of its way")
struct TagTests {
  @Test("ways with equal tags share one set, whatever their names")
  func sharedSets() throws {
    let path = ["highway": "path", "surface": "gravel"]
    let graph = try Graph(
      AsciiMap(
        "A-B-C-D",
        ways: [
          .init("AB", tags: path.merging(["name": "Höhenweg"]) { $1 }),
          .init("BC", tags: path.merging(["ref": "12"]) { $1 }),
          .init("CD", tags: ["highway": "steps"]),
        ]))
    #expect(graph.file.tagSets.count == 2)
    #expect(
      graph.tags == [
        "highway=path surface=gravel", "highway=path surface=gravel", "highway=steps",
      ])
  }

  @Test("a way without tags has the empty set")
  func noTags() throws {
    let graph = try Graph(AsciiMap("A-B", ways: [.init("AB", tags: [:])]))
    #expect(graph.file.tagSets.count == 1)
    #expect(graph.tags == [""])
  }

  @Test("many different sets are all kept apart")
  func manySets() throws {
    // More than the table begins with, so that it must grow.
    let ways = (0..<1500).map { number in
      AsciiMap.Way(number % 2 == 0 ? "AB" : "BA", tags: ["highway": "path", "n": "\(number)"])
    }
    let graph = try Graph(AsciiMap("A-B", ways: ways))
    #expect(graph.file.tagSets.count == 1500)
    #expect(graph.tags == (0..<1500).map { "highway=path n=\($0)" })
  }

  @Test("the name of an edge is that of its way, else its ref, else none")
  func names() throws {
    let graph = try Graph(
      AsciiMap(
        "A-B-C-D-E",
        ways: [
          .init("AB", tags: ["highway": "path", "name": "Höhenweg", "ref": "7"]),
          .init("BC", tags: ["highway": "path", "ref": "7"]),
          .init("CDE", tags: ["highway": "path"]),
          .init("D", tags: ["name": "a way without an edge"]),
        ]))
    #expect(graph.names == ["Höhenweg", "7", nil])
  }

  @Test("points lie between the ends, in the order of the way")
  func points() throws {
    let map = AsciiMap("A-B-C-D", ways: [.init("DCBA")])
    let file = try Graph(map).file
    let points = file.points(ofEdge: 0).map {
      FixedCoordinate(latitude: file.pointLatitudes[$0], longitude: file.pointLongitudes[$0])
        .degrees
    }
    #expect(try points == [map.coordinate("C"), map.coordinate("B")])
  }
}
