// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

extension TurnDirection {
  /// The English verb, without the way: “Turn left”, “Keep right”, “Head”, “Arrive at the
  /// destination”.
  public var verb: String { self == .start ? "Head" : Language.english.sentence(phrase) }

  /// The name of a suitable Apple SF Symbol, different for each direction; all are available from
  /// iOS 16 and watchOS 9.
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
