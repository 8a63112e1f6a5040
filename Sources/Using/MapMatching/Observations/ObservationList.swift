// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Turns the fixes of a track into observations. Fixes close to each other become one (as in Newson
/// and Krumm, who drop fixes within 2 σ of the previous one, but with the mean of all), and so do
/// all fixes of a rest.
struct ObservationList {
  private(set) var observations: [Observation] = []
  /// The indices of the fixes that were left out.
  private(set) var ignored: [Int] = []

  /// The duration of a rest, at least, in seconds.
  private static let restSeconds = 120.0
  /// The mean speed across the circle of a rest is less than this, in metres a second.
  private static let restSpeed = 0.3
  /// The radius of that circle in σ.
  private static let restRadius = 4.0
  /// This many observations within the circle are a rest, whatever their times.
  private static let mostWithinRest = 64
  /// A fix this far from both of its neighbours, in σ, which are close to each other, is wrong.
  private static let spikeRadius = 12.0

  private let fixes: [MatchingFix]
  private let parameters: MatchingParameters
  private let deviation: Double

  /// - Parameter deviation: σ of fixes that do not state theirs.
  init(_ fixes: [MatchingFix], _ parameters: MatchingParameters, deviation: Double) {
    self.fixes = fixes
    self.parameters = parameters
    self.deviation = deviation
    let valid = Self.validIndices(fixes)
    let kept = withoutBursts(withoutSpikes(valid))
    var next = 0
    for index in fixes.indices {
      if next < kept.count, kept[next] == index { next += 1 } else { ignored.append(index) }
    }
    observations = joiningRests(grouped(kept))
  }

  static func validIndices(_ fixes: [MatchingFix]) -> [Int] {
    fixes.indices.filter { fixes[$0].coordinate.isValid }
  }

  private func deviation(_ index: Int) -> Double {
    let bounds = MatchingParameters.deviationBounds
    guard let own = fixes[index].deviationMetres else { return deviation }
    return min(max(own, bounds.lowerBound), bounds.upperBound)
  }

  private func withoutSpikes(_ valid: [Int]) -> [Int] {
    var kept: [Int] = []
    kept.reserveCapacity(valid.count)
    for (position, index) in valid.enumerated() {
      if let before = kept.last, position + 1 < valid.count {
        let (one, here) = (fixes[before].coordinate, fixes[index].coordinate)
        let radius = Self.spikeRadius * deviation(index)
        if segmentMetres(one, here) > radius {
          let after = fixes[valid[position + 1]].coordinate
          if segmentMetres(here, after) > radius, segmentMetres(one, after) < radius / 2 {
            continue
          }
        }
      }
      kept.append(index)
    }
    return kept
  }

  private func withoutBursts(_ valid: [Int]) -> [Int] {
    var kept: [Int] = []
    kept.reserveCapacity(valid.count)
    var next = 0
    for burst in BurstSearch(valid.map { fixes[$0] }, leastMedians: parameters.jump).bursts() {
      kept += valid[next..<burst.lowerBound]
      next = burst.upperBound
    }
    return kept + valid[next...]
  }

  private func observation(_ index: Int) -> Observation {
    let seconds = fixes[index].seconds
    return Observation(
      coordinate: fixes[index].coordinate, first: index, last: index, count: 1, start: seconds,
      end: seconds, deviation: deviation(index))
  }

  /// The first and the last fix stay separate, so that the track keeps its ends.
  private func grouped(_ kept: [Int]) -> [Observation] {
    guard let first = kept.first, let last = kept.last else { return [] }
    var list = [observation(first)]
    guard kept.count > 1 else { return list }
    var origin: Coordinate?
    for index in kept.dropFirst().dropLast() {
      let next = observation(index)
      if let origin, segmentMetres(origin, next.coordinate) < parameters.spacing * next.deviation {
        list[list.count - 1].merge(next)
      } else {
        origin = next.coordinate
        list.append(next)
      }
    }
    list.append(observation(last))
    return list
  }

  private func joiningRests(_ list: [Observation]) -> [Observation] {
    var joined: [Observation] = []
    joined.reserveCapacity(list.count)
    var index = 0
    while index < list.count {
      let end = endOfRest(list, index)
      guard end > index else {
        joined.append(list[index])
        index += 1
        continue
      }
      var rest = list[index]
      for other in list[index + 1...end] { rest.merge(other) }
      rest.isRest = true
      joined.append(rest)
      index = end + 1
    }
    return joined
  }

  /// The last observation of a rest that begins with the given one; the given one if there is no
  /// rest.
  private func endOfRest(_ list: [Observation], _ first: Int) -> Int {
    let radius = Self.restRadius * list[first].deviation
    let needed = max(Self.restSeconds, 2 * radius / Self.restSpeed)
    var last = first
    while last + 1 < list.count, last - first < Self.mostWithinRest,
      segmentMetres(list[first].coordinate, list[last + 1].coordinate) <= radius
    {
      last += 1
    }
    if last - first >= Self.mostWithinRest { return last }
    // A walker who leaves the circle at once may have rested with few fixes; that is a gap in time.
    let seconds = list[last].end - list[first].start
    return last > first && seconds >= needed ? last : first
  }
}
