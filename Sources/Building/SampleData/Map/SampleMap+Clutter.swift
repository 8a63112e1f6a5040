// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// Objects that the hiking graph ignores: lakes, woods, houses, a power line, a goods lift.
  ///
  /// Call this after resolving the crossings, which renumbers ways.
  mutating func drawClutter() {
    drawHut()
    drawLakes()
    drawWoods()
    drawLines()
    drawHouses()
  }

  private mutating func drawHut() {
    let centre = Landmark.kraehenhuette.point + PlanePoint(0, 22)
    area(
      rectangle(centre, along: PlanePoint(0.8, 0.6), 11, 7),
      [
        "tourism": "alpine_hut", "building": "yes", "name": "Krähenhütte", "capacity": "48",
        "ele": String(Int(terrain.height(at: centre).rounded())),
      ])
  }

  private func rectangle(
    _ centre: PlanePoint, along: PlanePoint, _ halfLength: Double, _ halfWidth: Double
  ) -> [PlanePoint] {
    let length = along * halfLength
    let width = PlanePoint(-along.y, along.x) * halfWidth
    return [
      centre - length - width, centre + length - width, centre + length + width,
      centre - length + width,
    ]
  }

  private mutating func drawLakes() {
    let lake = Relief.lake
    let shore = area(ellipse(around: lake.centre, lake.radiusX, lake.radiusY, count: 40), [:])
    let radius = Relief.islandRadiusMetres
    let island = area(
      ellipse(around: Relief.island, radius, radius * 0.8, count: 12), ["place": "islet"])
    areas.append(
      Area(
        outer: [shore], inner: [island],
        tags: [
          "type": "multipolygon", "natural": "water", "water": "lake", "name": "Arvensee",
          "ele": String(Int(lake.levelMetres)),
        ]))
    let tarn = Relief.tarn
    area(
      ellipse(around: tarn.centre, tarn.radiusX, tarn.radiusY, count: 16),
      ["natural": "water", "water": "lake", "name": "Milchsee"])
  }

  private mutating func drawWoods() {
    let woods: [(x: Double, y: Double, radiusX: Double, radiusY: Double)] = [
      (1500, 3900, 420, 700), (3000, 4300, 380, 700), (4400, 4200, 420, 480),
      (5700, 3700, 380, 520), (6700, 3500, 600, 420), (9000, 3900, 520, 700),
      (11300, 4300, 420, 620), (12300, 4200, 300, 600), (14000, 4300, 420, 620),
      (1500, 1300, 1200, 480), (4800, 1300, 1500, 420), (9500, 1150, 1300, 380),
      (13200, 1100, 1500, 430),
    ]
    for wood in woods {
      let centre = PlanePoint(wood.x, wood.y)
      let edge = ellipse(around: centre, wood.radiusX, wood.radiusY, count: 28).map {
        centre + ($0 - centre) * random.number(in: 0.85...1.12)
      }
      area(edge, ["natural": "wood", "leaf_type": "needleleaved"])
    }
    area(
      [
        PlanePoint(2400, 2980), PlanePoint(3050, 3020), PlanePoint(3080, 3250),
        PlanePoint(2450, 3190),
      ], ["landuse": "meadow"])
  }

  private mutating func drawLines() {
    way(
      stride(from: 200.0, through: 15000, by: 240).map { PlanePoint($0, 2680 + $0 / 60) },
      ["power": "line", "voltage": "110000"])
    way(
      [PlanePoint(5220, 4090), PlanePoint(5700, 4900), PlanePoint(6120, 5670)],
      ["aerialway": "goods", "name": "Materialseilbahn Krähenhütte"])
    way(
      [PlanePoint(4400, 2800), PlanePoint(4500, 2740), PlanePoint(4600, 2740)],
      ["highway": "construction", "construction": "service"])
  }

  /// Houses along the streets, if there is space.
  private mutating func drawHouses() {
    let roads = SegmentIndex(self) { $0.isHighway }
    let streets = ways.filter {
      ["residential", "tertiary", "living_street"].contains($0.tags["highway"])
        || $0.tags["name"] == "Feldweg"
    }
    var houses: [PlanePoint] = []
    for street in streets {
      for (start, end) in zip(street.nodes, street.nodes.dropFirst()) {
        for (centre, along) in plots(from: point(start), to: point(end)) {
          let isFree =
            houses.allSatisfy { $0.distance(to: centre) > 23 }
            && roads.segments(within: 14, of: centre).allSatisfy {
              centre.distance(toSegment: point($0.start), point($0.end)) > 12
            }
          guard isFree else { continue }
          houses.append(centre)
          let corners = rectangle(
            centre, along: along, random.number(in: 5...8), random.number(in: 4...5.5))
          area(corners, ["building": "house", "addr:housenumber": String(houses.count)])
        }
      }
    }
  }

  /// Plots for houses on both sides of a segment of a street, and the direction of the street.
  private mutating func plots(from start: PlanePoint, to end: PlanePoint)
    -> [(centre: PlanePoint, along: PlanePoint)]
  {
    let length = start.distance(to: end)
    let along = (end - start) * (1 / length)
    return (0..<Int(length / 27)).flatMap { plot in
      [-1.0, 1].map { side in
        let middle = start + along * ((Double(plot) + random.number(in: 0.35...0.65)) * 27)
        let offset = random.number(in: 14...19) * side
        return (middle + PlanePoint(-along.y, along.x) * offset, along)
      }
    }
  }
}
