// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CairnRoutingDatabase

@Suite("The elevation profile of an edge as a blob")
struct EdgeElevationBlobTests {
  @Test("the blob is a version, the first elevation and the differences, in centimetres")
  func layout() throws {
    // 1000 cm is 2000 in zigzag encoding, 0xD0 0x0F as a varint; −1 cm is 1, 64 cm is 128.
    #expect(EdgeElevation.pack([10, 9.99, 10.63]) == [1, 0xD0, 0x0F, 1, 0x80, 1])
    #expect(EdgeElevation.unpack([1, 0xD0, 0x0F, 1, 0x80, 1]) == [10, 9.99, 10.63])
  }

  @Test("packed elevations come back within half a centimetre")
  func roundTrip() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let range: ClosedRange<Float> = seed % 2 == 0 ? -20_000...20_000 : 800...900
      let elevations = (0..<Int.random(in: 2...60, using: &random)).map { _ in
        Float.random(in: range, using: &random)
      }
      let blob = try #require(EdgeElevation.pack(elevations))
      let read = try #require(EdgeElevation.unpack(blob))
      #expect(read.count == elevations.count)
      for (before, after) in zip(elevations, read) {
        #expect(abs(before - after) <= 0.0061, "seed \(seed)")
      }
    }
  }

  @Test("a gentle profile takes two bytes per elevation")
  func size() throws {
    let elevations = (0..<100).map { 1500 + Float($0) * 3 }
    #expect(try #require(EdgeElevation.pack(elevations)).count == 1 + 3 + 99 * 2)
  }

  @Test("fewer than two elevations, or an implausible one, cannot be packed")
  func unfit() {
    let unfit: [[Float]] = [[], [5], [5, .nan], [.infinity, 5], [0, 20_001], [-3e38, 0]]
    for elevations in unfit { #expect(EdgeElevation.pack(elevations) == nil, "\(elevations)") }
  }

  @Test(
    "a damaged blob is refused",
    arguments: [
      [], [1], [1, 0xD0, 0x0F], [0, 2, 2], [2, 2, 2], [1, 2, 0x80],
      // A varint of five bytes, and elevations beyond the limit, at once and in steps.
      [1, 2, 0x80, 0x80, 0x80, 0x80, 0x01], [1, 0xFE, 0xFF, 0xFF, 0x7F, 0],
      [1, 0x80, 0x92, 0xF4, 0x01, 2],
    ] as [[UInt8]])
  func damaged(blob: [UInt8]) {
    #expect(EdgeElevation.unpack(blob) == nil)
  }

  @Test("random bytes give a plausible profile or none")
  func randomBytes() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if !bytes.isEmpty { bytes[0] = 1 }
      guard let elevations = EdgeElevation.unpack(bytes) else { continue }
      #expect(elevations.allSatisfy { abs($0) <= 20_000 }, "seed \(seed)")
    }
  }
}

@Suite("The elevation profile of an edge in a database")
struct EdgeElevationTests {
  private let map = AsciiMap(
    "A-b-B-C", cellMetres: 40, ways: [.init("AbB"), .init("BC")],
    elevations: ["A": 1000, "b": 1020, "B": 1010])

  private func store(_ changes: String...) throws -> RoutingStore {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    try changeDatabase(path, changes)
    let store = RoutingStore(path: path)
    try store.open()
    return store
  }

  @Test("elevations are evenly spaced, at most 30 m apart, from the start of the edge to its end")
  func profile() throws {
    let elevation = try #require(try store().elevationProfile(ofEdge: 1))
    // 160 m in six stretches of 26.67 m, up 20 m over the first 80 m and down 10 m over the rest.
    let expected: [Float] = [1000, 1006.67, 1013.33, 1020, 1016.67, 1013.33, 1010]
    #expect(elevation.elevations == expected)
    #expect(elevation.maximumSlope == 25)
  }

  @Test("in the other direction elevations and slope are reversed")
  func reversed() throws {
    let elevation = EdgeElevation(maximumSlope: -12, elevations: [10, 5, 6])
    #expect(elevation.reversed() == EdgeElevation(maximumSlope: 12, elevations: [6, 5, 10]))
    #expect(elevation.reversed().reversed() == elevation)
  }

  @Test("an edge with an unknown elevation, a missing edge and NULL have no profile")
  func unknown() throws {
    #expect(try store().elevationProfile(ofEdge: 2) == nil)
    #expect(try store().elevationProfile(ofEdge: 99) == nil)
  }

  @Test("a database without the table, or with another one of that name, has no profiles")
  func absent() throws {
    #expect(try store("DROP TABLE routing_elevation_blocks").elevationProfile(ofEdge: 1) == nil)
    let other = try store(
      "DROP TABLE routing_elevation_blocks", "CREATE TABLE routing_elevation_blocks(edge, height)")
    #expect(try other.elevationProfile(ofEdge: 1) == nil)
    let folder = try TemporaryFolder()
    let plain = RoutingStore(path: try plainDatabase(in: folder, filledBy: []))
    try plain.open()
    #expect(try plain.elevationProfile(ofEdge: 1) == nil)
  }

  @Test(
    "a damaged profile is an error",
    arguments: [
      "profiles = zeroblob(length(profiles))", "profiles = 'text'", "slopes = x'02'",
      "slopes = x''", "ends = x'04FFFFFFFF00000000'",
    ])
  func damaged(change: String) throws {
    let store = try store("UPDATE routing_elevation_blocks SET \(change)")
    let error = #expect(throws: RoutingError.self) { try store.elevationProfile(ofEdge: 1) }
    guard case .databaseCorrupted = error else {
      Issue.record("is \(String(describing: error))")
      return
    }
  }

  @Test("a store that is not open throws")
  func closed() throws {
    let store = try store()
    store.close()
    #expect(throws: RoutingError.databaseNotOpen) { try store.elevationProfile(ofEdge: 1) }
  }
}
