// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnRouting

/// The texts of instructions, in English.
enum InstructionText {
  /// The name of a way without a `name`, by its `highway`.
  private static let kinds: [String: String] = [
    "path": "the path", "footway": "the footpath", "track": "the track", "steps": "the steps",
    "ladder": "the ladder",
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
      if way.feature?.kind == .viaFerrata { return "the via ferrata \(name)" }
      // Platforms often have nothing but a number.
      return way.highway == "platform" ? "platform \(name)" : name
    }
    if way.isFerry { return "the ferry" }
    if way.feature?.kind == .viaFerrata { return "the via ferrata" }
    guard let highway = way.highway else { return unknownKind }
    return kinds[highway] ?? (roads.contains(highway) ? road : unknownKind)
  }

  /// “Head north on Dorfstraße”, “Head north up the steps”.
  static func start(bearing: Double, _ label: WayLabel?) -> String {
    let heading = "\(TurnDirection.start.verb) \(BearingCalculator.cardinalDirection(bearing))"
    guard let label else { return heading }
    guard let climbed = climbed(label.feature?.kind) else { return "\(heading) on \(way(label))" }
    return "\(heading) \(climb(label) ?? "on \(climbed)")"
  }

  /// “Turn left onto Dorfstraße”; on the same way, “Turn left to stay on Dorfstraße”, or “Turn left” if
  /// it has no name; onto steps “Turn left up the steps”; to a ford “Turn left and cross the ford”.
  ///
  /// - Parameter before: The way by which the traveller arrives, where it is known.
  static func turn(_ direction: TurnDirection, from before: WayLabel?, to label: WayLabel?)
    -> String
  {
    let verb = direction.verb
    guard let label, direction != .uTurn else { return verb }
    let isSameWay = before?.isSameWay(as: label) ?? true
    if label.isFerry, !isSameWay { return "Take \(way(label))" }
    var turn = isSameWay ? verb : "\(verb) onto \(way(label))"
    if isSameWay, label.name != nil { turn = "\(verb) to stay on \(way(label))" }
    guard let feature = label.feature, feature.kind != before?.feature?.kind else { return turn }
    if let climbed = climbed(feature.kind) {
      let name = feature.kind == .steps && !isSameWay ? label.name : nil
      return "\(verb) \(climb(label) ?? "onto \(climbed)")" + (name.map { " of \($0)" } ?? "")
    }
    guard let crossing = crossing(feature.kind) else { return turn }
    return "\(label.name == nil || isSameWay ? verb : turn) and \(crossing)"
  }

  /// “Climb the steps”, “Cross the ford”: what begins straight ahead.
  static func ahead(_ label: WayLabel) -> String {
    guard let kind = label.feature?.kind else { return TurnDirection.straight.verb }
    if let crossing = crossing(kind) { return capitalized(crossing) }
    guard let climbed = climbed(kind) else { return "Continue on \(way(label))" }
    guard let climb = climb(label) else { return "Take \(climbed)" }
    if kind == .steps { return label.feature?.slope == .up ? "Climb the steps" : "Go \(climb)" }
    return "Climb \(climb)"
  }

  /// “Continue onto Dorfstraße”: the name changes.
  static func continued(_ label: WayLabel) -> String { "Continue onto \(way(label))" }

  /// “up the steps”, “down the ladder”; nil where that is unknown or there is nothing to climb.
  private static func climb(_ label: WayLabel) -> String? {
    guard let feature = label.feature, let slope = feature.slope,
      let climbed = climbed(feature.kind)
    else { return nil }
    return "\(slope == .up ? "up" : "down") \(climbed)"
  }

  private static func climbed(_ kind: WayFeature.Kind?) -> String? {
    switch kind {
    case .steps: "the steps"
    case .ladder: "the ladder"
    case .rungs: "the rungs"
    default: nil
    }
  }

  private static func crossing(_ kind: WayFeature.Kind) -> String? {
    switch kind {
    case .ford: "cross the ford"
    case .steppingStones: "cross the stepping stones"
    default: nil
    }
  }

  /// “At the roundabout, turn left onto Dorfstraße (3rd exit)”.
  ///
  /// - Parameter exit: Which of the exits it is, counted from 1; nil where counting them would not
  ///   help.
  static func roundabout(
    _ direction: TurnDirection, exit: Int?, from before: WayLabel, to label: WayLabel
  ) -> String {
    let turn = turn(direction, from: before, to: label)
    let instruction = "At the roundabout, \(lowercased(turn))"
    guard let exit else { return instruction }
    return "\(instruction) (\(ordinal(exit)) exit)"
  }

  private static func ordinal(_ number: Int) -> String {
    let endings = [1: "st", 2: "nd", 3: "rd"]
    let isTeen = (11...13).contains(number % 100)
    return "\(number)\(isTeen ? "th" : endings[number % 10] ?? "th")"
  }

  /// “Caution, falling rocks”: what a route warns of.
  static func warning(_ warning: RouteWarning) -> String {
    "\(capitalized(warning.severity.rawValue)), \(warning.text)"
  }

  /// Two instructions in one: “Turn left onto Dorfstraße, then turn right onto Kirchgasse”.
  static func joined(_ first: String, _ second: String) -> String {
    "\(first), then \(lowercased(second))"
  }

  private static func lowercased(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The text of the arrival.
  static func arrival(away: Double?) -> String {
    guard let away else { return TurnDirection.arrive.verb }
    return "Arrive \(metres(away)) from the destination; the way nearest to it is cut off"
  }
}
