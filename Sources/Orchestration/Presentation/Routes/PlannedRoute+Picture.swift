// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGuidance
import Charts

extension PlannedRoute {
  /// The route as a picture.
  package var picture: RoutePicture {
    var points = profileWithGaps.map { ($0.distanceMetres, $0.elevationMetres) }
    // The chart is as long as the route, even if its ends have no elevation.
    if let first = points.first, first.0 > 0 { points.insert((0, nil), at: 0) }
    if let last = points.last, last.0 < totalDistance { points.append((totalDistance, nil)) }
    let chart = ElevationChart(
      points: points.map { (distanceMetres: $0.0, elevationMetres: $0.1) }, title: name,
      totals: .init(
        distanceMetres: totalDistance, ascentMetres: knownGain, descentMetres: knownLoss,
        seconds: estimatedDuration),
      viaMetres: viaDistances ?? [])
    let steps = turnInstructions.map { instruction in
      let kind: RoutePicture.Step.Kind =
        switch instruction.direction {
        case .start: .start
        case .arrive: .end
        default: .turn
        }
      return RoutePicture.Step(
        kind: kind, coordinate: instruction.coordinate,
        position: kilometres(instruction.cumulativeDistance), text: instruction.description)
    }
    return RoutePicture(line: coordinates, via: viaPoints, steps: steps, chart: chart)
  }
}
