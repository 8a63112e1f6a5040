// SPDX-License-Identifier: Apache-2.0
import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes stretches, gaps and positions of fixes of the states of a chain.
struct MatchedTrackBuilder {
  private let network: MatchingNetwork
  private let finder: HopFinder
  private let scales: HopScales
  private let fixes: [MatchingFix]
  private let observations: [Observation]
  private let states: [ChainState]
  private var track: MatchedTrack

  init(
    _ network: MatchingNetwork, _ finder: HopFinder, _ scales: HopScales, _ fixes: [MatchingFix],
    _ observations: [Observation], _ states: [ChainState]
  ) {
    self.network = network
    self.finder = finder
    self.scales = scales
    self.fixes = fixes
    self.observations = observations
    self.states = states
    track = MatchedTrack(
      stretches: [], gaps: [], fixes: Array(repeating: nil, count: fixes.count), ignoredFixes: 0,
      deviationMetres: 0)
  }

  mutating func build() -> MatchedTrack {
    var last: Int?
    var index = 0
    while index < states.count {
      guard let position = states[index].position else {
        index += 1
        continue
      }
      if last != nil || index > 0 { addGap(after: last, before: index) }
      var path = PathBuilder(network, at: position, observation: index)
      var end = index
      while end + 1 < states.count, states[end + 1].link == .hop, let from = states[end].position,
        let to = states[end + 1].position
      {
        let scale = scales.scale(to: end + 1)
        let ends = finder.ends(of: from, scale, limit: scales.greatestHopCost)
        path.append(
          finder.hop(ends, to: to, scale), ends, to: to, observation: end + 1)
        end += 1
      }
      add(StretchBuilder(network, path, observations))
      last = end
      index = end + 1
    }
    if last == nil || states.last?.position == nil { addGap(after: last, before: nil) }
    return track
  }

  private mutating func add(_ stretch: StretchBuilder) {
    track.stretches.append(stretch.stretch)
    stretch.placeFixes(fixes, &track.fixes)
  }

  private mutating func addGap(after last: Int?, before next: Int?) {
    var line: [Coordinate] = []
    if let last, let position = states[last].position {
      line.append(network.lines.point(position.edge, at: position.along))
    }
    let first = last.map { $0 + 1 } ?? 0
    line += observations[first..<(next ?? observations.count)].map(\.coordinate)
    if let next, let position = states[next].position {
      line.append(network.lines.point(position.edge, at: position.along))
    }
    let before = last.map { observations[$0].last }
    let after = next.map { observations[$0].first }
    let hasFixes = first < next ?? observations.count
    track.gaps.append(
      TrackGap(
        kind: hasFixes ? .offNetwork : .unrecorded, lastFixBefore: before, firstFixAfter: after,
        line: line, start: fixes[before ?? observations[0].first].time,
        end: fixes[after ?? observations[observations.count - 1].last].time,
        lengthMetres: zip(line, line.dropFirst()).reduce(0) { $0 + segmentMetres($1.0, $1.1) }))
  }
}
