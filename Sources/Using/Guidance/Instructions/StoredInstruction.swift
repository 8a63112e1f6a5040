// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

extension TurnInstruction {
  /// The instruction in a language, a sentence without a full stop, including those of ``then``.
  ///
  /// One stored without its ``phrase`` is translated only if its direction and way fully account
  /// for its `description`; otherwise the description is returned.
  public func text(in language: Language) -> String {
    known(in: language).map { language.capitalized($0) } ?? description
  }

  /// The same text as part of a sentence.
  package func part(in language: Language) -> String {
    known(in: language) ?? Self.lowercased(description)
  }

  private func known(in language: Language) -> String? {
    guard language != .english, let parts = phrases, let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first.part(in: language)) { text, next in
      language.text(.then, ["first": text, "second": next.part(in: language)])
    }
  }

  /// Its phrase and those of the following steps; nil if any is unknown.
  private var phrases: [InstructionPhrase]? {
    var parts: [InstructionPhrase] = []
    var rest = ""
    for turn in then {
      guard let phrase = turn.knownPhrase else { return nil }
      parts.append(phrase)
      rest += Language.english.text(
        .then, ["first": "", "second": Self.lowercased(turn.description)])
    }
    if let phrase { return [phrase] + parts }
    guard description.hasSuffix(rest) else { return nil }
    let own = String(description.dropLast(rest.count))
    return InstructionPhrase.read(own, direction, bearing: bearing, name: trailName)
      .map { [$0] + parts }
  }

  private static func lowercased(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension FollowingTurn {
  /// The text for it alone in a language, a sentence without a full stop; see
  /// ``TurnInstruction/text(in:)``.
  public func text(in language: Language) -> String {
    language == .english ? description : knownPhrase?.text(in: language) ?? description
  }

  fileprivate var knownPhrase: InstructionPhrase? {
    phrase ?? InstructionPhrase.read(description, direction, bearing: bearing, name: trailName)
  }
}

extension InstructionPhrase {
  /// Recovers the phrase from an English sentence stored by an earlier version; nil if the sentence
  /// does not match.
  fileprivate static func read(
    _ sentence: String, _ direction: TurnDirection, bearing: Double, name: String?
  ) -> InstructionPhrase? {
    candidates(direction, bearing: bearing, name: name)
      .first { $0.text(in: .english) == sentence }
  }

  /// The possible phrases, except for roundabouts and warnings.
  private static func candidates(_ direction: TurnDirection, bearing: Double, name: String?)
    -> [InstructionPhrase]
  {
    let named: [WayWord] = [.name, .namedFerry, .namedPlatform, .namedViaFerrata]
    let words = name == nil ? WayWord.allCases.filter { !named.contains($0) } : named
    let ways: [Way?] = [nil] + words.map { Way(kind: $0, name: name) }
    let keys: [Key] =
      switch direction {
      case .start: [.start]
      case .arrive: [.arrive]
      case .straight: [.turn, .continueOnto, .ahead]
      default: [.turn]
      }
    return keys.flatMap { key in
      ways.flatMap { way in
        [nil, true].flatMap { stays in
          features.map { feature, slope in
            var phrase = InstructionPhrase(key)
            (phrase.way, phrase.stays) = (way, stays)
            (phrase.feature, phrase.slope) = (feature, slope)
            if key == .turn { phrase.direction = direction }
            if key == .start { phrase.heading = Language.compassPoint(bearing) * 45 }
            return phrase
          }
        }
      }
    }
  }

  private static let features: [(WayFeature.Kind?, WayFeature.Slope?)] =
    [(nil, nil), (.ford, nil), (.steppingStones, nil), (.viaFerrata, nil)]
    + [.steps, .ladder, .rungs].flatMap { kind in
      [nil, .up, .down].map { (kind, $0) }
    }
}
