// SPDX-License-Identifier: Apache-2.0

/// A valley floor, a crest or a gorge as a polyline.
struct ReliefLine {
  /// x, y: metres on the plane; value: elevation of the floor or crest, or depth of the gorge, in
  /// metres; halfWidth: the level width on either side in metres.
  typealias Vertex = (x: Double, y: Double, value: Double, halfWidth: Double)

  let vertices: [Vertex]

  init(_ vertices: [Vertex]) { self.vertices = vertices }

  var points: [PlanePoint] { vertices.map { PlanePoint($0.x, $0.y) } }
}

/// A lake as an ellipse.
struct LakeShape {
  let centre: PlanePoint
  let radiusX: Double
  let radiusY: Double
  let levelMetres: Double

  /// Below 1 on the water, 1 on the shore, above 1 on land.
  func remoteness(of point: PlanePoint) -> Double {
    let x = (point.x - centre.x) / radiusX
    let y = (point.y - centre.y) / radiusY
    return (x * x + y * y).squareRoot()
  }
}

/// The shape of the land: its valleys, crests, lakes and its gorge.
enum Relief {
  /// The Arven, from east to west through both basins; between them it runs through the gorge.
  static let mainValley = ReliefLine([
    (16500, 3200, 1130, 250), (15200, 2900, 1090, 300), (13800, 2500, 1045, 420),
    (12600, 2350, 1036, 520), (11500, 2450, 1030, 560), (10400, 2500, 1022, 560),
    (9400, 2400, 1024, 380), (8700, 2250, 1030, 260), (8200, 2150, 1036, 230),
    (7700, 2050, 1032, 120), (7100, 2100, 990, 220), (6400, 2250, 940, 330),
    (5500, 2450, 915, 520), (3800, 2450, 898, 680), (2000, 2500, 880, 560),
    (-600, 2400, 855, 450),
  ])

  /// From Unterarven up to the pass and down to Hinterarven.
  static let passValley = ReliefLine([
    (4300, 3000, 905, 120), (4800, 3500, 1010, 60), (5300, 4300, 1240, 60),
    (5850, 5200, 1530, 80), (6300, 5850, 1740, 120), (6950, 6350, 1790, 50),
    (7500, 6700, 1996, 70), (8100, 6480, 1770, 50), (8800, 6100, 1660, 70),
    (9250, 5500, 1480, 80), (9800, 4500, 1240, 60), (10300, 3700, 1085, 80),
    (10600, 3100, 1030, 150),
  ])

  static let northWestValley = ReliefLine([
    (2400, 2800, 886, 80), (2300, 3900, 1060, 50), (2050, 5200, 1330, 60),
    (2150, 6400, 1610, 110), (2300, 7700, 1880, 200), (2450, 9300, 1990, 80),
    (2600, 11000, 1830, 80), (2700, 12800, 1560, 80),
  ])

  static let northEastValley = ReliefLine([
    (12950, 2950, 1045, 80), (13050, 4000, 1220, 50), (13250, 5400, 1480, 100),
    (13200, 6900, 1780, 80), (12900, 8200, 2000, 60),
  ])

  static let cirques = [
    ReliefLine([(6350, 5900, 1750, 60), (6250, 6900, 1930, 80), (6300, 7700, 2080, 60)]),
    ReliefLine([(8800, 6100, 1660, 60), (9150, 7100, 1880, 60), (9350, 7700, 2020, 60)]),
  ]

  /// The valleys beyond the main range; no trail goes there.
  static let farValleys = [
    ReliefLine([(6100, 9500, 1990, 60), (5950, 10800, 1720, 60), (5900, 12800, 1480, 60)]),
    ReliefLine([(9300, 9600, 1980, 60), (9450, 11000, 1690, 60), (9400, 12800, 1450, 60)]),
    ReliefLine([(13100, 9700, 1980, 60), (13250, 11000, 1720, 60), (13200, 12800, 1480, 60)]),
  ]

  static let valleys =
    [mainValley, passValley, northWestValley, northEastValley] + cirques + farValleys

  static let ridges = [
    // The ridge between the regions, from the north over the pass down to the bar.
    ReliefLine([
      (7200, 12500, 2380, 0), (7350, 9900, 2440, 0), (7400, 8600, 2635, 0),
      (7450, 7600, 2260, 0), (7500, 6700, 2004, 0), (7600, 5900, 2170, 0),
      (7750, 5100, 2360, 0), (7800, 4200, 1900, 0), (7750, 3500, 1450, 0),
      (7720, 3000, 1240, 0), (7700, 2380, 1120, 0),
    ]),
    // From the highest summit to the west and down between two valleys.
    ReliefLine([
      (7400, 8600, 2635, 0), (6300, 8500, 2340, 0), (5200, 8000, 2490, 0),
      (4400, 7000, 2180, 0), (4000, 6000, 1960, 0), (3700, 4900, 1640, 0),
      (3500, 4000, 1260, 0),
    ]),
    ReliefLine([(5200, 8000, 2490, 0), (4700, 9400, 2390, 0), (4600, 12500, 2400, 0)]),
    ReliefLine([
      (-300, 12500, 2300, 0), (300, 8900, 2390, 0), (500, 6800, 2210, 0),
      (700, 5200, 1880, 0), (900, 4100, 1400, 0), (1000, 3500, 1080, 0),
    ]),
    // From the highest summit to the east.
    ReliefLine([
      (7400, 8600, 2635, 0), (8700, 8500, 2360, 0), (10800, 7700, 2410, 0),
      (11500, 6400, 1990, 0), (11800, 5100, 1760, 0), (11850, 4200, 1380, 0),
      (11850, 3600, 1130, 0),
    ]),
    ReliefLine([(10800, 7700, 2410, 0), (11200, 9600, 2340, 0), (11500, 12500, 2350, 0)]),
    ReliefLine([
      (15000, 12500, 2380, 0), (14800, 8600, 2420, 0), (14600, 6200, 2340, 0),
      (14700, 4900, 1800, 0), (14850, 4000, 1280, 0),
    ]),
    // South of the river.
    ReliefLine([
      (-800, 200, 1650, 0), (1500, -100, 1760, 0), (4500, -300, 1900, 0),
      (7600, -300, 2060, 0), (10500, -200, 1960, 0), (13500, -100, 1900, 0),
      (16800, 300, 1950, 0),
    ]),
    ReliefLine([(7600, -300, 2060, 0), (7750, 800, 1540, 0), (7750, 1450, 1150, 0)]),
    ReliefLine([(18000, 500, 1900, 0), (17500, 6000, 2300, 0), (17500, 12500, 2400, 0)]),
  ]

  /// The depth of the Arven's cut through the ridge between the basins.
  static let gorge = ReliefLine([
    (9100, 2330, 0, 150), (8700, 2250, 30, 150), (8200, 2150, 80, 150),
    (7700, 2050, 95, 150), (7200, 2090, 62, 150), (6700, 2180, 0, 150),
  ])

  static let lake = LakeShape(
    centre: PlanePoint(12600, 2350), radiusX: 900, radiusY: 330, levelMetres: 1036)
  static let tarn = LakeShape(
    centre: PlanePoint(2330, 7750), radiusX: 190, radiusY: 130, levelMetres: 1881)

  /// An island in the lake, without a landing.
  static let island = PlanePoint(12950, 2400)
  static let islandRadiusMetres = 110.0

  /// Beyond this the terrain levels out into a plain, which compresses to almost nothing.
  static let plainBeyond = PlanePoint(16500, 12300)
  static let plainHeightMetres = 1200.0
}
