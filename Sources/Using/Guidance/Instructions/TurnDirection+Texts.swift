// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

extension TurnDirection {
  /// What to do in English, without the way: “Turn left”, “Keep right”, “Head”, “Arrive at the
  /// destination”.
  public var verb: String { self == .start ? "Head" : Language.english.sentence(phrase) }

  /// The name of Apple's SF Symbol that an app may show for it; each direction has another one, and
  /// all are part of iOS 16 and watchOS 9.
  public var sfSymbolName: String {
    switch self {
    case .start: "location.north.fill"
    case .straight: "arrow.up"
    case .slightLeft: "arrow.up.left"
    case .left: "arrow.turn.up.left"
    case .sharpLeft: "arrow.turn.down.left"
    case .slightRight: "arrow.up.right"
    case .right: "arrow.turn.up.right"
    case .sharpRight: "arrow.turn.down.right"
    case .uTurn: "arrow.uturn.down"
    case .arrive: "flag.checkered"
    }
  }
}
