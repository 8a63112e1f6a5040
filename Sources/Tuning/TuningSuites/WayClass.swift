// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CostModel

/// A kind of way in an expectation: a value of `highway` or of `surface`, a SAC grade, or a word
/// such as `waymarked`.
package enum WayClass: Hashable, Sendable {
  /// By `highway`, including ferries.
  case highway(String)
  /// By `surface`.
  case surface(String)
  /// This grade of the SAC scale or a harder one: `T4`.
  case grade(SACScale)
  /// With a paved surface, by `surface` or, if that is missing, by the kind of road.
  case paved
  /// All others except ferries.
  case unpaved
  /// Along a waymarked route for walkers, or for cyclists if the base is a profile for cycling.
  case waymarked

  /// Reads a word; nil for an unknown one.
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
