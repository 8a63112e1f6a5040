// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPhrases
import CairnRouting

/// Instructions in the order of travel. One that closely follows another is merged into it.
struct InstructionList {
  private(set) var instructions: [TurnInstruction] = []
  let config: TurnInstructionConfig

  /// - Parameter instructions: The instructions already made.
  init(_ config: TurnInstructionConfig, _ instructions: [TurnInstruction] = []) {
    self.config = config
    self.instructions = instructions
  }

  /// Adds the start.
  mutating func begin(at coordinate: Coordinate, bearing: Double, _ label: WayLabel?) {
    append(
      .start, at: coordinate, distance: 0, bearing: bearing, name: label?.name,
      InstructionPhrase.start(bearing: bearing, label))
  }

  /// Adds a turn of a line with unknown ways.
  mutating func add(
    _ direction: TurnDirection, at coordinate: Coordinate, distance: Double, bearing: Double
  ) {
    add(
      direction, at: coordinate, distance: distance, bearing: bearing, nil,
      InstructionPhrase.turn(direction, from: nil, to: nil))
  }

  /// Adds an area to cross.
  mutating func add(_ area: AreaCrossing) {
    add(
      area.direction, at: area.entry.coordinate, distance: area.entry.distance,
      bearing: area.bearing, area.exit?.after,
      InstructionPhrase.crossing(area.direction, area.area, to: area.exit?.after))
  }

  /// Adds the instruction at a junction.
  mutating func add(
    _ direction: TurnDirection, at junction: Junction, bearing: Double, _ phrase: InstructionPhrase
  ) {
    add(
      direction, at: junction.coordinate, distance: junction.distance, bearing: bearing,
      junction.after, phrase)
  }

  /// Adds a roundabout.
  mutating func add(_ roundabout: Roundabout) {
    let (before, after) = (roundabout.entry.before, roundabout.exit.after)
    add(
      roundabout.direction, at: roundabout.entry.coordinate, distance: roundabout.entry.distance,
      bearing: roundabout.bearing, after,
      InstructionPhrase.roundabout(
        roundabout.direction, exit: roundabout.exitNumber, from: before, to: after))
  }

  /// Adds a warning of the route.
  mutating func add(_ warning: RouteWarning, at coordinate: Coordinate, bearing: Double) {
    add(
      .straight, at: coordinate, distance: warning.fromMetres, bearing: bearing, nil,
      InstructionPhrase.warning(warning))
  }

  private mutating func add(
    _ direction: TurnDirection, at coordinate: Coordinate, distance: Double, bearing: Double,
    _ label: WayLabel?, _ phrase: InstructionPhrase
  ) {
    // Nobody remembers three actions.
    if let last = instructions.indices.last, instructions[last].then.isEmpty,
      distance - instructions[last].cumulativeDistance < config.minimumInstructionSpacingMetres
    {
      instructions[last].description = Language.english.text(
        .then,
        [
          "first": instructions[last].description, "second": phrase.part(in: .english),
        ])
      instructions[last].then.append(
        FollowingTurn(
          coordinate: coordinate, direction: direction, bearing: Self.rounded(bearing),
          cumulativeDistance: distance, trailName: label?.name,
          description: phrase.text(in: .english), phrase: phrase))
    } else {
      append(
        direction, at: coordinate, distance: distance, bearing: bearing, name: label?.name, phrase)
    }
  }

  /// Adds the arrival.
  ///
  /// - Parameter away: Metres to the destination, if its way is cut off.
  mutating func end(
    at coordinate: Coordinate, distance: Double, bearing: Double, away: Double? = nil
  ) {
    append(
      .arrive, at: coordinate, distance: distance, bearing: bearing, name: nil,
      InstructionPhrase.arrival(away: away))
  }

  private mutating func append(
    _ direction: TurnDirection, at coordinate: Coordinate, distance: Double, bearing: Double,
    name: String?, _ phrase: InstructionPhrase
  ) {
    instructions.append(
      TurnInstruction(
        coordinate: coordinate, direction: direction,
        bearing: Self.rounded(bearing),
        distanceFromPrevious: distance - (instructions.last?.cumulativeDistance ?? 0),
        cumulativeDistance: distance, trailName: name,
        description: phrase.text(in: .english), phrase: phrase))
  }

  /// Rounds away the last digits, in which sines differ between machines.
  private static func rounded(_ bearing: Double) -> Double {
    BearingCalculator.normalized((bearing * 10).rounded() / 10)
  }
}
