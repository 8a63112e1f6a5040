// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing
import TrailData

@testable import Elevation

@Suite("Cleaned elevations")
struct CleaningTests {
  /// Two kilometres along a lake, with side paths.
  private let shore = AsciiMap(
    """
    A---B---C---D---E---F---G---H---I---J---K
        |       |               |       |
        b       d               h       j
    """, cellMetres: 50,
    ways: [
      .init("ABCD"), .init("DEF"), .init("KJIHGF"), .init("Bb"), .init("dD"), .init("Hh"),
      .init("Jj"),
    ])

  /// The edges of the shore, without the side paths.
  private func alongShore(_ map: CleanedMap) -> [Int] {
    map.graph.from.indices.filter { edge in
      [map.graph.from[edge], map.graph.to[edge]].allSatisfy {
        (AsciiMap.letter(map.graph.nodeIDs[Int($0)]) ?? "z").isUppercase
      }
    }
  }

  @Test("a path along a lake climbs almost nothing despite noise in the elevation model")
  func lakeShore() throws {
    func climb(_ cleaning: ElevationCleaning) throws -> Double {
      let map = try CleanedMap(shore, cleaning) { 500 + noise($0, $1) }
      return alongShore(map).reduce(0) { $0 + map.graph.gains[$1] + map.graph.losses[$1] }
    }
    #expect(try climb(.none) > 50)
    #expect(try climb(.standard) < 4)
  }

  /// A slope of 60 % whose model lies up to 14 m beside the map.
  private func steepSlope(_ east: Double, _ south: Double) -> Double {
    1500 - 0.6 * (south + 4.5 * noise(east, south))
  }

  @Test("a contour path on a steep slope climbs almost nothing although the model is metres off")
  func contourPath() throws {
    let contour = AsciiMap(
      "A---B---C---D---E---F---G---H---I---J---K", cellMetres: 60, ways: [.init("ABCDEFGHIJK")])
    func climb(_ cleaning: ElevationCleaning) throws -> Double {
      let map = try CleanedMap(contour, cleaning, height: steepSlope)
      return map.gain + map.loss
    }
    #expect(try climb(.none) > 150)
    #expect(try climb(.standard) < 20)
  }

  @Test("a climb in switchbacks on a steep slope keeps its ascent within 1 %")
  func switchbacks() throws {
    let bends = AsciiMap(
      "B   D   F   H   J\n\n\nA   C   E   G   I", cellMetres: 60,
      ways: [.init("ABCDEFGHIJ")])
    let map = try CleanedMap(bends) { 1000 + 0.55 * ($0 + 4.5 * noise($0, $1)) }
    let rise = try Double(map.elevation("J") - map.elevation("A"))
    #expect(rise > 500)
    #expect(map.gain < 1.01 * rise && map.gain >= rise - 0.01)
  }

  @Test("a hill of 30 m on a steep slope keeps its ascent")
  func hillOnSlope() throws {
    let path = AsciiMap("A---B---C---D---E", cellMetres: 75, ways: [.init("ABCDE")])
    let map = try CleanedMap(path) { east, south in
      steepSlope(east, south) + 30 * max(0, 1 - abs(east - 600) / 400)
    }
    #expect(map.gain > 24 && map.loss > 24)
  }

  @Test("a round trip climbs as much as it descends")
  func roundTrip() throws {
    let ring = AsciiMap(
      "A--B--C\n|     |\nF--E--D", cellMetres: 120, ways: [.init("ABCD"), .init("DEFA")])
    let map = try CleanedMap(ring) { 800 + $0 / 10 + 4 * noise($0, $1) }
    #expect(map.gain > 20)
    #expect(abs(map.gain - map.loss) < 0.01)
  }

  /// A net of paths on random hills.
  private func messy(_ seed: UInt64, reversed: Bool = false) throws -> CleanedMap {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ABCDEFGHIJKLMNOP")
    var ways = (0..<10).map { _ in
      String(
        (0..<Int.random(in: 2...6, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "A"
        })
    }
    ways = ways.map { "A" + $0 + "P" }
    let tags = [["highway": "path"], ["highway": "path", "bridge": "yes"], ["highway": "steps"]]
    let all = ways.enumerated().map { index, way in
      AsciiMap.Way(
        reversed ? String(way.reversed()) : way,
        tags: tags[index % 7 < 5 ? 0 : index % 7 - 4])
    }
    let phase = Double.random(in: 0..<1000, using: &random)
    let map = AsciiMap(
      "A-B-C-D\nE-F-G-H\nI-J-K-L\nM-N-O-P", cellMetres: 70, ways: reversed ? all.reversed() : all)
    return try CleanedMap(map) { east, south in
      let height = 900 + 20 * noise(east + phase, south)
      return seed % 3 == 0 && east > 300 ? .nan : height
    }
  }

  @Test("gain minus loss of every edge is the rise between its ends, to a centimetre")
  func difference() throws {
    for seed in 0..<40 as Range<UInt64> {
      let graph = try messy(seed).graph
      for edge in graph.from.indices {
        let rise =
          graph.elevations[Int(graph.to[edge])] - graph.elevations[Int(graph.from[edge])]
        guard !rise.isNaN else { continue }
        let sum = graph.gains[edge] - graph.losses[edge]
        #expect(abs(sum - Double(rise)) < 0.01, "seed \(seed), edge \(edge)")
      }
    }
  }

  @Test("the direction of ways does not change elevations and swaps gain and loss")
  func direction() throws {
    for seed in 0..<20 as Range<UInt64> {
      let forward = try messy(seed)
      let backward = try messy(seed, reversed: true)
      let bits = [forward, backward].map { $0.elevated.elevations?.map(\.bitPattern) }
      #expect(bits[0] == bits[1], "seed \(seed)")
      #expect(abs(forward.gain - backward.loss) < 1e-6 * (1 + forward.gain), "seed \(seed)")
      #expect(abs(forward.loss - backward.gain) < 1e-6 * (1 + forward.loss), "seed \(seed)")
    }
  }

  @Test("splitting a way, into ways or at a junction, does not change its climb")
  func cuts() throws {
    let drawing = """
      A---B---C---D---E---F---G
              |       |
              c       e
      """
    func map(_ ways: [String]) throws -> CleanedMap {
      try CleanedMap(AsciiMap(drawing, cellMetres: 55, ways: ways.map { .init($0) })) {
        700 + $0 / 8 + 6 * noise($0, $1)
      }
    }
    let whole = try map(["ABCDEFG"])
    let cut = try map(["DEFG", "ABCD"])
    #expect(whole.gain > 100)
    #expect(abs(cut.gain - whole.gain) < 1e-6)
    #expect(try cut.elevations("ABCDEFG") == whole.elevations("ABCDEFG"))
    for ways in [["ABCDEFG", "Cc"], ["ABC", "CDEFG", "cC"], ["ABCDEFG", "Cc", "eE"]] {
      let joined = try map(ways)
      let sum = joined.graph.from.indices.filter { edge in
        [joined.graph.from[edge], joined.graph.to[edge]].allSatisfy {
          (AsciiMap.letter(joined.graph.nodeIDs[Int($0)]) ?? "z").isUppercase
        }
      }.reduce(0) { $0 + joined.graph.gains[$1] }
      #expect(abs(sum - whole.gain) < 0.01 * whole.gain, "\(ways)")
    }
  }

  @Test("a hill between two distant nodes counts if the step is short enough to find it")
  func hillBetweenNodes() throws {
    let map = AsciiMap("A---------B", cellMetres: 60, ways: [.init("AB")])
    func gain(_ stepMetres: Double) throws -> Double {
      var cleaning = ElevationCleaning.none
      cleaning.stepMetres = stepMetres
      return try CleanedMap(map, cleaning) { east, _ in 500 + max(0, 40 - abs(east - 300) / 5) }
        .gain
    }
    #expect(abs(try gain(30) - 40) < 3)
    #expect(try gain(700) == 0)
  }

  @Test("no step is longer than requested, and samples are evenly spaced")
  func steps() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap("A------B-C", cellMetres: 37, ways: [.init("ABC"), .init("BA")])
    let trails = try TrailsFile(try map.trailsFile(in: folder))
    let network = WayNetwork(trails)
    #expect(network.links.elements.map(\.original) == [0, 1, 0])
    let samplePoints = try SamplePoints(network, stepMetres: 30)
    #expect((0..<3).map { samplePoints.samples(ofLink: $0, network) } == [0..<8, 8..<10, 10..<10])
    let all = allPoints(network, samplePoints)
    let points = ([0] + Array(3..<11) + [1]).map { all[$0].degrees }
    for (start, end) in zip(points, points.dropFirst()) {
      #expect(abs(haversineDistance(start, end) - 259.0 / 9) < 0.05)
    }
    // Both ways have the samples of the segment that they share, each in its own direction.
    let files = ElevatedFiles(in: folder, name: "map")
    let numbers = SampledTerrain(elevations: (0..<13).map { Float($0) }, steepness: [])
    try write(numbers, network, samplePoints, to: files.elevated)
    let elevated = try files.open()
    #expect(elevated.elevations.map(Array.init) == [0, 1, 2])
    #expect(elevated.refs.indices.map { elevated.samples(afterRef: $0).count } == [8, 2, 0, 8, 0])
    #expect(
      elevated.sampleElevations.map(Array.init)
        == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 10, 9, 8, 7, 6, 5, 4, 3])
  }

  @Test("samples cross the antimeridian the short way")
  func antimeridian() throws {
    var content = TrailsContent()
    content.nodeIDs = [1, 2]
    (content.latitudes, content.longitudes) = ([0, 0], [1_799_990_000, -1_799_990_000])
    (content.wayIDs, content.refs, content.refOffsets) = ([1], [0, 1], [0, 2])
    content.wayTags.endObject()
    let folder = try TemporaryFolder()
    try content.write(to: folder.file("x.trails"), provenance: Provenance(tool: "x"))
    let trails = try TrailsFile(folder.file("x.trails"))
    let samplePoints = try SamplePoints(WayNetwork(trails), stepMetres: 60)
    #expect(
      Array(samplePoints.longitudes.elements) == [1_799_995_000, 1_800_000_000, -1_799_995_000])
  }

  @Test("a slope steeper than any path is flattened and counted, except on steps and ladders")
  func tooSteep() throws {
    func map(_ tags: [String: String]) throws -> CleanedMap {
      let drawing = AsciiMap(
        "ABCDEFGHIJ", cellMetres: 20, ways: [.init("ABCDEFGHIJ", tags: tags)])
      return try CleanedMap(drawing, .none) { east, _ in 600 + (east > 110 ? 300 : 0) }
    }
    let path = try map(["highway": "path"])
    #expect(path.tooSteepSteps == 1)
    #expect(path.excessSteps.map(\.ref) == [5])
    #expect(path.excessSteps.allSatisfy { abs($0.rise - 300) < 0.01 && abs($0.run - 20) < 0.1 })
    let heights = try path.elevations("ABCDEFGHIJ")
    for (low, high) in zip(heights, heights.dropFirst()) { #expect(abs(high - low) <= 20.01) }
    #expect(abs(path.graph.slopes[0]) <= 100.1)
    for tags in [
      ["highway": "steps"], ["highway": "ladder"], ["highway": "via_ferrata"],
      ["highway": "path", "via_ferrata_scale": "3"], ["highway": "path", "ladder": "yes"],
    ] {
      let steep = try map(tags)
      #expect(steep.tooSteepSteps == 0, "\(tags)")
      #expect(try steep.elevation("J") - steep.elevation("A") == 300, "\(tags)")
    }
    #expect(try map(["highway": "path", "via_ferrata_scale": "0"]).tooSteepSteps == 1)
  }

  @Test("a short gap is filled along the way, a long one stays unknown")
  func gaps() throws {
    let map = AsciiMap("A-B-C-D-E-F", cellMetres: 60, ways: [.init("ABC"), .init("CDEF")])
    let short = try CleanedMap(map, .none) { east, _ in
      (110...490).contains(east) ? .nan : 500 + east / 10
    }
    for (letter, expected) in zip("ABCDEF", stride(from: Float(500), to: 570, by: 12)) {
      #expect(abs(try short.elevation(letter) - expected) < 0.05, "\(letter)")
    }
    #expect(abs(short.gain - 60) < 0.1)
    let long = try CleanedMap(map, .none) { east, _ in east > 30 && east < 590 ? .nan : 500 }
    #expect(try long.elevation("A") == 500 && long.elevation("F") == 500)
    #expect(try long.elevations("BCDE").allSatisfy(\.isNaN))
    #expect(long.graph.slopes[0].isNaN)
  }

  @Test("a map without any elevation stays without")
  func nothingKnown() throws {
    let map = try CleanedMap(shore) { _, _ in .nan }
    #expect(map.elevated.elevations?.allSatisfy(\.isNaN) == true)
    #expect(map.gain == 0 && map.loss == 0)
  }
}
