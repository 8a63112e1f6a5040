// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGeodesy
import Testing

private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

@Suite("Bounding boxes")
struct BoundingBoxTests {
  @Test("W,S,E,N is written as it was read")
  func readsCommandLine() {
    let box = BoundingBox(commandLine: "10.0,47.0,10.5,47.25")
    #expect(box == BoundingBox(west: 10, south: 47, east: 10.5, north: 47.25))
    #expect(box?.description == "10.0,47.0,10.5,47.25")
    #expect(BoundingBox(commandLine: " -70.5, -33.5,-70 ,-33") != nil)
  }

  @Test(
    "a box that is upside down, empty or not on Earth is refused",
    arguments: [
      "", "1,2,3", "1,2,3,4,5", "10,48,11,47", "10,47,10,48", "10,47,11,47", "-181,0,1,1",
      "0,-91,1,1", "nan,0,1,1", "0,0x1,1,2", "0,0,inf,1", "a,b,c,d",
    ])
  func refusesNonsense(text: String) {
    #expect(BoundingBox(commandLine: text) == nil)
  }

  @Test("borders and corners belong to the box")
  func containsItsBorder() {
    let box = BoundingBox(west: 10, south: 47, east: 11, north: 48)
    #expect(box.contains(point(47, 10)) && box.contains(point(48, 11)))
    #expect(!box.contains(point(46.999, 10.5)) && !box.contains(point(47.5, 11.001)))
    #expect(!box.contains(point(.nan, 10.5)))
  }

  @Test("a box across the antimeridian contains both sides of it and nothing else")
  func crossesTheAntimeridian() {
    let fiji = BoundingBox(west: 177, south: -20, east: -178, north: -15)
    #expect(fiji.isValid && fiji.crossesAntimeridian)
    for longitude in [177, 179.9, 180, -180, -178.5, -178] {
      #expect(fiji.contains(point(-17, longitude)), "\(longitude)")
    }
    for longitude in [176.9, 0, -177.9] {
      #expect(!fiji.contains(point(-17, longitude)), "\(longitude)")
    }
  }

  private let fiji = BoundingBox(west: 176, south: -20, east: -178, north: -15)

  @Test("width, centre and parts of a box across the antimeridian are those of its area")
  func measuresAcross() {
    #expect(fiji.widthDegrees == 6)
    #expect(fiji.centre == point(-17.5, 179))
    #expect(BoundingBox(west: 178, south: 0, east: -170, north: 2).centre == point(1, -176))
    #expect(
      fiji.parts == [
        BoundingBox(west: 176, south: -20, east: 180, north: -15),
        BoundingBox(west: -180, south: -20, east: -178, north: -15),
      ])
    let plain = BoundingBox(west: 1, south: 2, east: 5, north: 4)
    #expect(plain.widthDegrees == 4 && plain.centre == point(3, 3) && plain.parts == [plain])
  }

  @Test(
    "boxes meet and cover each other on both sides of the antimeridian",
    arguments: [
      (177.0, 178.0, true, true), (-179, -178.5, true, true), (179, -179, true, true),
      (175, 177, true, false), (-178.5, -170, true, false), (170, -170, true, false),
      (-170, -160, false, false), (1, 2, false, false), (-180, 180, true, false),
    ])
  func relates(west: Double, east: Double, meets: Bool, covers: Bool) {
    let other = BoundingBox(west: west, south: -18, east: east, north: -16)
    #expect(fiji.meets(other) == meets && other.meets(fiji) == meets)
    #expect(fiji.covers(other, within: 0.001) == covers)
    #expect(BoundingBox.world.covers(other, within: 0))
    #expect(other.covers(other, within: 0))
  }

  @Test("a tolerance is for each side of a box")
  func tolerates() {
    let wider = BoundingBox(west: 175.999, south: -20.001, east: -177.999, north: -14.999)
    #expect(fiji.covers(wider, within: 0.0011) && !fiji.covers(wider, within: 0.0009))
    #expect(!fiji.meets(BoundingBox(west: 177, south: 0, east: 178, north: 1)))
  }

  @Test("the smallest box crosses the antimeridian where it is narrower so")
  func grows() {
    func box(_ longitudes: [Double]) -> BoundingBox? {
      var growing = GrowingBox()
      for longitude in longitudes { growing.add(point(longitude / 10, longitude)) }
      return growing.box
    }
    func borders(_ longitudes: [Double]) -> [Double]? {
      box(longitudes).map { [$0.west, $0.east] }
    }
    #expect(box([]) == nil)
    #expect(borders([5]) == [5, 5])
    #expect(borders([-5, 5, 3]) == [-5, 5])
    #expect(borders([-5, -7]) == [-7, -5])
    #expect(borders([179, -179, 178]) == [178, -179])
    #expect(borders([180, -180]) == [180, -180])
    #expect(borders([10, -175]) == [10, -175])
    #expect(borders([-100, -1, 1, 100]) == [-100, 100])
    var growing = GrowingBox()
    growing.add(fiji)
    #expect(growing.box == fiji)
    growing.add(BoundingBox(west: -170, south: 0, east: 170, north: 1))
    #expect(growing.box == BoundingBox(west: -180, south: -20, east: 180, north: 1))
  }

  @Test("the bounding box of points touches the outermost ones")
  func surroundsPoints() {
    let points = [point(47, 10), point(46, 12), point(46.5, 9)]
    #expect(
      BoundingBox(around: points) == BoundingBox(west: 9, south: 46, east: 12, north: 47))
    #expect(BoundingBox(around: []) == nil)
  }
}

@Suite("Polygons")
struct PolygonTests {
  private func square(_ west: Double, _ south: Double, _ size: Double) -> [Coordinate] {
    [
      point(south, west), point(south, west + size), point(south + size, west + size),
      point(south + size, west),
    ]
  }

  @Test("a hole is outside, an island in the hole is inside again")
  func knowsHoles() throws {
    let area = try #require(
      MultiPolygon(rings: [square(0, 0, 10), square(2, 2, 6), square(4, 4, 2)]))
    #expect(area.contains(point(1, 1)))
    #expect(!area.contains(point(3, 3)))
    #expect(area.contains(point(5, 5)))
    #expect(!area.contains(point(11, 5)))
    #expect(area.boundingBox == BoundingBox(west: 0, south: 0, east: 10, north: 10))
  }

  @Test("an area that is cut at the antimeridian has the box around its parts")
  func knowsPartsAcross() throws {
    let area = try #require(MultiPolygon(rings: [square(178, -18, 2), square(-180, -18, 1)]))
    #expect(area.boundingBox == BoundingBox(west: 178, south: -18, east: -179, north: -16))
    #expect(area.contains(point(-17, 179)) && area.contains(point(-17.5, -179.5)))
    #expect(!area.contains(point(-17, 0)))
  }

  @Test("separate parts are both inside")
  func knowsParts() throws {
    let area = try #require(MultiPolygon(rings: [square(0, 0, 1), square(5, 5, 1)]))
    #expect(area.contains(point(0.5, 0.5)) && area.contains(point(5.5, 5.5)))
    #expect(!area.contains(point(3, 3)))
  }

  @Test("a ring may repeat its first point at the end, and have either orientation")
  func ignoresClosingPointAndDirection() throws {
    let ring = square(0, 0, 1)
    for rings in [[ring + [ring[0]]], [ring.reversed()]] {
      let area = try #require(MultiPolygon(rings: rings))
      #expect(area.contains(point(0.5, 0.5)) && !area.contains(point(0.5, 1.5)))
    }
  }

  @Test("a line through a corner is not counted twice")
  func passesThroughCorners() throws {
    let diamond = [point(0, -1), point(1, 0), point(0, 1), point(-1, 0)]
    let area = try #require(MultiPolygon(rings: [diamond]))
    #expect(area.contains(point(0, 0)))
    #expect(area.contains(point(0, -0.5)))
    #expect(!area.contains(point(1, -0.5)) && !area.contains(point(-1, -0.5)))
  }

  @Test("no rings, or a ring of two points, are not an area")
  func refusesNonsense() {
    #expect(MultiPolygon(rings: []) == nil)
    #expect(MultiPolygon(rings: [square(0, 0, 1), [point(0, 0), point(1, 1)]]) == nil)
  }

  @Test("areas that share a border divide the points between them")
  func sharesBordersFairly() throws {
    // Two random shapes that together are a square: each point belongs to exactly one.
    for seed in UInt64(0)..<50 {
      var random = SeededGenerator(seed: seed)
      let cut = (0...6).map { step in
        point(Double(step), Double.random(in: 1...5, using: &random).rounded())
      }
      let left = try #require(MultiPolygon(rings: [[point(6, 0), point(0, 0)] + cut]))
      let right = try #require(MultiPolygon(rings: [[point(6, 6), point(0, 6)] + cut]))
      for _ in 0..<100 {
        let point = point(
          (Double.random(in: 0.25...5.75, using: &random) * 4).rounded() / 4,
          (Double.random(in: 0.25...5.75, using: &random) * 4).rounded() / 4)
        #expect(left.contains(point) != right.contains(point), "seed \(seed): \(point)")
      }
    }
  }

  @Test("a region is everything, a box or an area")
  func regionShapes() throws {
    let area = try #require(MultiPolygon(rings: [square(0, 0, 1)]))
    let box = BoundingBox(west: 0, south: 0, east: 2, north: 2)
    let point = point(1.5, 1.5)
    #expect(RegionShape.everything.contains(point))
    #expect(RegionShape.box(box).contains(point))
    #expect(!RegionShape.polygon(area).contains(point))
  }
}
