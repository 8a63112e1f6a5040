// SPDX-License-Identifier: Apache-2.0
import CairnPhrases
import CairnRouting

/// The language-independent form of an instruction: a key and arguments, from which ``text(in:)``
/// makes a sentence.
public struct InstructionPhrase: Hashable, Sendable, Codable {
  /// The kind of sentence.
  public enum Key: String, Hashable, Sendable, Codable {
    /// Start in a direction, mostly on a way.
    case start
    /// Turn, onto a way or staying on it.
    case turn
    /// Turn at a roundabout.
    case roundabout
    /// Cross an area, such as a square.
    case crossArea
    /// Something to climb or cross begins straight ahead.
    case ahead
    /// The way changes its name here.
    case continueOnto
    /// The route warns of something.
    case warning
    /// The end is reached.
    case arrive
  }

  /// A way: its word, and its name if it has one.
  struct Way: Hashable, Sendable, Codable {
    var kind: WayWord
    var name: String?
  }

  /// The kind of sentence.
  public var key: Key
  /// The direction; nil if the key implies it.
  var direction: TurnDirection?
  /// The way that it leads to.
  var way: Way?
  /// The area to cross.
  var area: Way?
  /// Whether the route stays on the way by which it arrives.
  var stays: Bool?
  /// The feature to climb or cross on the way.
  var feature: WayFeature.Kind?
  /// Whether the feature leads up or down, if known.
  var slope: WayFeature.Slope?
  /// The direction of the start, in whole eighths of a circle: 0, 45 … 315 degrees.
  var heading: Int?
  /// The exit of a roundabout, counted from 1.
  var exit: Int?
  /// Metres between the end and the destination.
  var away: Double?
  /// The severity of a warning.
  var severity: HazardSeverity?
  /// The text of a warning, in English.
  var text: String?
  /// Whether the traveller must turn back before it.
  package var turnsBack: Bool?

  private enum CodingKeys: String, CodingKey {
    case key, direction, way, area, stays, feature, slope, heading, exit, away, severity, text,
      turnsBack
  }

  init(_ key: Key) { self.key = key }

  /// Reads the phrase of an instruction; nil if there is none or it is from a later version, which
  /// is then kept as an unknown field. Throws a `DecodingError` for unusable numbers.
  static func read<Name>(_ values: KeyedDecodingContainer<Name>, _ name: Name) throws
    -> InstructionPhrase?
  {
    guard let fields = try? values.nestedContainer(keyedBy: CodingKeys.self, forKey: name) else {
      return nil
    }
    for key in [CodingKeys.heading, .exit, .away] {
      guard let number = try? fields.decode(Double.self, forKey: key),
        !RouteNumber.isUsable(number)
      else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: fields, debugDescription: RouteNumber.problem(number))
    }
    return try? values.decode(InstructionPhrase.self, forKey: name)
  }

  /// It as a sentence without a full stop.
  public func text(in language: Language) -> String {
    language.capitalized(part(in: language))
  }

  /// It as a part of a sentence.
  func part(in language: Language) -> String {
    let text = InstructionWords(self, language).text
    return turnsBack == true ? language.text(.turnBack, ["rest": text]) : text
  }
}

extension InstructionPhrase {
  /// “Head north on Dorfstraße”, “Head north up the steps”.
  static func start(bearing: Double, _ label: WayLabel?) -> InstructionPhrase {
    var phrase = InstructionPhrase(.start)
    phrase.heading = Language.compassPoint(bearing) * 45
    phrase.way = label?.way
    phrase.setFeature(label?.feature)
    return phrase
  }

  /// “Turn left onto Dorfstraße”; on the same way, “Turn left to stay on Dorfstraße”, or “Turn
  /// left” if it has no name; onto steps “Turn left up the steps”; to a ford “Turn left and cross
  /// the ford”.
  ///
  /// - Parameter before: The way by which the traveller arrives, if known.
  static func turn(_ direction: TurnDirection, from before: WayLabel?, to label: WayLabel?)
    -> InstructionPhrase
  {
    var phrase = InstructionPhrase(.turn)
    phrase.direction = direction
    guard let label, direction != .uTurn else { return phrase }
    phrase.way = label.way
    if before?.isSameWay(as: label) ?? true { phrase.stays = true }
    if label.feature?.kind != before?.feature?.kind { phrase.setFeature(label.feature) }
    return phrase
  }

  /// “Cross the square to Kirchgasse”, “Turn left and cross the square to Kirchgasse”.
  ///
  /// - Parameter label: The way by which the traveller leaves the area; nil if none.
  static func crossing(_ direction: TurnDirection, _ area: WayLabel, to label: WayLabel?)
    -> InstructionPhrase
  {
    var phrase = InstructionPhrase(.crossArea)
    phrase.direction = direction
    phrase.area = area.way
    // Its name goes on behind it.
    if area.name == nil || area.name != label?.name { phrase.way = label?.way }
    return phrase
  }

  /// “Climb the steps”, “Cross the ford”: a feature straight ahead.
  static func ahead(_ label: WayLabel) -> InstructionPhrase {
    var phrase = InstructionPhrase(.ahead)
    phrase.way = label.way
    phrase.setFeature(label.feature)
    return phrase
  }

  /// “Continue onto Dorfstraße”: the name changes.
  static func continued(_ label: WayLabel) -> InstructionPhrase {
    var phrase = InstructionPhrase(.continueOnto)
    phrase.way = label.way
    return phrase
  }

  /// “At the roundabout, turn left onto Dorfstraße (3rd exit)”.
  ///
  /// - Parameter exit: The exit, counted from 1; nil if counting would not help.
  static func roundabout(
    _ direction: TurnDirection, exit: Int?, from before: WayLabel, to label: WayLabel
  ) -> InstructionPhrase {
    var phrase = turn(direction, from: before, to: label)
    phrase.key = .roundabout
    phrase.exit = exit
    return phrase
  }

  /// “Caution, falling rocks”: a warning of the route.
  static func warning(_ warning: RouteWarning) -> InstructionPhrase {
    var phrase = InstructionPhrase(.warning)
    (phrase.severity, phrase.text) = (warning.severity, warning.text)
    return phrase
  }

  /// The arrival.
  static func arrival(away: Double?) -> InstructionPhrase {
    var phrase = InstructionPhrase(.arrive)
    phrase.away = away?.rounded()
    return phrase
  }

  private mutating func setFeature(_ feature: WayFeature?) {
    (self.feature, slope) = (feature?.kind, feature?.slope)
  }
}

extension WayLabel {
  /// It as an argument.
  fileprivate var way: InstructionPhrase.Way { InstructionPhrase.Way(kind: word, name: name) }

  /// Words for ways without a `name`, by their `highway`.
  private static let words: [String: WayWord] = [
    "path": .path, "footway": .footpath, "track": .track, "steps": .steps, "ladder": .ladder,
    "cycleway": .cyclePath, "bridleway": .bridleway, "pedestrian": .pedestrianStreet,
    "living_street": .street, "residential": .street, "service": .serviceRoad,
    "via_ferrata": .viaFerrata, "corridor": .corridor, "platform": .platform, "elevator": .lift,
    "pier": .pier, "lock_gate": .lockGate,
  ]
  /// Areas of these kinds are squares.
  private static let squares: Set<String> = ["footway", "living_street", "pedestrian"]
  private static let roads: Set<String> = [
    "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
    "secondary_link", "tertiary", "tertiary_link", "unclassified", "road",
  ]

  private var word: WayWord {
    let isNamed = name != nil
    if isFerry { return isNamed ? .namedFerry : .ferry }
    if feature?.kind == .viaFerrata { return isNamed ? .namedViaFerrata : .viaFerrata }
    // The name of a platform is often only a number.
    if isNamed { return highway == "platform" ? .namedPlatform : .name }
    guard let highway else { return .way }
    if isArea, highway != "platform" { return Self.squares.contains(highway) ? .square : .openArea }
    return Self.words[highway] ?? (Self.roads.contains(highway) ? .road : .way)
  }
}
