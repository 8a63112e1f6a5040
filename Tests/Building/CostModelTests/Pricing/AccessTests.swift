// SPDX-License-Identifier: Apache-2.0
import CostModel
import TestSupport
import Testing

/// A row of a table of tags: what they are, and whether one may go there, and back.
struct AccessCase: CustomTestStringConvertible, Sendable {
  let tags: [String: String]
  let expected: String

  /// - Parameters:
  ///   - text: Tags such as `highway=path foot=no`.
  ///   - expected: `both`, `forward`, `backward` or `none`.
  init(_ text: String, _ expected: String) {
    var tags: [String: String] = [:]
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1)
      tags[String(parts[0])] = String(parts[1])
    }
    self.tags = tags
    self.expected = expected
  }

  var testDescription: String {
    tags.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
      + " → \(expected)"
  }

  /// What a profile makes of the tags.
  func outcome(_ profile: CostProfile) throws -> String {
    let costs = try Costs(tags, profile)
    return switch (costs.cost.isFinite, costs.reverseCost.isFinite) {
    case (true, true): "both"
    case (true, false): "forward"
    case (false, true): "backward"
    case (false, false): "none"
    }
  }
}

@Suite("Where a walker may go")
struct WalkingAccessTests {
  @Test(
    "tags of access",
    arguments: [
      AccessCase("highway=path", "both"),
      AccessCase("highway=residential", "both"),
      AccessCase("highway=path access=no", "none"),
      AccessCase("highway=path access=private", "none"),
      AccessCase("highway=track access=military", "none"),
      AccessCase("highway=path access=permissive", "both"),
      AccessCase("highway=path access=destination", "both"),
      AccessCase("highway=service access=customers", "both"),
      AccessCase("highway=path foot=no", "none"),
      AccessCase("highway=residential foot=use_sidepath", "both"),
      AccessCase("highway=track access=forestry", "both"),
      AccessCase("highway=track access=private foot=yes", "both"),
      AccessCase("highway=track access=no foot=designated", "both"),
      AccessCase("highway=track access=yes foot=private", "none"),
      AccessCase("highway=track vehicle=no", "both"),
      AccessCase("highway=track motor_vehicle=no bicycle=no", "both"),
    ])
  func access(row: AccessCase) throws {
    #expect(try row.outcome(.hiking) == row.expected)
  }

  @Test("a road with a way beside it costs half as much again, unless the profile says otherwise")
  func sidepath() throws {
    let tags = ["highway": "secondary", "surface": "asphalt", "foot": "use_sidepath"]
    let plain = try Costs(["highway": "secondary", "surface": "asphalt"], .hiking).cost
    #expect(try Costs(tags, .hiking).cost == 1.5 * plain)
    var profile = CostProfile.hiking
    profile.access["sidepath"] = CostProfile.impassable
    #expect(try Costs(tags, profile).cost == .infinity)
    profile.access["sidepath"] = 3
    #expect(try Costs(tags, profile).cost == 3 * plain)
  }

  @Test("a waymarked route opens a path that is closed to traffic, for walkers alone")
  func waymarked() {
    let tags = [
      "highway": "path", "access": "no", "motor_vehicle": "no", "route:foot": "rwn",
      "route:bicycle": "rcn",
    ]
    let factors = TagFactors(tags, .hiking)
    #expect(factors.forwardAccess.value == "destination")
    #expect(factors.forward.isFinite && factors.backward.isFinite)
    #expect(TagFactors(tags, .cycling).forward == .infinity)
    #expect(TagFactors(tags.filter { $0.key != "route:foot" }, .hiking).forward == .infinity)
  }

  @Test(
    "fast roads",
    arguments: [
      AccessCase("highway=primary", "both"),
      AccessCase("highway=trunk", "none"),
      AccessCase("highway=trunk_link", "none"),
      AccessCase("highway=trunk foot=yes", "both"),
      AccessCase("highway=trunk foot=no sidewalk=both", "none"),
      AccessCase("highway=trunk sidewalk=both", "both"),
      AccessCase("highway=trunk sidewalk=right", "both"),
      AccessCase("highway=trunk sidewalk:left=yes", "both"),
      AccessCase("highway=trunk sidewalk=no", "none"),
      AccessCase("highway=trunk sidewalk=separate", "none"),
      AccessCase("highway=primary sidewalk=separate", "both"),
      AccessCase("highway=primary motorroad=yes", "none"),
      AccessCase("highway=primary motorroad=yes foot=yes", "both"),
      AccessCase("highway=primary motorroad=yes sidewalk=left", "both"),
      AccessCase("highway=primary motorroad=no", "both"),
      AccessCase("highway=motorway", "none"),
      AccessCase("highway=motorway_link foot=yes", "none"),
    ])
  func fastRoads(row: AccessCase) throws {
    #expect(try row.outcome(.hiking) == row.expected)
  }

  @Test(
    "one-way streets do not bind walkers, signs for walkers do",
    arguments: [
      AccessCase("highway=residential oneway=yes", "both"),
      AccessCase("highway=residential oneway=-1", "both"),
      AccessCase("highway=residential junction=roundabout", "both"),
      AccessCase("highway=path oneway:foot=yes", "forward"),
      AccessCase("highway=path oneway:foot=-1", "backward"),
      AccessCase("highway=path oneway=yes oneway:foot=no", "both"),
      AccessCase("highway=path foot:backward=no", "forward"),
      AccessCase("highway=path foot:forward=no", "backward"),
      AccessCase("highway=steps oneway=yes", "both"),
      AccessCase("highway=steps conveying=yes oneway=yes", "forward"),
      AccessCase("highway=steps conveying=forward", "forward"),
      AccessCase("highway=steps conveying=backward", "backward"),
      AccessCase("highway=steps conveying=reversible", "both"),
      AccessCase("highway=steps conveying=no oneway=yes", "both"),
    ])
  func directions(row: AccessCase) throws {
    #expect(try row.outcome(.hiking) == row.expected)
  }

  @Test(
    "a via ferrata is closed however it is drawn",
    arguments: [
      AccessCase("highway=via_ferrata", "none"),
      AccessCase("highway=via_ferrata foot=yes", "none"),
      AccessCase("highway=path via_ferrata_scale=2", "none"),
      AccessCase("highway=path via_ferrata_scale=K3 foot=designated", "none"),
      AccessCase("highway=path via_ferrata_scale=unknown", "none"),
      AccessCase("highway=path via_ferrata_scale=0", "both"),
      AccessCase("highway=path via_ferrata_scale=no", "both"),
      AccessCase("highway=ladder", "none"),
      AccessCase("highway=path ladder=yes", "none"),
      AccessCase("highway=path rungs=yes foot=yes", "none"),
      AccessCase("highway=path assisted_trail=yes", "none"),
      AccessCase("highway=path assisted_trail=no", "both"),
      AccessCase("highway=path safety_rope=yes", "both"),
    ])
  func viaFerrata(row: AccessCase) throws {
    #expect(try row.outcome(.hiking) == row.expected)
    #expect(try row.expected == "both" || row.outcome(.cycling) == "none")
  }

  @Test("a profile may open via ferratas, those that are drawn as paths, too")
  func openViaFerrata() throws {
    var climbing = CostProfile.hiking
    climbing.highways["via_ferrata"] = 4
    let drawn = try Costs(["highway": "via_ferrata", "via_ferrata_scale": "3"], climbing)
    let hidden = try Costs(["highway": "path", "via_ferrata_scale": "3"], climbing)
    #expect(drawn.cost == drawn.length * (1.3 * 4))
    #expect(hidden.cost == hidden.length * (1.3 * 4))
    #expect(try Costs(["highway": "path", "rungs": "yes"], climbing).cost == .infinity)
    climbing.highways["assisted_trail"] = 2
    let rungs = try Costs(["highway": "path", "rungs": "yes"], climbing)
    #expect(rungs.cost == rungs.length * (1.3 * 2))
  }
}

@Suite("Where a cyclist may go")
struct CyclingAccessTests {
  @Test(
    "tags of access",
    arguments: [
      AccessCase("highway=cycleway", "both"),
      AccessCase("highway=path", "both"),
      AccessCase("highway=footway", "none"),
      AccessCase("highway=footway bicycle=yes", "both"),
      AccessCase("highway=pedestrian", "none"),
      AccessCase("highway=path bicycle=no", "none"),
      AccessCase("highway=path bicycle=dismount", "none"),
      AccessCase("highway=residential bicycle=use_sidepath", "none"),
      AccessCase("highway=track access=private", "none"),
      AccessCase("highway=track access=private bicycle=yes", "both"),
      AccessCase("highway=track vehicle=no", "none"),
      AccessCase("highway=track vehicle=no bicycle=permissive", "both"),
      AccessCase("highway=track access=no vehicle=yes", "both"),
      AccessCase("highway=path foot=no", "both"),
      AccessCase("highway=primary motorroad=yes", "none"),
      AccessCase("highway=motorway bicycle=yes", "none"),
      AccessCase("highway=steps", "none"),
      AccessCase("highway=steps bicycle=yes", "none"),
      AccessCase("highway=path sac_scale=mountain_hiking", "both"),
      AccessCase("highway=path sac_scale=alpine_hiking", "none"),
    ])
  func access(row: AccessCase) throws {
    #expect(try row.outcome(.cycling) == row.expected)
  }

  @Test(
    "one-way streets bind cyclists unless a sign lifts it",
    arguments: [
      AccessCase("highway=residential oneway=yes", "forward"),
      AccessCase("highway=residential oneway=true", "forward"),
      AccessCase("highway=residential oneway=1", "forward"),
      AccessCase("highway=residential oneway=-1", "backward"),
      AccessCase("highway=residential oneway=reverse", "backward"),
      AccessCase("highway=residential oneway=no", "both"),
      AccessCase("highway=residential oneway=reversible", "both"),
      AccessCase("highway=residential oneway=yes oneway:bicycle=no", "both"),
      AccessCase("highway=residential oneway:bicycle=yes", "forward"),
      AccessCase("highway=residential oneway=yes cycleway=opposite", "both"),
      AccessCase("highway=residential oneway=yes cycleway=opposite_lane", "both"),
      AccessCase("highway=residential oneway=yes cycleway:left=opposite_track", "both"),
      AccessCase("highway=residential oneway=-1 cycleway=opposite", "both"),
      AccessCase("highway=residential oneway=yes cycleway=lane", "forward"),
      AccessCase("highway=residential junction=roundabout", "forward"),
      AccessCase("highway=residential junction=circular", "forward"),
      AccessCase("highway=residential junction=roundabout oneway=no", "both"),
      AccessCase("highway=residential oneway=yes bicycle=no", "none"),
    ])
  func directions(row: AccessCase) throws {
    #expect(try row.outcome(.cycling) == row.expected)
  }

  @Test("only an edge with a way there and none back is marked as one-way")
  func onewayMark() throws {
    func mark(_ oneway: String) throws -> Bool {
      try Costs(["highway": "residential", "oneway": oneway], .cycling).edges.isOneway[0]
    }
    #expect(try mark("yes"))
    #expect(try !mark("no"))
    #expect(try !mark("-1"))
    #expect(try !Costs(["highway": "steps", "oneway": "yes"], .cycling).edges.isOneway[0])
  }

  @Test("an impassable edge has no time either")
  func duration() throws {
    let costs = try Costs(["highway": "residential", "oneway": "yes"], .cycling).edges
    #expect(costs.duration[0].isFinite)
    #expect(costs.reverseDuration[0] == .infinity)
  }
}
