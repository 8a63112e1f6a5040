// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// Alpine pastures and saddles where trails meet.
  private enum Spot {
    static let lowerAlp = PlanePoint(5250, 4060)
    static let upperAlp = PlanePoint(9050, 5720)
    static let milkAlp = PlanePoint(2230, 6330)
    static let eastAlp = PlanePoint(13330, 5430)
    static let ridgeNotch = PlanePoint(4000, 6050)
    static let sheepShoulder = PlanePoint(11500, 6400)
    static let hut = Landmark.kraehenhuette.point
    static let pass = Landmark.kraehenjoch.point
    static let tarn = Landmark.milchsee.point
  }

  private static let hiking = ["highway": "path", "sac_scale": "hiking", "surface": "gravel"]
  private static let mountain = [
    "highway": "path", "sac_scale": "mountain_hiking", "surface": "ground",
    "trail_visibility": "good",
  ]
  private static let demanding = [
    "highway": "path", "sac_scale": "demanding_mountain_hiking", "surface": "rock",
    "trail_visibility": "intermediate",
  ]
  private static let alpine = [
    "highway": "path", "sac_scale": "alpine_hiking", "surface": "rock",
    "trail_visibility": "bad",
  ]

  /// All trails, in an order in which each can join earlier ones.
  mutating func drawTrails() {
    drawTracks()
    drawPassTrail()
    drawHighRoute()
    drawSummitTrails()
    drawTarnLoop()
    drawGorgeTrail()
    drawLakeTrails()
    drawShortcuts()
  }

  private mutating func drawTracks() {
    let west = trail(
      [PlanePoint(4300, 3330), Spot.lowerAlp], maxGrade: 0.13,
      ["highway": "track", "tracktype": "grade2", "surface": "gravel", "name": "Krähenalpweg"],
      routes: [.kraehenjochTrail])
    tag(node: 0.3, of: west, ["barrier": "gate"])
    let north = trail(
      [PlanePoint(2000, 2890), PlanePoint(2150, 4600), Spot.milkAlp], maxGrade: 0.13,
      [
        "highway": "track", "tracktype": "grade3", "surface": "compacted",
        "name": "Milchalpweg", "motor_vehicle": "private",
      ], routes: [.tarnLoop])
    tag(node: 0.2, of: north, ["barrier": "cattle_grid"])
    trail(
      [PlanePoint(12800, 3060), Spot.eastAlp], maxGrade: 0.13,
      ["highway": "track", "tracktype": "grade4", "surface": "grass", "name": "Ostalpweg"],
      routes: [.arvenHighRoute])
    let forest = [
      "highway": "track", "tracktype": "grade3", "surface": "gravel", "name": "Schattseit-Forstweg",
    ]
    trail([PlanePoint(10760, 1930), PlanePoint(11300, 900)], maxGrade: 0.12, forest)
    trail(
      [PlanePoint(11300, 900), PlanePoint(9300, 1200), PlanePoint(8330, 1890)], maxGrade: 0.12,
      forest)
    trail(
      [PlanePoint(3700, 1960), PlanePoint(2700, 900)], maxGrade: 0.12,
      ["highway": "track", "tracktype": "grade5", "surface": "ground", "name": "Mühlwald"])
    trail(
      [PlanePoint(2700, 900), PlanePoint(4600, 700), PlanePoint(5000, 1950)], maxGrade: 0.2,
      Self.hiking)
  }

  /// From the end of the track past the hut and over the pass to the eastern village.
  private mutating func drawPassTrail() {
    let route: [SampleRoute] = [.kraehenjochTrail]
    let name = ["name": "Krähenjochweg"]
    trail(
      [Spot.lowerAlp, Spot.hut], maxGrade: 0.2, Self.mountain.merging(name) { $1 }, routes: route)
    let climb = trail(
      [Spot.hut, PlanePoint(6950, 6350), Spot.pass], maxGrade: 0.18,
      Self.mountain.merging(name) { $1 },
      routes: route + [.arvenHighRoute])
    change(
      climb, from: 0.55, to: 1,
      ["sac_scale": "demanding_mountain_hiking", "surface": "scree"])
    trail(
      [Spot.pass, PlanePoint(8100, 6480), Spot.upperAlp], maxGrade: 0.2,
      Self.mountain.merging(name) { $1 },
      routes: route + [.arvenHighRoute])
    let descent = trail(
      [Spot.upperAlp, PlanePoint(10860, 3400)], maxGrade: 0.2,
      Self.hiking.merging(name) { $1 }, routes: route)
    tag(node: 0.7, of: descent, ["barrier": "stile"])
    change(
      descent, from: 0.86, to: 0.89,
      ["highway": "steps", "surface": "wood", "sac_scale": nil, "step_count": "85"])
  }

  /// The long-distance route from alp to alp, high above both villages.
  private mutating func drawHighRoute() {
    let name = ["name": "Arvener Höhenweg"]
    trail(
      [Spot.milkAlp, Spot.ridgeNotch, Spot.hut], maxGrade: 0.2,
      Self.demanding.merging(name) { $1 }, routes: [.arvenHighRoute])
    let east = trail(
      [Spot.upperAlp, Spot.sheepShoulder, Spot.eastAlp], maxGrade: 0.2,
      Self.demanding.merging(name) { $1 }, routes: [.arvenHighRoute])
    change(east, from: 0.4, to: 0.6, ["trail_visibility": "bad"])
  }

  private mutating func drawSummitTrails() {
    let summit = trail(
      [Spot.pass, PlanePoint(7450, 7600), Landmark.arvenspitze.point], maxGrade: 0.3,
      Self.alpine.merging(["name": "Arvenspitze-Steig"]) { $1 }, routes: [.summitTrail])
    change(
      summit, from: 0.75, to: 1,
      ["sac_scale": "demanding_alpine_hiking", "trail_visibility": "horrible"])
    trail(
      [Spot.pass, PlanePoint(7750, 5100)], maxGrade: 0.28,
      Self.demanding.merging(["name": "Krähenstein-Steig"]) { $1 })
    trail(
      [Spot.sheepShoulder, PlanePoint(10800, 7700)], maxGrade: 0.28,
      Self.demanding.merging(["name": "Schafkopf-Steig"]) { $1 })
    trail([Spot.eastAlp, PlanePoint(14600, 6200)], maxGrade: 0.3, Self.alpine)
    // Up the face on the via ferrata, down on the path.
    let foot = PlanePoint(5480, 7640)
    trail([Spot.hut, foot], maxGrade: 0.24, Self.demanding)
    let face = (0...10).map { foot.towards(Landmark.grauerZahn.point, Double($0) / 10) }
    way(
      face,
      [
        "highway": "via_ferrata", "via_ferrata_scale": "3", "name": "Grauer-Zahn-Klettersteig",
        "safety_rope": "yes",
      ])
    trail(
      [Landmark.grauerZahn.point, PlanePoint(4450, 7080), Spot.ridgeNotch], maxGrade: 0.3,
      Self.alpine)
  }

  private mutating func drawTarnLoop() {
    let tarn = Relief.tarn
    trail(
      [Spot.milkAlp, Spot.tarn], maxGrade: 0.18,
      Self.hiking.merging(["name": "Milchsee-Runde"]) { $1 }, routes: [.tarnLoop])
    trail(
      [Spot.tarn, PlanePoint(1500, 6950), Spot.milkAlp], maxGrade: 0.2,
      Self.mountain.merging(["name": "Milchsee-Runde"]) { $1 }, routes: [.tarnLoop])
    // A trail that leaves the map in the north.
    trail(
      [
        Spot.tarn, PlanePoint(tarn.centre.x + 300, tarn.centre.y), PlanePoint(2520, 9400),
        PlanePoint(2560, 11500),
      ], maxGrade: 0.2, Self.demanding.merging(["name": "Nordweg"]) { $1 })
  }

  /// Through the gorge, high above the river, and across it on a footbridge.
  private mutating func drawGorgeTrail() {
    let route: [SampleRoute] = [.gorgeTrail]
    let north = PlanePoint(7600, 2240)
    let south = PlanePoint(7600, 1870)
    let name = ["name": "Finsterklamm-Steig"]
    let rise = trail(
      [PlanePoint(5300, 2850), PlanePoint(6450, 2480), north], maxGrade: 0.16,
      Self.hiking.merging(name) { $1 }, routes: route)
    change(
      rise, from: 0.8, to: 0.84,
      ["highway": "steps", "surface": "metal", "sac_scale": nil, "step_count": "210"])
    way(
      (0...6).map { north.towards(south, Double($0) / 6) },
      [
        "highway": "path", "bridge": "yes", "bridge:structure": "simple-suspension",
        "layer": "1", "surface": "metal", "name": "Klammsteg", "sac_scale": "hiking",
        "width": "0.9",
      ], routes: route)
    trail(
      [south, PlanePoint(8330, 1890)], maxGrade: 0.16, Self.hiking.merging(name) { $1 },
      routes: route)
    trail(
      [PlanePoint(9000, 1960), PlanePoint(9700, 2260), PlanePoint(10600, 2900)], maxGrade: 0.12,
      Self.hiking.merging(name) { $1 }, routes: route)
    trail([PlanePoint(6350, 1960), south], maxGrade: 0.2, Self.mountain)
  }

  private mutating func drawLakeTrails() {
    let lake = Relief.lake
    let tags = ["highway": "path", "surface": "fine_gravel", "sac_scale": "hiking"]
      .merging(["name": "Arvensee-Uferweg"]) { $1 }
    var shore = ellipse(
      around: lake.centre, lake.radiusX * 1.07, lake.radiusY * 1.16, count: 32)
    let westLanding = shore[16]
    let eastLanding = shore[0]
    shore.append(shore[0])
    let round = curved(shore, spacingMetres: 40)
    way(round, tags, routes: [.lakeLoop])
    trail([PlanePoint(11540, 2590), shore[13]], maxGrade: 0.2, tags, routes: [.lakeLoop])
    trail([eastLanding, PlanePoint(13700, 3020)], maxGrade: 0.12, tags)
    way(
      [
        westLanding, PlanePoint(12000, 2300), PlanePoint(12600, 2230), PlanePoint(13200, 2270),
        eastLanding,
      ],
      [
        "route": "ferry", "name": "Arvensee-Fähre", "foot": "yes", "bicycle": "yes",
        "motor_vehicle": "no", "duration": "00:12",
      ])
    way(
      curved(
        [
          Landmark.island.point, PlanePoint(12935, 2425), PlanePoint(12970, 2420),
          PlanePoint(12995, 2395),
        ], spacingMetres: 25), ["highway": "path", "surface": "grass", "name": "Inselpfad"])
  }

  /// Two shortcuts: one across a pasture, blocked by a fence, and one that only locals know.
  private mutating func drawShortcuts() {
    let fenced = trail(
      [PlanePoint(10160, 3120), PlanePoint(10250, 3900)], maxGrade: 0.25, joinWithin: 500,
      ["highway": "path", "surface": "grass", "informal": "yes"])
    tag(node: 0.5, of: fenced, ["barrier": "fence"])
    trail(
      [PlanePoint(4050, 3290), PlanePoint(4800, 4080)], maxGrade: 0.3, joinWithin: 500,
      [
        "highway": "path", "surface": "dirt", "informal": "yes",
        "trail_visibility": "intermediate",
      ])
  }
}
