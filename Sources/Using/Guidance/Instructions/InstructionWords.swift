// SPDX-License-Identifier: Apache-2.0
import CairnPhrases
import CairnRouting

/// The words of a phrase in one language.
struct InstructionWords {
  private let phrase: InstructionPhrase
  private let language: Language

  init(_ phrase: InstructionPhrase, _ language: Language) {
    (self.phrase, self.language) = (phrase, language)
  }

  /// It as a part of a sentence.
  var text: String {
    switch phrase.key {
    case .start: start
    case .turn: turn
    case .roundabout: roundabout
    case .crossArea: crossArea
    case .ahead: ahead
    case .continueOnto: language.text(.continueOnto, ["onto": onto])
    case .warning: warning
    case .arrive: arrival
    }
  }

  private var verb: String { language.text((phrase.direction ?? .straight).phrase) }

  private var onto: String {
    phrase.way.map { language.onto($0.kind, $0.name) } ?? language.onto(.way, nil)
  }

  /// “Turn left onto Dorfstraße”; keeping left has a phrase of its own.
  private func turned(_ onto: String) -> String {
    let keeps = phrase.direction == .slightLeft || phrase.direction == .slightRight
    return language.text(keeps ? .keepOnto : .turnOnto, ["turn": verb, "onto": onto])
  }

  private var on: String {
    phrase.way.map { language.on($0.kind, $0.name) } ?? language.on(.way, nil)
  }

  private var start: String {
    let toward = language.toward(Language.compassPoint(Double(phrase.heading ?? 0)))
    guard phrase.way != nil else { return language.text(.head, ["toward": toward]) }
    guard let feature = phrase.feature, let word = feature.climbed else {
      return language.text(.headOn, ["toward": toward, "on": on])
    }
    guard let climb = feature.climb(phrase.slope) else {
      return language.text(.headOn, ["toward": toward, "on": language.on(word, nil)])
    }
    return language.text(.headClimbing, ["toward": toward, "climb": language.text(climb)])
  }

  private var turn: String {
    guard let way = phrase.way, phrase.direction != .uTurn else { return verb }
    let stays = phrase.stays == true
    if way.kind == .ferry, !stays { return language.text(.takeFerry) }
    if way.kind == .namedFerry, !stays {
      return language.text(.takeNamedFerry, ["name": way.name ?? ""])
    }
    var turn = stays ? verb : turned(onto)
    if stays, way.name != nil { turn = language.text(.turnToStay, ["turn": verb, "on": on]) }
    guard let feature = phrase.feature else { return turn }
    if let word = feature.climbed {
      return climbing(feature, word, name: feature == .steps && !stays ? way.name : nil)
    }
    guard let crossing = feature.crossing else { return turn }
    return language.text(
      .turnCrossing,
      ["turn": way.name == nil || stays ? verb : turn, "cross": language.text(crossing)])
  }

  private func climbing(_ feature: WayFeature.Kind, _ word: WayWord, name: String?) -> String {
    let climb = feature.climb(phrase.slope)
    var text = climb.map { language.text($0) } ?? language.onto(word, nil)
    if let name { text = language.text(.climbNamed, ["climb": text, "name": name]) }
    return climb == nil
      ? turned(text)
      : language.text(.turnClimbing, ["turn": verb, "climb": text])
  }

  private var ahead: String {
    guard let feature = phrase.feature else { return language.text(.straight) }
    if let crossing = feature.crossing { return language.text(crossing) }
    switch (feature, phrase.slope) {
    case (.steps, .up): return language.text(.goUpSteps)
    case (.steps, .down): return language.text(.goDownSteps)
    case (.steps, nil): return language.text(.takeSteps)
    case (.ladder, .up): return language.text(.goUpLadder)
    case (.ladder, .down): return language.text(.goDownLadder)
    case (.ladder, nil): return language.text(.takeLadder)
    case (.rungs, .up): return language.text(.goUpRungs)
    case (.rungs, .down): return language.text(.goDownRungs)
    case (.rungs, nil): return language.text(.takeRungs)
    default: return language.text(.continueOn, ["on": on])
    }
  }

  private var crossArea: String {
    var text =
      switch phrase.area?.kind {
      case .openArea: language.text(.crossOpenArea)
      case .platform: language.text(.crossPlatform)
      case .name: language.text(.crossNamed, ["name": phrase.area?.name ?? ""])
      default: language.text(.crossSquare)
      }
    if let way = phrase.way {
      text = language.text(
        .crossTo, ["cross": text, "way": language.reaching(way.kind, way.name)])
    }
    guard let direction = phrase.direction, direction != .straight else { return text }
    return language.text(.turnCrossing, ["turn": verb, "cross": text])
  }

  private var roundabout: String {
    guard let exit = phrase.exit else { return language.text(.roundabout, ["turn": turn]) }
    return language.text(
      .roundaboutExit, ["turn": turn, "exit": language.ordinalOfExit(exit)])
  }

  private var warning: String {
    language.text(
      .warned,
      [
        "severity": language.text((phrase.severity ?? .caution).phrase),
        "text": language.warning(phrase.text ?? ""),
      ])
  }

  private var arrival: String {
    guard let away = phrase.away else { return language.text(.arrive) }
    return language.text(.arriveAway, ["distance": language.length(metres: away)])
  }
}

extension TurnDirection {
  /// Its verb.
  var phrase: Phrase {
    switch self {
    case .start, .straight: .straight
    case .slightLeft: .slightLeft
    case .left: .left
    case .sharpLeft: .sharpLeft
    case .slightRight: .slightRight
    case .right: .right
    case .sharpRight: .sharpRight
    case .uTurn: .uTurn
    case .arrive: .arrive
    }
  }
}

extension WayFeature.Kind {
  /// The feature's word, if it is climbed.
  fileprivate var climbed: WayWord? {
    switch self {
    case .steps: .steps
    case .ladder: .ladder
    case .rungs: .rungs
    default: nil
    }
  }

  /// The phrase for crossing the feature, if it is crossed.
  fileprivate var crossing: Phrase? {
    switch self {
    case .ford: .crossFord
    case .steppingStones: .crossSteppingStones
    default: nil
    }
  }

  /// “Up the steps”, “down the ladder”; nil if the slope is unknown or there is nothing to climb.
  fileprivate func climb(_ slope: WayFeature.Slope?) -> Phrase? {
    guard let slope else { return nil }
    switch self {
    case .steps: return slope == .up ? .upSteps : .downSteps
    case .ladder: return slope == .up ? .upLadder : .downLadder
    case .rungs: return slope == .up ? .upRungs : .downRungs
    default: return nil
    }
  }
}

extension HazardSeverity {
  /// It in a word.
  package var phrase: Phrase {
    switch self {
    case .notice: .notice
    case .caution: .caution
    case .danger: .danger
    }
  }
}

extension RouteWarning {
  /// It in a few words, such as `ford`, as within a sentence.
  public func text(in language: Language) -> String { language.warning(text) }
}

extension Language {
  /// The translation of a warning's English text; the English text if no table has it.
  package func warning(_ english: String) -> String {
    // Texts that end in something from the data.
    for (phrase, end) in [(Phrase.mixedData, "regions"), (.perhapsClosed, "condition")] {
      let start = Language.english.text(phrase, [end: ""])
      guard english.hasPrefix(start) else { continue }
      return text(phrase, [end: String(english.dropFirst(start.count))])
    }
    return term(english)
  }
}
