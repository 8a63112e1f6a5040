// SPDX-License-Identifier: Apache-2.0
import CairnMapMatching

/// How well a matched track fits what was walked.
package struct MatchingScore: Sendable {
  /// Metres of the true path on the network.
  package var trueMetres = 0.0
  /// Metres of it that were matched to the right edge, in the right direction, as often as walked.
  package var rightMetres = 0.0
  /// Matched metres beyond that: other edges, the other direction, or walked once too often.
  package var wrongMetres = 0.0
  /// Metres of the cut across country, and those of it that lie in gaps.
  package var cutMetres = 0.0
  package var foundMetres = 0.0
  /// Metres on the network that lie in gaps.
  package var falseGapMetres = 0.0
  /// The wrong metres of each edge, and the missing ones.
  package var wrongByEdge: [Int64: Double] = [:]
  package var missingByEdge: [Int64: Double] = [:]

  /// The share of the length that is right; what is wrong counts against it.
  package var rightShare: Double { trueMetres > 0 ? (rightMetres - wrongMetres) / trueMetres : 1 }
  /// The share of the cut that is found.
  package var foundShare: Double { cutMetres > 0 ? foundMetres / cutMetres : 1 }
  /// The share of the network's length that is lost in gaps.
  package var falseGapShare: Double { trueMetres > 0 ? falseGapMetres / trueMetres : 0 }

  package init(_ walk: SimulatedWalk, _ track: MatchedTrack) {
    compareEdges(walk.path.parts, track.stretches.flatMap(\.edges).map { WalkedPath.Part($0) })
    if let cut = walk.path.cut { cutMetres = cut.upperBound - cut.lowerBound }
    for gap in track.gaps {
      let start = gap.lastFixBefore.map { walk.metres[$0] } ?? 0
      let end = gap.firstFixAfter.map { walk.metres[$0] } ?? walk.path.length
      var found = 0.0
      if let cut = walk.path.cut {
        found = max(0, min(end, cut.upperBound) - max(start, cut.lowerBound))
      }
      foundMetres += found
      falseGapMetres += end - start - found
    }
  }

  private mutating func compareEdges(
    _ walked: [WalkedPath.Part], _ matched: [WalkedPath.Part]
  ) {
    /// Where the number of passages changes along an edge in one direction.
    struct Change {
      var at: Double
      var walked = 0
      var matched = 0
    }
    var changes: [Int64: [Change]] = [:]
    func key(_ part: WalkedPath.Part) -> Int64 { part.edge * 2 + (part.isReversed ? 1 : 0) }
    for part in walked {
      changes[key(part), default: []] += [
        .init(at: part.from, walked: 1), .init(at: part.to, walked: -1),
      ]
    }
    for part in matched {
      changes[key(part), default: []] += [
        .init(at: part.from, matched: 1), .init(at: part.to, matched: -1),
      ]
    }
    for (key, list) in changes.sorted(by: { $0.key < $1.key }) {
      var (before, walked, matched) = (0.0, 0, 0)
      for change in list.sorted(by: { $0.at < $1.at }) {
        let span = change.at - before
        trueMetres += Double(walked) * span
        rightMetres += Double(min(walked, matched)) * span
        wrongMetres += Double(max(0, matched - walked)) * span
        if matched > walked { wrongByEdge[key / 2, default: 0] += Double(matched - walked) * span }
        if matched < walked {
          missingByEdge[key / 2, default: 0] += Double(walked - matched) * span
        }
        before = change.at
        walked += change.walked
        matched += change.matched
      }
    }
  }
}
