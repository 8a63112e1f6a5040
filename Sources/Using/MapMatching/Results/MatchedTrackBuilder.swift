// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes stretches, gaps and positions of fixes of the states of a chain.
struct MatchedTrackBuilder {
  /// The chain stays on the network until fixes are clearly away from it. The stretch ends at the
  /// last fix this near, in σ, and begins at the first one …
  private static let nearDeviations = 0.75
  /// … if there is one among this many observations at its end.
  private static let trimmedObservations = 4

  private let network: MatchingNetwork
  private let finder: HopFinder
  private let scales: HopScales
  private let fixes: [MatchingFix]
  private let observations: [Observation]
  private let states: [ChainState]

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
  }

  func build() -> MatchedTrack {
    var track = MatchedTrack(
      stretches: [], gaps: [], fixes: Array(repeating: nil, count: fixes.count), ignoredFixes: 0,
      accuracyMetres: 0)
    var index = 0
    var lastObservation = 0
    while index < states.count {
      guard let position = states[index].position else {
        index += 1
        continue
      }
      let (path, end) = path(from: index, at: position)
      var builder = StretchBuilder(network, path, observations, fixes)
      trim(&builder, index...end)
      for fix in builder.fixes { track.fixes[fix.index] = fix.matched }
      let stretch = builder.stretch()
      addGap(after: track.stretches.last, before: stretch, lastObservation...index, &track)
      track.stretches.append(stretch)
      lastObservation = end
      index = end + 1
    }
    if let last = observations.indices.last {
      addGap(after: track.stretches.last, before: nil, lastObservation...last, &track)
    }
    return track
  }

  /// The path from the position of an observation on, and the last observation on it.
  private func path(from first: Int, at position: DirectedPosition) -> (PathBuilder, last: Int) {
    var path = PathBuilder(network, at: position, observation: first)
    var last = first
    while last + 1 < states.count, states[last + 1].link == .hop, let from = states[last].position,
      let to = states[last + 1].position
    {
      let scale = scales.scale(to: last + 1)
      let ends = finder.ends(of: from, scale, limit: scales.greatestHopCost)
      path.append(finder.hop(ends, to: to, scale), ends, to: to, observation: last + 1)
      last += 1
    }
    return (path, last)
  }

  private func trim(_ builder: inout StretchBuilder, _ range: ClosedRange<Int>) {
    func isNear(_ fix: StretchBuilder.PlacedFix, _ observation: Int) -> Bool {
      fix.matched.distanceMetres <= Self.nearDeviations * observations[observation].deviation
    }
    var first = observations[range.lowerBound].first
    var last = observations[range.upperBound].last
    let isWithin = range.count > Self.trimmedObservations
    if range.lowerBound > 0 {
      let end = observations[min(range.lowerBound + Self.trimmedObservations, range.upperBound)]
      if let near = builder.fixes.first(where: { isNear($0, range.lowerBound) }),
        near.index <= end.last
      {
        first = near.index
      }
    }
    if range.upperBound + 1 < observations.count {
      let end = observations[max(range.upperBound - Self.trimmedObservations, range.lowerBound)]
      if let near = builder.fixes.last(where: { isNear($0, range.upperBound) }),
        near.index >= end.first
      {
        last = near.index
      }
    }
    if first <= last, isWithin || first < last { builder.trim(to: first...last, fixes) }
  }

  /// Adds the gap between two stretches.
  ///
  /// - Parameter range: The last observation of the first stretch and the first one of the next,
  ///   before trimming.
  private func addGap(
    after last: MatchedStretch?, before next: MatchedStretch?, _ range: ClosedRange<Int>,
    _ track: inout MatchedTrack
  ) {
    guard let start = observations.first?.first, let end = observations.last?.last else { return }
    let before = last?.fixes.upperBound
    let after = next?.fixes.lowerBound
    guard (before ?? start - 1) < (after ?? end + 1), before != nil || after != start,
      after != nil || before != end
    else { return }
    let around =
      max(
        0, range.lowerBound - Self.trimmedObservations)...min(
        observations.count - 1, range.upperBound + Self.trimmedObservations)
    let between = observations[around].filter {
      $0.first > before ?? start - 1 && $0.last < after ?? end + 1
    }
    var line = between.map(\.coordinate)
    if let point = last?.line.last { line.insert(point.coordinate, at: 0) }
    if let point = next?.line.first { line.append(point.coordinate) }
    track.gaps.append(
      TrackGap(
        kind: between.isEmpty ? .unrecorded : .offNetwork, lastFixBefore: before,
        firstFixAfter: after, line: line, start: fixes[before ?? start].time,
        end: fixes[after ?? end].time,
        lengthMetres: zip(line, line.dropFirst()).reduce(0) { $0 + segmentMetres($1.0, $1.1) }))
  }
}
