// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

extension PlannedRoute {
  /// The rest of the route from a position to its end, with the instructions, elevations and via
  /// points ahead; nil if the route has no valid point.
  ///
  /// Instructions begin with the first turn, since the way to the position is unknown here. Time
  /// and climb are distributed as in ``RouteGuidance``.
  ///
  /// - Parameter metres: Metres from the start, as the route counts them.
  package func rest(from metres: Double) -> PlannedRoute? {
    guard let line = RouteLine(self) else { return nil }
    let metres = min(max(metres, 0), line.length)
    let effort = RemainingEffort(self, lengthMetres: line.length)
    let share = line.length > 0 ? (line.length - metres) / line.length : 0
    var rest = self
    rest.coordinates = line.coordinates(from: metres)
    rest.startCoordinate = rest.coordinates[0]
    rest.totalDistance = line.length - metres
    rest.estimatedDuration = effort.seconds(from: metres) ?? estimatedDuration * share
    rest.elevationGain = effort.ascent(from: metres) ?? elevationGain * share
    rest.elevationLoss = elevationLoss * (descentShare(from: metres) ?? share)
    rest.elevationProfile = elevationProfile.map { points in
      points.filter { $0.distance >= metres }.map {
        ElevationPoint(distance: $0.distance - metres, elevation: $0.elevation)
      }
    }
    rest.unknownClimbMetres = unknownClimbMetres.map { min($0, rest.totalDistance) }
    rest.durationRange = nil
    rest.turnInstructions = turnInstructions.filter {
      $0.direction != .start && $0.cumulativeDistance > metres
    }.map { $0.moved(by: -metres) }
    let ahead = zip(viaPoints, viaDistances ?? []).filter { $0.1 > metres }
    rest.viaPoints = viaDistances == nil ? [] : ahead.map(\.0)
    rest.viaDistances = viaDistances == nil ? nil : ahead.map { $0.1 - metres }
    return rest
  }

  /// This route followed by another that begins where it ends, as one route with this one's
  /// identity. The arrival becomes the turn from one to the other, if any.
  package func joined(to next: PlannedRoute, config: TurnInstructionConfig = .init())
    -> PlannedRoute
  {
    var whole = self
    whole.coordinates += next.coordinates.drop { $0 == coordinates.last }
    whole.endCoordinate = next.endCoordinate
    whole.totalDistance += next.totalDistance
    whole.estimatedDuration += next.estimatedDuration
    whole.elevationGain += next.elevationGain
    whole.elevationLoss += next.elevationLoss
    let profiles =
      (elevationProfile ?? [])
      + (next.elevationProfile ?? []).map {
        ElevationPoint(distance: $0.distance + totalDistance, elevation: $0.elevation)
      }
    whole.elevationProfile = profiles.count < 2 ? nil : profiles
    let unknown = [unknownClimbMetres, next.unknownClimbMetres].compactMap { $0 }
    whole.unknownClimbMetres = unknown.isEmpty ? nil : unknown.reduce(0, +)
    whole.durationRange = nil
    whole.viaPoints += next.viaPoints
    whole.viaDistances = (viaDistances ?? []) + (next.viaDistances ?? []).map { $0 + totalDistance }
    if whole.viaDistances?.count != whole.viaPoints.count { whole.viaDistances = nil }
    whole.turnInstructions = instructions(before: next, config)
    return whole
  }

  /// The instructions of this route, the turn at its end, and those of the next route.
  private func instructions(before next: PlannedRoute, _ config: TurnInstructionConfig)
    -> [TurnInstruction]
  {
    var list = InstructionList(config, turnInstructions.filter { $0.direction != .arrive })
    let reach = config.bearingDistanceMetres
    let back = BearingCalculator.bearing(along: coordinates.reversed(), metres: reach)
    if let back, let leaving = BearingCalculator.bearing(along: next.coordinates, metres: reach) {
      let direction = config.direction(ofChange: leaving - back - 180)
      if direction != .straight {
        list.add(direction, at: endCoordinate, distance: totalDistance, bearing: leaving)
      }
    }
    var all = list.instructions
    for instruction in next.turnInstructions where instruction.direction != .start {
      var instruction = instruction.moved(by: totalDistance)
      instruction.distanceFromPrevious =
        instruction.cumulativeDistance - (all.last?.cumulativeDistance ?? 0)
      all.append(instruction)
    }
    return all
  }

  /// The share of the total descent before a position; nil without elevations.
  private func descentShare(from metres: Double) -> Double? {
    var (all, ahead) = (0.0, 0.0)
    let points = elevationProfile ?? []
    for (one, next) in zip(points, points.dropFirst()) where next.elevation < one.elevation {
      all += one.elevation - next.elevation
      if next.distance > metres { ahead += one.elevation - next.elevation }
    }
    return all > 0 && all.isFinite ? ahead / all : nil
  }
}

extension TurnInstruction {
  /// The same instruction at another distance from the start.
  fileprivate func moved(by metres: Double) -> TurnInstruction {
    var moved = self
    moved.cumulativeDistance += metres
    for index in moved.then.indices { moved.then[index].cumulativeDistance += metres }
    return moved
  }
}
