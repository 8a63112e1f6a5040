// SPDX-License-Identifier: Apache-2.0

/// The texts of instructions, in English.
enum InstructionText {
  private static let verbs: [TurnDirection: String] = [
    .start: "Head", .straight: "Continue straight", .slightLeft: "Keep left", .left: "Turn left",
    .sharpLeft: "Turn sharp left", .slightRight: "Keep right", .right: "Turn right",
    .sharpRight: "Turn sharp right", .uTurn: "Turn around", .arrive: "Arrive at the destination",
  ]

  /// The name of a way without a `name`, by its `highway`.
  private static let kinds: [String: String] = [
    "path": "the path", "footway": "the footpath", "track": "the track", "steps": "the steps",
    "cycleway": "the cycle path", "bridleway": "the bridleway",
    "pedestrian": "the pedestrian street", "living_street": "the street",
    "residential": "the street", "service": "the service road", "via_ferrata": "the via ferrata",
    "corridor": "the corridor", "platform": "the platform", "elevator": "the lift",
    "pier": "the pier", "lock_gate": "the lock gate",
  ]

  /// Where a way has neither a name nor a known kind.
  private static let unknownKind = "the way"
  private static let road = "the road"
  private static let roads: Set<String> = [
    "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
    "secondary_link", "tertiary", "tertiary_link", "unclassified", "road",
  ]

  /// The name of a way in a sentence.
  static func way(_ way: WayLabel) -> String {
    if let name = way.name {
      if way.isFerry { return "the ferry \(name)" }
      // Platforms often have nothing but a number.
      return way.highway == "platform" ? "platform \(name)" : name
    }
    if way.isFerry { return "the ferry" }
    guard let highway = way.highway else { return unknownKind }
    return kinds[highway] ?? (roads.contains(highway) ? road : unknownKind)
  }

  /// “Head north on Dorfstraße”.
  static func start(bearing: Double, _ label: WayLabel?) -> String {
    let heading = "\(verbs[.start] ?? "") \(BearingCalculator.cardinalDirection(bearing))"
    return label.map { "\(heading) on \(way($0))" } ?? heading
  }

  /// “Turn left onto Dorfstraße”; on the same way, “Turn left to stay on Dorfstraße”, or “Turn left” if
  /// it has no name.
  static func turn(_ direction: TurnDirection, _ label: WayLabel?, isSameWay: Bool) -> String {
    let verb = verbs[direction] ?? ""
    guard let label, direction != .uTurn else { return verb }
    if isSameWay { return label.name == nil ? verb : "\(verb) to stay on \(way(label))" }
    return label.isFerry ? "Take \(way(label))" : "\(verb) onto \(way(label))"
  }

  /// Two instructions in one: “Turn left onto Dorfstraße, then turn right onto Kirchgasse”.
  static func joined(_ first: String, _ second: String) -> String {
    "\(first), then \(second.prefix(1).lowercased())\(second.dropFirst())"
  }

  /// The text of the arrival.
  static var arrival: String { verbs[.arrive] ?? "" }
}

/// The properties of a way that a sentence needs.
struct WayLabel: Hashable {
  var name: String?
  var highway: String?
  var isFerry: Bool
}
