// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels
import CostModel

/// Walks with known times, and the estimate of a profile for each.
///
/// A walk along the edges of a database is timed edge by edge, with the slowdown of its tags. One
/// with only totals is timed as a single stretch: a climbing and a descending part of equal slope,
/// as in ``TravelModels/TimeModel``. A recorded one is timed by its own elevation profile in pieces
/// of ``TimedWalks/pieceMetres``.
package struct TimedWalks: Sendable {
  /// A walk that could not be used.
  package struct Omission: Sendable, Equatable, Codable {
    /// Its name.
    package var name: String
    /// Why.
    package var reason: String
  }

  /// Tags, and the day on which their access is evaluated.
  struct TagSet: Sendable, Hashable {
    var tags: [String: String]
    var date: CalendarDate?
  }

  /// The walks.
  package private(set) var walks: [TimedWalk] = []
  /// The unusable ones, in order.
  package internal(set) var omissions: [Omission] = []
  private(set) var tagSets: [TagSet] = []
  private var tagSetIndices: [TagSet: Int] = [:]

  /// Starts without walks.
  package init() {}

  /// Adds a walk; one without length or time is omitted.
  package mutating func add(_ walk: TimedWalk) {
    let isSound = walk.stretches.allSatisfy {
      ($0.distance + $0.up + $0.down).isFinite && min($0.distance, $0.up, $0.down) >= 0
        && (0...1).contains($0.share)
    }
    guard isSound, walk.distanceMetres > 0, walk.seconds.isFinite, walk.seconds > 0 else {
      omissions.append(Omission(name: walk.name, reason: "has no length or no time"))
      return
    }
    walks.append(walk)
  }

  /// The index of some tags in ``tagSets``.
  mutating func index(ofTags tags: [String: String], on date: CalendarDate?) -> Int {
    let set = TagSet(tags: tags, date: date)
    if let known = tagSetIndices[set] { return known }
    tagSets.append(set)
    tagSetIndices[set] = tagSets.count - 1
    return tagSets.count - 1
  }

  /// The slowdown of ways compared with the time model, by their tags, along them and against them.
  struct Slowdowns: Sendable {
    fileprivate var ahead: [Double]
    fileprivate var back: [Double]
  }

  /// The slowdowns of all tags under a profile.
  func slowdowns(_ profile: CostProfile) -> Slowdowns {
    let factors = tagSets.map { TagFactors($0.tags, profile, on: $0.date) }
    return Slowdowns(ahead: factors.map(\.forwardSlowdown), back: factors.map(\.backwardSlowdown))
  }

  /// The seconds of each walk under a profile.
  package func seconds(_ profile: CostProfile) -> [Double] {
    seconds(profile, slowdowns(profile))
  }

  /// The seconds of each walk under a profile with known slowdowns.
  func seconds(_ profile: CostProfile, _ slowdowns: Slowdowns) -> [Double] {
    let formula = EdgeFormula(profile)
    return walks.map { walk in
      var (ferries, plain, slowed) = (0.0, 0.0, 0.0)
      var (distance, up, down) = (0.0, 0.0, 0.0)
      for stretch in walk.stretches {
        if let seconds = stretch.ferrySeconds {
          ferries += seconds * stretch.share
          continue
        }
        let seconds =
          stretch.share
          * formula.seconds(distance: stretch.distance, up: stretch.up, down: stretch.down)
        let slowdown =
          stretch.tagSet.map { stretch.isReversed ? slowdowns.back[$0] : slowdowns.ahead[$0] } ?? 1
        slowed += seconds * slowdown
        guard profile.timeModel.isForTotals else { continue }
        plain += seconds
        distance += stretch.distance * stretch.share
        up += stretch.up * stretch.share
        down += stretch.down * stretch.share
      }
      // As for routes: the slowdown of edges stays in.
      if profile.timeModel.isForTotals, plain > 0 {
        slowed *= formula.seconds(distance: distance, up: up, down: down) / plain
      }
      return ferries + slowed
    }
  }
}
