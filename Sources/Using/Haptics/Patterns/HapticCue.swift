// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

/// A message to a traveller on a route by touch.
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
  /// The position is lost; no directions follow until it is found.
  case positionLost
  /// The position is found again.
  case positionFound

  /// The cue for an instruction that is due now. Nil for the start, which needs no cue, and for the
  /// arrival, which has its own.
  public init?(_ direction: TurnDirection) {
    switch direction {
    case .start, .arrive: return nil
    case .straight: self = .straight
    case .slightLeft, .left, .sharpLeft: self = .left
    case .slightRight, .right, .sharpRight: self = .right
    case .uTurn: self = .uTurn
    }
  }

  /// Its meaning in a few words of English, for display.
  public var text: String { text(in: .english) }

  /// Its meaning in a few words, for display.
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

  /// The priority among waiting cues; the greatest goes first.
  var priority: Int {
    switch self {
    case .arrived, .offRoute, .positionLost: 3
    case .left, .right, .straight, .uTurn: 2
    case .backOnRoute, .positionFound: 1
    case .approaching: 0
    }
  }

  /// Whether it is a direction at an instruction.
  var isTurn: Bool { priority == 2 }

  /// Whether it stays true until something else happens, however late it is played.
  var isLasting: Bool { priority == 3 }
}
