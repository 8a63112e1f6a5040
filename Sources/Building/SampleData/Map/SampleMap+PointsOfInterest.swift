// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// Points of interest: villages, summits, springs, guideposts.
  mutating func drawPointsOfInterest() {
    drawVillagePoints()
    drawMountainPoints()
    drawTrailPoints()
  }

  private mutating func drawVillagePoints() {
    node(
      at: PlanePoint(3605, 3020), ["place": "village", "name": "Unterarven", "population": "640"])
    node(
      at: PlanePoint(10780, 3110), ["place": "village", "name": "Hinterarven", "population": "310"])
    node(at: PlanePoint(10300, 2010), ["place": "hamlet", "name": "Schattseit"])
    node(at: PlanePoint(3600, 2440), ["place": "isolated_dwelling", "name": "Mühlau"])
    node(at: PlanePoint(3612, 2752), ["highway": "bus_stop", "name": "Unterarven Dorf"])
    node(at: PlanePoint(10612, 2888), ["highway": "bus_stop", "name": "Hinterarven Abzweig"])
    node(at: PlanePoint(3725, 2845), ["amenity": "parking", "name": "Parkplatz Dorf"])
    node(at: PlanePoint(11330, 2870), ["amenity": "parking", "name": "Parkplatz See"])
    node(
      at: PlanePoint(3655, 3035),
      ["amenity": "cafe", "name": "Café & Laden „Zum Senn“", "opening_hours": "Tu-Su 08:00-18:00"])
    node(
      at: PlanePoint(3665, 3060),
      ["shop": "bakery", "name": "Bäckerei \"Vroni's\" <seit 1921>"])
    node(at: PlanePoint(3585, 3040), ["amenity": "drinking_water"])
    node(at: PlanePoint(3735, 2865), ["amenity": "toilets"])
    node(at: PlanePoint(10815, 3150), ["amenity": "drinking_water"])
    node(at: PlanePoint(11500, 2500), ["tourism": "camp_site", "name": "Seecamping Hinterarven"])
    node(at: PlanePoint(13500, 2600), ["tourism": "picnic_site"])
  }

  private mutating func drawMountainPoints() {
    tag(
      landmark: .kraehenjoch,
      ["natural": "saddle", "mountain_pass": "yes", "name": "Krähenjoch"])
    tag(landmark: .arvenspitze, ["natural": "peak", "name": "Arvenspitze", "summit:cross": "yes"])
    tag(landmark: .grauerZahn, ["natural": "peak", "name": "Grauer Zahn"])
    peak("Hoher Krähenstein", PlanePoint(7750, 5100))
    peak("Schafkopf", PlanePoint(10800, 7700))
    peak("Ostkogel", PlanePoint(14600, 6200))
    peak("Wetterspitz", PlanePoint(500, 6800))
    node(at: PlanePoint(11500, 6400), ["natural": "saddle", "name": "Schafschulter"])
    node(
      at: PlanePoint(9090, 5745),
      ["tourism": "wilderness_hut", "name": "Obere Alpe", "capacity": "6"])
    node(at: PlanePoint(8700, 8150), ["natural": "cave_entrance", "name": "Eisloch"])
  }

  private mutating func tag(landmark: Landmark, _ tags: [String: String]) {
    node(at: landmark.point, tags.merging(["ele": elevationText(landmark.point)]) { $1 })
  }

  private mutating func peak(_ name: String, _ point: PlanePoint) {
    node(at: point, ["natural": "peak", "name": name, "ele": elevationText(point)])
  }

  /// Whole metres, for `ele`.
  private func elevationText(_ point: PlanePoint) -> String {
    String(Int(terrain.height(at: point).rounded()))
  }

  private mutating func drawTrailPoints() {
    for point in [
      PlanePoint(4330, 3350), PlanePoint(5850, 5050), PlanePoint(6680, 6060),
      PlanePoint(9350, 5250), PlanePoint(2500, 7300), PlanePoint(13150, 4700),
    ] {
      node(at: point, ["natural": "spring", "ele": elevationText(point)])
    }
    let posts: [(PlanePoint, String)] = [
      (Landmark.kraehenhuette.point, "Krähenhütte"), (PlanePoint(5250, 4060), "Untere Alpe"),
      (PlanePoint(2230, 6330), "Milchalpe"), (PlanePoint(13330, 5430), "Ostalpe"),
      (PlanePoint(4000, 6050), "Scharte"), (PlanePoint(10860, 3400), "Hinterarven"),
    ]
    for (point, name) in posts {
      guard let post = highwayNode(near: point, within: 60) else { continue }
      tag(
        node: post,
        [
          "tourism": "information", "information": "guidepost", "name": name,
          "ele": elevationText(self.point(post)),
        ])
    }
    node(at: PlanePoint(7530, 6680), ["amenity": "shelter", "shelter_type": "basic_hut"])
    node(at: PlanePoint(7615, 2255), ["tourism": "viewpoint", "name": "Klammblick"])
    node(at: PlanePoint(12995, 2395), ["tourism": "viewpoint"])
  }
}
