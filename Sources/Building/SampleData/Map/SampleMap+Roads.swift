// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// Rivers and streams, drawn first so that roads and trails can cross them.
  mutating func drawWaterways() {
    way(
      meandering(Relief.mainValley.points, swayMetres: 22, &random),
      ["waterway": "river", "name": "Arven"])
    let streams: [(ReliefLine, ClosedRange<Int>, String)] = [
      (Relief.passValley, 0...4, "Krähenbach"), (Relief.passValley, 8...12, "Alpbach"),
      (Relief.northWestValley, 0...4, "Milchbach"), (Relief.northEastValley, 0...3, "Ostbach"),
    ]
    let river = ways.last?.nodes ?? []
    for (valley, range, name) in streams {
      var line = Array(valley.points[range])
      // In OpenStreetMap streams are drawn downstream.
      if let first = range.first, let last = range.last,
        valley.vertices[first].value < valley.vertices[last].value
      {
        line.reverse()
      }
      let foot = line[line.count - 1]
      let mouth = river.map(point).min { $0.distance(to: foot) < $1.distance(to: foot) }
      if let mouth, mouth.distance(to: foot) < 900 { line.append(mouth) }
      way(meandering(line, swayMetres: 28, &random), ["waterway": "stream", "name": name])
    }
  }

  /// The road through the valley with its tunnel, the road across the gorge, and the cycleway.
  mutating func drawRoads() {
    drawMainRoad()
    drawGorgeRoad()
    drawCycleway()
  }

  private mutating func drawMainRoad() {
    let tags = [
      "highway": "primary", "ref": "L27", "name": "Arventalstraße", "surface": "asphalt",
      "maxspeed": "80",
    ]
    let westPortal = PlanePoint(6980, 2380)
    let eastPortal = PlanePoint(8080, 2400)
    road(
      [
        PlanePoint(30, 2790), PlanePoint(900, 2830), PlanePoint(2000, 2890),
        PlanePoint(2900, 2820), Landmark.unterarvenBusStop.point, PlanePoint(4400, 2800),
        PlanePoint(5300, 2850),
      ], tags, routes: [.mainRoad])
    trail(
      [PlanePoint(5300, 2850), westPortal], maxGrade: 0.1, tags, routes: [.mainRoad])
    way(
      (0...8).map { westPortal.towards(eastPortal, Double($0) / 8) },
      tags.merging([
        "tunnel": "yes", "layer": "-1", "lit": "yes", "sidewalk": "right",
        "tunnel:name": "Krähensteintunnel",
      ]) { $1 }, routes: [.mainRoad])
    road(
      [
        eastPortal, PlanePoint(8500, 2440), PlanePoint(9200, 2760), PlanePoint(10000, 2920),
        PlanePoint(10600, 2900), PlanePoint(11200, 2950), PlanePoint(12000, 3020),
        PlanePoint(12800, 3060), PlanePoint(13700, 3020), PlanePoint(14500, 3100),
        PlanePoint(15400, 3350), PlanePoint(15900, 3450),
      ], tags, routes: [.mainRoad])
  }

  private mutating func drawGorgeRoad() {
    let tags = [
      "highway": "secondary", "ref": "L271", "name": "Schattseitstraße", "surface": "asphalt",
    ]
    let north = PlanePoint(8200, 2345)
    let south = PlanePoint(8200, 1955)
    road([PlanePoint(8500, 2440), PlanePoint(8330, 2400), north], tags)
    way(
      (0...6).map { north.towards(south, Double($0) / 6) },
      tags.merging(["bridge": "yes", "layer": "1", "bridge:name": "Finsterklammbrücke"]) { $1 })
    road(
      [
        south, PlanePoint(8330, 1890), PlanePoint(9000, 1960), PlanePoint(9700, 1990),
        PlanePoint(10250, 2080), PlanePoint(10550, 2330), PlanePoint(10600, 2900),
      ], tags)
    road(
      [PlanePoint(10250, 2080), PlanePoint(10480, 1960), PlanePoint(10760, 1930)],
      ["highway": "unclassified", "name": "Schattseit", "surface": "asphalt"])
  }

  private mutating func drawCycleway() {
    let tags = [
      "highway": "cycleway", "name": "Arvental-Radweg", "surface": "asphalt", "foot": "yes",
      "segregated": "no",
    ]
    let mill = PlanePoint(3600, 2560)
    road(
      [
        PlanePoint(30, 2560), PlanePoint(900, 2610), PlanePoint(2000, 2650),
        PlanePoint(2900, 2600), mill,
      ], tags, routes: [.valleyCycleRoute])
    road(
      [
        mill, PlanePoint(4400, 2570), PlanePoint(5000, 2640), PlanePoint(5300, 2850),
      ], tags, routes: [.valleyCycleRoute, .gorgeTrail])
    road(
      [Landmark.unterarvenBusStop.point, PlanePoint(3605, 2660), mill],
      ["highway": "unclassified", "name": "Brückenweg", "surface": "asphalt"],
      routes: [.gorgeTrail])
    let farm = PlanePoint(3700, 1960)
    road(
      [mill, PlanePoint(3590, 2380), PlanePoint(3610, 2200), farm],
      ["highway": "unclassified", "name": "Brückenweg", "surface": "asphalt"])
    let ride = trail(
      [farm, PlanePoint(5000, 1950), PlanePoint(6350, 1960)], maxGrade: 0.15,
      ["highway": "bridleway", "surface": "ground", "foot": "yes", "horse": "designated"])
    tag(node: 0.5, of: ride, ["barrier": "kissing_gate"])
  }
}
