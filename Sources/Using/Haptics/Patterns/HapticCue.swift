// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

/// What somebody on a route is told by touch.
public enum HapticCue: String, Hashable, Sendable, CaseIterable {
  /// An instruction is near.
  case approaching
  /// Turn left now, slightly or sharply.
  case left
  /// Turn right now, slightly or sharply.
  case right
  /// Go straight on at a junction.
  case straight
  /// Turn around: as an instruction, or since the route is walked backwards.
  case uTurn
  /// The route was left.
  case offRoute
  /// The route was reached again.
  case backOnRoute
  /// The destination was reached.
  case arrived
  /// It is not known any more where one is, so that nothing is told until it is.
  case positionLost
  /// It is known again where one is.
  case positionFound

  /// The cue for an instruction that is to be followed now. None for the start, which nobody is led
  /// to, and for the arrival, which has a time of its own.
  public init?(_ direction: TurnDirection) {
    switch direction {
    case .start, .arrive: return nil
    case .straight: self = .straight
    case .slightLeft, .left, .sharpLeft: self = .left
    case .slightRight, .right, .sharpRight: self = .right
    case .uTurn: self = .uTurn
    }
  }

  /// What it means in a few words of English, for those who look instead.
  public var text: String { text(in: .english) }

  /// What it means in a few words, for those who look instead.
  public func text(in language: Language) -> String { language.sentence(phrase) }

  private var phrase: Phrase {
    switch self {
    case .approaching: .approaching
    case .left: .left
    case .right: .right
    case .straight: .straight
    case .uTurn: .uTurn
    case .offRoute: .offRoute
    case .backOnRoute: .backOnRoute
    case .arrived: .arrived
    case .positionLost: .positionLost
    case .positionFound: .positionFoundAgain
    }
  }

  /// The name of its file without an ending: `off-route`.
  public var fileName: String {
    switch self {
    case .uTurn: "u-turn"
    case .offRoute: "off-route"
    case .backOnRoute: "back-on-route"
    case .positionLost: "position-lost"
    case .positionFound: "position-found"
    case .approaching, .left, .right, .straight, .arrived: rawValue
    }
  }

  /// Which of two cues that wait goes first: the greater one.
  var priority: Int {
    switch self {
    case .arrived, .offRoute, .positionLost: 3
    case .left, .right, .straight, .uTurn: 2
    case .backOnRoute, .positionFound: 1
    case .approaching: 0
    }
  }

  /// Whether it says what to do at an instruction.
  var isTurn: Bool { priority == 2 }

  /// Whether it stays true until something else happens, however late it is said.
  var isLasting: Bool { priority == 3 }
}
