// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CostModel

/// A kind of way that an expectation speaks of: a value of `highway` or of `surface`, a SAC grade, or
/// a word such as `waymarked`.
package enum WayClass: Hashable, Sendable {
  /// By `highway`; a ferry is one, too.
  case highway(String)
  /// By `surface`.
  case surface(String)
  /// This grade of the SAC scale or a harder one: `T4`.
  case grade(SACScale)
  /// With a paved surface, by `surface` or, where that is missing, by the kind of road.
  case paved
  /// All others but ferries.
  case unpaved
  /// Along a waymarked route for walkers, or for cyclists where the base is a profile for cycling.
  case waymarked

  /// Reads a word; nil for one that means nothing.
  package init?(_ word: String) {
    switch word {
    case "paved": self = .paved
    case "unpaved": self = .unpaved
    case "waymarked": self = .waymarked
    default:
      if let grade = SACScale(grade: word) {
        self = .grade(grade)
      } else if CostProfile.knownHighways.contains(word) {
        self = .highway(word)
      } else if CostProfile.knownSurfaces.contains(word) {
        self = .surface(word)
      } else {
        return nil
      }
    }
  }

  /// All words but the long names of grades, for suggestions.
  package static let words: [String] =
    ["paved", "unpaved", "waymarked"] + SACScale.allCases.dropFirst().map { "T\($0.number)" }
    + CostProfile.knownHighways.sorted()
    + CostProfile.knownSurfaces.filter { !["paved", "unpaved", "unknown"].contains($0) }

  /// The word.
  package var word: String {
    switch self {
    case .highway(let value), .surface(let value): value
    case .grade(let grade): grade.number == 0 ? grade.rawValue : "T\(grade.number)"
    case .paved: "paved"
    case .unpaved: "unpaved"
    case .waymarked: "waymarked"
    }
  }
}
