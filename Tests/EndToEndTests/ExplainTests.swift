// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn explain")
struct ExplainTests {
  private let folder: TemporaryFolder
  /// 1 km from A to C through B, the second half climbing 50 m on gravel at T2, or around by D.
  private let map: AsciiMap
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    var map = AsciiMap(
      """
      A----B----C
      |         |
      D---------E
      """,
      ways: [
        .init("AB", id: 7, tags: ["highway": "path", "name": "Talweg", "surface": "asphalt"]),
        .init(
          "BC", id: 8,
          tags: [
            "highway": "path", "name": "Bergweg", "surface": "gravel",
            "sac_scale": "mountain_hiking",
          ]),
        .init("ADEC", id: 9, tags: ["highway": "track", "tracktype": "grade2"]),
      ], elevations: ["A": 100, "B": 100, "C": 150, "D": 100, "E": 100])
    map.routes = [.init(network: "lwn", ways: [7])]
    self.map = map
    database = try map.routingDatabase(in: folder, profiles: ["hiking", "mountain-hiking"])
  }

  private func explain(_ words: String...) throws -> ProcessResult {
    let (from, to) = (try map.coordinate("A"), try map.coordinate("C"))
    return try Executables.run(
      "cairn",
      [
        "explain", database, "--from", "\(from.latitude),\(from.longitude)", "--to",
        "\(to.latitude),\(to.longitude)",
      ] + words)
  }

  private func stretches(_ json: [String: Any]) throws -> [[String: Any]] {
    try #require(json["stretches"] as? [[String: Any]])
  }

  /// The factors other than 1 of a stretch, such as `surface=gravel 1.2`.
  private func factors(_ stretch: [String: Any]) -> [String] {
    (stretch["factors"] as? [[String: Any]] ?? []).compactMap { factor in
      guard let number = factor["factor"] as? Double, number != 1 else { return nil }
      return "\(factor["key"] ?? "")=\(factor["value"] ?? "") \(number)"
    }
  }

  @Test("JSON has the factors of each stretch, its climb and the totals")
  func factors() throws {
    let json = try jsonObject(try explain("--json").stdout)
    let stretches = try stretches(json)
    #expect(stretches.map { $0["name"] as? String } == ["Talweg", "Bergweg"])
    #expect(stretches.map { $0["ways"] as? [Int] } == [[7], [8]])
    #expect(
      stretches.map(factors) == [[], ["surface=gravel 1.2", "sac_scale=mountain_hiking 1.2"]])
    func number(_ stretch: Int, _ key: String) -> Double {
      stretches[stretch][key] as? Double ?? .nan
    }
    #expect(abs(number(0, "cost") - number(0, "distance")) < 1e-9)
    #expect(abs(number(1, "flatCost") - number(1, "distance") * 1.44) < 1e-9)
    #expect(abs(number(1, "climbCost") - 50 * 7.92) < 1e-9)
    #expect(number(1, "descentCost") == 0)
    #expect(abs(number(1, "totalCost") - number(0, "cost") - number(1, "cost")) < 1e-9)
    #expect((json["mismatches"] as? [Any])?.isEmpty == true)
    #expect((json["profile"] as? String) == "hiking")
    #expect(stretches.map { $0["slowdown"] as? Double } == [1, 1.2])
  }

  @Test("a time-based profile has the network of the waymarked route among its factors")
  func timeProfile() throws {
    let json = try jsonObject(try explain("--json", "--profile", "mountain-hiking").stdout)
    #expect(
      try stretches(json).map(factors) == [["surface=asphalt 1.3", "route=lwn 0.9"], []])
    #expect((json["mismatches"] as? [Any])?.isEmpty == true)
  }

  @Test("alternatives have their extra cost and the point where they leave the route")
  func alternatives() throws {
    let json = try jsonObject(try explain("--json").stdout)
    let alternatives = try #require(json["alternatives"] as? [[String: Any]])
    #expect(alternatives.count == 1)
    for alternative in alternatives {
      let extra = try #require(alternative["extraCost"] as? Double)
      let route = try #require(alternative["route"] as? [String: Any])
      let total = try #require(json["route"] as? [String: Any])
      #expect(extra > 0)
      #expect((route["cost"] as? Double ?? 0) - (total["cost"] as? Double ?? 0) == extra)
      #expect(alternative["leavesAt"] as? Double == 0)
    }
    let avoided = alternatives[0]["avoidedEdges"] as? [Int]
    #expect(avoided?.first == 2, "the most expensive stretch first")
  }

  @Test("a route that avoids several stretches is listed once, with all of them")
  func sameAlternative() throws {
    let json = try jsonObject(try explain("--json").stdout)
    let alternatives = try #require(json["alternatives"] as? [[String: Any]])
    #expect(alternatives.map { $0["avoidedEdges"] as? [Int] } == [[2, 1]])
    let text = try explain().stdout.replacing("\u{A0}", with: " ")
    #expect(text.components(separatedBy: ": cost ").count == 2, "\(text)")
    #expect(
      text.contains("  without Bergweg, 0.50 km to 1.00 km, or Talweg, 0.00 km"), "\(text)")
  }

  @Test("an explanation says how far its ends lie off the network")
  func offNetwork() throws {
    let (from, to) = (try map.coordinate("A"), try map.coordinate("C"))
    let ask = [
      "explain", database, "--from", "\(from.latitude + 0.001),\(from.longitude)", "--to",
      "\(to.latitude),\(to.longitude)",
    ]
    let text = try Executables.succeed("cairn", ask).stdout
    #expect(text.contains("\nStart lies 111 m off the network\n"), "\(text)")
    let json = try jsonObject(try Executables.succeed("cairn", ask + ["--json"]).stdout)
    let list = try #require(json["offNetwork"] as? [[String: Any]])
    #expect(list.map { $0["point"] as? String } == ["start", "destination"])
    #expect(list.map { ($0["distanceMetres"] as? Double ?? .nan).rounded() } == [111, 0])
  }

  @Test("an explanation goes through via points, and so do its alternatives")
  func via() throws {
    let turn = try map.coordinate("E")
    let json = try jsonObject(
      try explain("--via", "\(turn.latitude),\(turn.longitude)", "--json").stdout)
    let list = try #require(json["offNetwork"] as? [[String: Any]])
    #expect(list.map { $0["point"] as? String } == ["start", "via 1", "destination"])
    #expect(try stretches(json).map { $0["ways"] as? [Int] } == [[9]])
    let alternatives = try #require(json["alternatives"] as? [[String: Any]])
    #expect(alternatives.count == 1)
    let other = try explain("--via", "\(turn.latitude + 1),\(turn.longitude)")
    #expect(other.status != 0)
    #expect(other.stdout.isEmpty)
  }

  @Test("the text fits on a screen and says the same as the JSON")
  func text() throws {
    let text = try explain().stdout.replacing("\u{A0}", with: " ")
    #expect(text.hasPrefix("hiking: 1.00 km, 50 m up, 0 m down, "), "\(text)")
    #expect(
      text.contains(
        "way 8, path: surface gravel 1.2 × sac_scale mountain_hiking 1.2 = 1.44; time × 1.2"))
    #expect(text.contains("  without Bergweg, 0.50 km to 1.00 km, or "), "\(text)")
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(", the best alternative "), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 }, "\(text)")
  }

  @Test("edges whose stored cost differs from the stored profile's are reported")
  func mismatch() throws {
    try changeDatabase(
      database, ["UPDATE routing_costs SET cost = cost + 1 WHERE profile = 1 AND edge = 2"])
    let json = try jsonObject(try explain("--json").stdout)
    let mismatches = try #require(json["mismatches"] as? [[String: Any]])
    #expect(mismatches.map { $0["edge"] as? Int } == [2])
    let stored = mismatches.first?["storedCost"] as? Double ?? 0
    let computed = mismatches.first?["computedCost"] as? Double ?? 0
    // The changed cost is stored in single precision.
    #expect(abs(stored - computed - 1) < 1e-3)
    let text = try explain().stdout.replacing("\u{A0}", with: " ")
    #expect(text.contains("1 edge of the route"), "\(text)")
  }

  @Test(
    "seasons are evaluated for the date of the database, also in the southern hemisphere",
    arguments: [
      ("2026-07-01", false), ("2026-01-15", false), ("2026-07-01", true), ("2026-01-15", true),
    ])
  func seasons(date: String, isSouthern: Bool) throws {
    var map = AsciiMap(
      """
      A----B
      |    |
      C----D
      """,
      ways: [
        .init(
          "AB", id: 5,
          tags: ["highway": "path", "access": "no", "foot:conditional": "yes @ summer"]),
        .init("ACDB", id: 6, tags: ["highway": "track", "surface": "gravel"]),
      ])
    if isSouthern { map.latitude = -41 }
    let graph = try map.graphFile(in: folder, name: "season.graph")
    let database = folder.file("season.routing.db")
    let built = try Executables.run(
      "cairn-compute-costs",
      ["--input", graph, "--output", database, "--profile", "hiking", "--date", date])
    #expect(built.status == 0, "\(built.stderr)")
    let (from, to) = (try map.coordinate("A"), try map.coordinate("B"))
    let json = try jsonObject(
      try Executables.run(
        "cairn",
        [
          "explain", database, "--from=\(from.latitude),\(from.longitude)",
          "--to=\(to.latitude),\(to.longitude)", "--json",
        ]
      ).stdout)
    let isSummer = (date == "2026-07-01") != isSouthern
    #expect(try stretches(json).map { $0["ways"] as? [Int] } == [[isSummer ? 5 : 6]])
    #expect((json["mismatches"] as? [Any])?.isEmpty == true)
    for stretch in try stretches(json) {
      let flat = stretch["flatCost"] as? Double ?? .nan
      let distance = stretch["distance"] as? Double ?? .nan
      #expect(flat == stretch["cost"] as? Double)
      let product = (stretch["factors"] as? [[String: Any]] ?? []).reduce(1) {
        $0 * ($1["factor"] as? Double ?? .nan)
      }
      #expect(abs(distance * product - flat) < 1e-9 * flat)
    }
  }

  @Test(
    "a database without the data for an explanation is refused",
    arguments: [
      (["DROP TABLE routing_edge_tags"], 65, "lacks the profiles or tags"),
      (["UPDATE routing_profiles SET definition = '{}'"], 65, "profile hiking cannot be read"),
      (["DROP TABLE routing_profiles"], 65, "lacks the profiles or tags"),
      (["UPDATE routing_costs SET cost = 9e999, reverse_cost = 9e999"], 1, "no route"),
    ] as [([String], Int32, String)])
  func refusals(statements: [String], status: Int32, message: String) throws {
    try changeDatabase(database, statements)
    let result = try explain()
    #expect(result.status == status && result.stdout.isEmpty)
    #expect(result.stderr.contains(message), "\(result.stderr)")
  }

  @Test("cairn route takes a profile of the database, and lists them all if it is missing")
  func routeByProfile() throws {
    let (from, to) = (try map.coordinate("A"), try map.coordinate("C"))
    func route(_ words: String...) throws -> ProcessResult {
      try Executables.run(
        "cairn",
        [
          "route", database, "--from", "\(from.latitude),\(from.longitude)", "--to",
          "\(to.latitude),\(to.longitude)", "--format", "json",
        ] + words)
    }
    func cost(_ result: ProcessResult) throws -> Double {
      try jsonObject(result.stdout)["totalCost"] as? Double ?? .nan
    }
    let byProfile = try cost(route("--profile", "mountain-hiking"))
    #expect(try byProfile != cost(route("--profile", "hiking")))
    #expect(try cost(route("--profile", "hiking")) == cost(route("--mode", "hiking")))
    let unknown = try route("--profile", "hikin")
    #expect(unknown.status == 1)
    #expect(
      unknown.stderr.hasSuffix(
        "the database has no costs for hikin, only for hiking, mountain-hiking "
          + "(did you mean hiking?)\n"), "\(unknown.stderr)")
    #expect(try route("--mode", "hiking", "--profile", "hiking").status == 64)
  }
}
