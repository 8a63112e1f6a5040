// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// The streets of both villages.
  mutating func drawVillages() {
    drawUnterarven()
    drawUnterarvenAlleys()
    drawHinterarven()
  }

  private mutating func street(
    _ name: String?, _ kind: String, _ points: [(Double, Double)],
    _ tags: [String: String] = [:], routes: [SampleRoute] = []
  ) {
    var all = ["highway": kind, "surface": "asphalt"].merging(tags) { $1 }
    all["name"] = name
    way(points.map { PlanePoint($0.0, $0.1) }, all, routes: routes)
  }

  private mutating func drawUnterarven() {
    street(
      "Dorfstraße", "tertiary",
      [(3600, 2760), (3604, 2820), (3608, 2880), (3618, 2935), (3630, 2990), (3640, 3050)],
      ["maxspeed": "30"], routes: [.kraehenjochTrail])
    street(
      "Dorfstraße", "residential",
      [
        (3640, 3050), (3660, 3130), (3725, 3185), (3800, 3230), (3920, 3265), (4050, 3290),
        (4180, 3310), (4300, 3330),
      ], routes: [.kraehenjochTrail])
    street(
      "Kirchgasse", "residential",
      [
        (3570, 2990), (3480, 2985), (3400, 3040), (3410, 3130), (3520, 3170), (3590, 3158),
        (3660, 3130),
      ], ["oneway": "yes", "surface": "sett"])
    street(
      "Mühlweg", "residential",
      [(3608, 2880), (3530, 2868), (3450, 2870), (3370, 2880), (3300, 2900), (3180, 2960)])
    street(nil, "service", [(3300, 2900), (3350, 2970), (3400, 3040)])
    street(
      "Sonnenweg", "living_street",
      [(3800, 3230), (3700, 3330), (3560, 3380), (3420, 3330), (3390, 3230), (3410, 3130)])
    street(
      "Feldweg", "unclassified",
      [(3608, 2880), (3700, 2885), (3800, 2900), (4000, 2960), (4050, 3100), (4050, 3290)])
    area(
      [
        PlanePoint(3570, 2990), PlanePoint(3630, 2990), PlanePoint(3640, 3050),
        PlanePoint(3575, 3055),
      ],
      ["highway": "pedestrian", "area": "yes", "name": "Dorfplatz", "surface": "paving_stones"])
  }

  private mutating func drawUnterarvenAlleys() {
    street(
      nil, "service", [(4000, 2960), (4045, 2940), (4085, 2930), (4120, 2960)],
      ["service": "driveway", "access": "private", "surface": "gravel"])
    node(at: PlanePoint(4045, 2940), ["barrier": "gate", "access": "private"])
    street(
      nil, "service", [(3604, 2820), (3680, 2815), (3740, 2830), (3760, 2860)],
      ["service": "parking_aisle"])
    street(
      nil, "footway", [(3640, 3050), (3720, 3060), (3800, 3100), (3920, 3105), (4050, 3100)],
      ["surface": "paving_stones"])
    street(
      "Himmelsstiege", "steps", [(3520, 3170), (3530, 3230), (3545, 3310), (3560, 3380)],
      ["surface": "stone", "step_count": "124", "handrail": "yes", "incline": "up"])
    street(
      nil, "footway", [(3180, 2960), (3130, 2890), (3120, 2815)],
      ["surface": "compacted", "lit": "yes"])
    street(
      "Umfahrung Unterarven", "proposed", [(2900, 2820), (3300, 2720), (3900, 2700), (4400, 2800)],
      ["proposed": "primary"])
  }

  private mutating func drawHinterarven() {
    street(
      "Seestraße", "residential",
      [
        (10600, 2900), (10640, 2960), (10680, 3020), (10740, 3075), (10800, 3130),
        (10850, 3190), (10900, 3250), (10890, 3330), (10860, 3400),
      ], routes: [.kraehenjochTrail, .gorgeTrail])
    street(
      "Kapellenweg", "residential",
      [(10800, 3130), (10950, 3090), (11080, 3040), (11140, 3000), (11200, 2950)],
      ["oneway": "yes", "oneway:bicycle": "no"])
    street(
      "Oberdorf", "residential",
      [(10900, 3250), (11050, 3220), (11070, 3130), (11080, 3040)])
    street(
      "Alpbachweg", "unclassified",
      [
        (10680, 3020), (10590, 3045), (10500, 3080), (10420, 3200), (10500, 3330),
        (10680, 3390), (10860, 3400),
      ], ["surface": "gravel"])
    street(
      "Seepromenade", "footway",
      [(11200, 2950), (11290, 2880), (11380, 2800), (11460, 2700), (11540, 2590)],
      ["surface": "fine_gravel"], routes: [.lakeLoop])
    street(
      nil, "track", [(10500, 3080), (10380, 3040), (10260, 3060), (10160, 3120)],
      ["tracktype": "grade1", "surface": "asphalt", "motor_vehicle": "agricultural"])
  }
}
