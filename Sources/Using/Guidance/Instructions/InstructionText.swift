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

  /// “At the roundabout, turn left onto Dorfstraße (3rd exit)”.
  ///
  /// - Parameter exit: Which of the exits it is, counted from 1; nil where counting them would not
  ///   help.
  static func roundabout(
    _ direction: TurnDirection, exit: Int?, _ label: WayLabel?, isSameWay: Bool
  ) -> String {
    let turn = turn(direction, label, isSameWay: isSameWay)
    let count = exit.map { " (\(ordinal($0)) exit)" } ?? ""
    return "At the roundabout, \(turn.prefix(1).lowercased())\(turn.dropFirst())\(count)"
  }

  private static func ordinal(_ number: Int) -> String {
    let endings = [1: "st", 2: "nd", 3: "rd"]
    let isTeen = (11...13).contains(number % 100)
    return "\(number)\(isTeen ? "th" : endings[number % 10] ?? "th")"
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

  /// Whether cars use it: neither a path nor something only for walkers or cyclists.
  var isRoad: Bool {
    guard !isFerry, let highway else { return false }
    return !Self.paths.contains(highway)
  }

  private static let paths: Set<String> = [
    "bridleway", "corridor", "cycleway", "footway", "ladder", "path", "pedestrian", "platform",
    "steps", "via_ferrata",
  ]

  /// Whether going from it to another means staying on the same way.
  func isSameWay(as other: WayLabel) -> Bool {
    name == nil && other.name == nil ? highway == other.highway : name == other.name
  }
}
