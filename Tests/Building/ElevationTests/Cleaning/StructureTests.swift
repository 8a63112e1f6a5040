// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Elevation

@Suite("Elevations of bridges, tunnels and ferries")
struct StructureTests {
  /// A gorge of 100 m between 100 m and 300 m east.
  private func gorge(_ east: Double, _: Double) -> Double {
    let ground = 500 + east / 10
    return (110...290).contains(east) ? ground - 100 : ground
  }

  private func heights(_ tags: [String: String], cleaning: ElevationCleaning = .none) throws
    -> [Float]
  {
    let map = AsciiMap(
      "ABCDEF", cellMetres: 100, ways: [.init("AB"), .init("BCD", tags: tags), .init("DEF")])
    return try CleanedMap(map, cleaning, height: gorge).elevations("ABCDEF")
  }

  @Test(
    "structures are interpolated between their portals",
    arguments: [
      ["highway": "path", "bridge": "yes"], ["highway": "path", "bridge": "viaduct"],
      ["highway": "path", "tunnel": "yes"], ["route": "ferry"],
      ["highway": "path", "location": "underground"],
      ["highway": "path", "covered": "yes", "tunnel": "yes"],
    ])
  func straight(tags: [String: String]) throws {
    for (height, expected) in zip(try heights(tags), [500, 510, 520, 530, 540, 550] as [Float]) {
      #expect(abs(height - expected) < 0.01)
    }
  }

  @Test(
    "ways that only resemble structures follow the ground",
    arguments: [
      ["highway": "steps"], ["highway": "steps", "bridge": "no"],
      ["highway": "steps", "tunnel": "building_passage"], ["highway": "steps", "tunnel": "no"],
      ["highway": "steps", "covered": "yes"], ["highway": "steps", "location": "overground"],
      ["highway": "steps", "route": "hiking"],
    ])
  func onTheGround(tags: [String: String]) throws {
    #expect(abs(try heights(tags)[2] - 420) < 0.01)
  }

  @Test("structures are still linear after smoothing")
  func smoothed() throws {
    let heights = try heights(
      ["highway": "path", "bridge": "yes"],
      cleaning: ElevationCleaning(smoothingMetres: 150, thresholdMetres: 10, stepMetres: 30))
    #expect(abs(heights[2] - (heights[1] + heights[3]) / 2) < 0.01)
    #expect(heights[2] > 515)
  }

  @Test("structures extend over several ways in any direction, from junction to junction")
  func severalWays() throws {
    let bridge = ["highway": "path", "bridge": "yes"]
    let map = AsciiMap(
      """
      G
      ABCDEF
         H
      """, cellMetres: 50,
      ways: [
        .init("GA"), .init("AB", tags: bridge), .init("DCB", tags: bridge), .init("DEF"),
        .init("DH"),
      ])
    let cleaned = try CleanedMap(map, .none) { east, _ in
      (10...140).contains(east) ? 300 : 500 + east / 5
    }
    for (height, expected) in zip(try cleaned.elevations("ABCD"), [500, 510, 520, 530] as [Float]) {
      #expect(abs(height - expected) < 0.01)
    }
  }

  @Test("a dead end is a portal")
  func deadEnd() throws {
    let map = AsciiMap(
      "ABC", cellMetres: 50, ways: [.init("ABC", tags: ["highway": "path", "tunnel": "yes"])])
    let cleaned = try CleanedMap(map, .none) { east, _ in 500 + (abs(east - 50) < 9 ? 80 : east) }
    #expect(abs(try cleaned.elevation("B") - 550) < 0.01)
  }

  @Test("a fork has the mean elevation of its neighbours, weighted by inverse distance")
  func fork() throws {
    let bridge = ["highway": "path", "bridge": "yes"]
    let map = AsciiMap(
      """
      ABC-D-EF
        G
        H
      """, cellMetres: 50,
      ways: [
        .init("AB"), .init("BCDE", tags: bridge), .init("EF"), .init("CG", tags: bridge),
        .init("GH"),
      ])
    let cleaned = try CleanedMap(map, .none) { east, south in
      if south > 40 { return 560 }
      return east < 60 ? 500 : east > 290 ? 580 : 0
    }
    // Of 1/50 · 500 from B, 1/200 · 580 from E and 1/50 · 560 from G.
    let fork = (500.0 / 50 + 580.0 / 200 + 560.0 / 50) / (1.0 / 50 + 1.0 / 200 + 1.0 / 50)
    #expect(abs(Double(try cleaned.elevation("C")) - fork) < 0.05)
    #expect(abs(Double(try cleaned.elevation("D")) - (fork + 580) / 2) < 0.05)
  }

  @Test("two forks with a ring between them converge to the solution of Laplace’s equation")
  func ring() throws {
    let ferry = ["route": "ferry"]
    let map = AsciiMap(
      """
        C
      AB DE
        F
      """, cellMetres: 100,
      ways: [
        .init("AB", tags: ferry), .init("BCD", tags: ferry), .init("BFD", tags: ferry),
        .init("DE", tags: ferry),
      ])
    let cleaned = try CleanedMap(map, .none) { east, _ in east < 50 ? 0 : east > 350 ? 100 : 7 }
    let heights = try cleaned.elevations("ABCFDE")
    // From 0 to 100 over 100 m, two branches of 2·√2·100 m side by side, and 100 m.
    let branch = 100 * 2.0.squareRoot()
    let step = 100 / (200 + branch)
    #expect(heights[0] == 0 && heights[5] == 100)
    #expect(abs(Double(heights[1]) - 100 * step) < 0.05)
    #expect(abs(heights[2] - 50) < 0.05 && abs(heights[3] - 50) < 0.05)
    #expect(abs(Double(heights[4]) - (100 - 100 * step)) < 0.05)
  }

  @Test(
    "structures with unknown portals are unknown, and a ring without portals follows the ground")
  func unknown() throws {
    let ferry = ["route": "ferry"]
    let line = AsciiMap("ABC", ways: [.init("ABC", tags: ferry)])
    let unknown = try CleanedMap(line, .none) { east, _ in east > 150 ? .nan : 5 }
    #expect(try unknown.elevation("A") == 5 && unknown.elevation("B").isNaN)
    let ring = AsciiMap("A B\n C", ways: [.init("ABCA", tags: ferry)])
    #expect(try CleanedMap(ring, .none) { _, south in south }.elevation("A") == 0)
  }

  private let bridge = ["highway": "path", "bridge": "yes"]

  @Test(
    "stairs and paths up to the middle of a bridge do not pull it down",
    arguments: [["BCD"], ["BC", "CD"], ["BC", "DC"]])
  func sideBranch(bridges: [String]) throws {
    for tags in [["highway": "steps"], ["highway": "path"]] {
      let map = AsciiMap(
        """
        ABCDE
          G
          H
        """, cellMetres: 60,
        ways: bridges.map { .init($0, tags: bridge) } + [
          .init("AB"), .init("DE"), .init("CG", tags: tags), .init("GH"),
        ])
      for cleaning in [ElevationCleaning.none, .standard] {
        let cleaned = try CleanedMap(map, cleaning) { east, south in
          (70...170).contains(east) || south > 10 ? 480 : 500
        }
        for (letter, height) in zip("BCD", try cleaned.elevations("BCD")) {
          #expect(abs(height - 500) < 0.5, "\(letter) of \(bridges), \(tags)")
        }
        #expect(try abs(cleaned.elevation("H") - 480) < 2)
      }
    }
  }

  @Test("a path up to a bridge is limited to the steepest slope of a path")
  func steepSideBranch() throws {
    let map = AsciiMap(
      "ABCDE\n  G\n  H\n  I", cellMetres: 20,
      ways: [.init("AB"), .init("BCD", tags: bridge), .init("DE"), .init("CGHI")])
    let cleaned = try CleanedMap(map, .none) { east, south in
      (25...55).contains(east) || south > 5 ? 440 : 500
    }
    #expect(abs(try cleaned.elevation("C") - 500) < 0.1)
    let heights = try cleaned.elevations("CGHI")
    for (high, low) in zip(heights, heights.dropFirst()) { #expect(abs(high - low) < 20.3) }
  }

  @Test("a node that a tunnel or a ferry shares with a path is a portal")
  func exits() throws {
    for tags in [["highway": "path", "tunnel": "yes"], ["route": "ferry"]] {
      let map = AsciiMap(
        "ABCDE\n  G", cellMetres: 60,
        ways: [.init("AB"), .init("BCD", tags: tags), .init("DE"), .init("CG")])
      let cleaned = try CleanedMap(map, .none) { east, _ in abs(east - 120) < 9 ? 480 : 500 }
      #expect(abs(try cleaned.elevation("C") - 480) < 0.01)
    }
  }

  @Test("two bridges that begin at one abutment begin on the ground")
  func abutment() throws {
    let map = AsciiMap(
      """
          C-D
      AB
          E-F
      """, cellMetres: 50,
      ways: [
        .init("AB"), .init("BC", tags: bridge), .init("BE", tags: bridge), .init("CD"),
        .init("EF"),
      ])
    let cleaned = try CleanedMap(map, .none) { east, _ in east < 60 ? 500 : 530 }
    #expect(abs(try cleaned.elevation("B") - 500) < 0.01)
  }

  @Test("an island that two bridges share lies on the line between the banks")
  func island() throws {
    let map = AsciiMap(
      "ABCDE\n  I", cellMetres: 60,
      ways: [
        .init("AB"), .init("BC", tags: bridge), .init("CD", tags: bridge), .init("DE"),
        .init("CI"),
      ])
    let cleaned = try CleanedMap(map, .none) { east, south in east > 70 && east < 170 ? 497 : 500 }
    #expect(abs(try cleaned.elevation("C") - 500) < 0.01)
    #expect(abs(try cleaned.elevation("I") - 497) < 0.01)
  }

  @Test("all ways that lead to a ring of bridges are its portals")
  func ringOfBridges() throws {
    let map = AsciiMap(
      """
      a b
      ABC
      D E
      FGH
      c d
      """, cellMetres: 50,
      ways: [
        .init("ABCEHGFDA", tags: bridge), .init("aA"), .init("Cb"), .init("cF"), .init("Hd"),
      ])
    let cleaned = try CleanedMap(map, .none) { east, south in
      abs(east - 50) < 9 || abs(south - 100) < 9 ? 400 : 500 + east
    }
    #expect(abs(try cleaned.elevation("A") - 500) < 0.01)
    #expect(abs(try cleaned.elevation("C") - 600) < 0.01)
    #expect(abs(try cleaned.elevation("B") - 550) < 0.01)
    #expect(abs(try cleaned.elevation("D") - 500) < 0.01)
  }
}
