// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels

/// The dependence of an edge's time and cost on its climb, from the profile's definition in the
/// database; needed for distributing them along an edge.
package struct ProfileFormula: Equatable, Sendable {
  /// How costs depend on climb.
  package enum Cost: Equatable, Sendable {
    /// Climb and descent are added to the length.
    case equivalentDistance(DescentMultipliers)
    /// Like times.
    case time
    /// Not known.
    case unknown
  }

  /// The model of times; nil if unknown.
  package var timeModel: TimeModel?
  /// The parameters of the model, and of costs.
  package var parameters: TimeModel.Parameters
  /// How costs depend on climb.
  package var cost: Cost
  /// The spread of people's times; nil if unknown. See ``TravelModels/TimeSpread``.
  package var timeSpread: Double?
  /// The factor of all times.
  var timeFactor = 1.0

  /// A lower bound of the times of edges up to 100 % steep, in seconds, without ferries; zero if they
  /// are unknown.
  var timeBound: CostBound {
    guard let timeModel else { return CostBound(metre: 0) }
    let slopes = (1...100).map { Double($0) / 100 }
    func seconds(up: Double, down: Double) -> Double {
      timeFactor * timeModel.seconds(length: 1, up: up, down: down, parameters)
    }
    let metre = slopes.reduce(seconds(up: 0, down: 0)) { min($0, seconds(up: 0, down: $1)) }
    let up = slopes.reduce(.infinity) { min($0, (seconds(up: $1, down: 0) - metre) / $1) }
    return CostBound(metre: metre, metreUp: max(up, 0))
  }

  /// For an unknown profile: everything is distributed by length.
  package static let unknown = ProfileFormula(
    timeModel: nil, parameters: .init(climbFactor: 0, speedKilometresPerHour: 1), cost: .unknown)

  /// Reads the definition of a profile, a complete profile file in JSON. Missing, mistyped or
  /// out-of-range values make the formula ``unknown``.
  package init(definition: String) {
    self = Self.read(definition) ?? .unknown
  }

  /// The formula of times by the rule of a mode, for edges without a duration in the database; see
  /// ``RoutingMode/seconds(distance:gain:)``.
  init(_ mode: RoutingMode) {
    timeModel = .equivalentDistance
    cost = .unknown
    switch mode {
    case .hiking:
      parameters = .init(
        climbFactor: RoutingCostConfig.hikingClimbFactor,
        speedKilometresPerHour: RoutingCostConfig.hikingSpeedKilometresPerHour)
    case .cycling:
      parameters = .init(
        climbFactor: RoutingCostConfig.cyclingClimbFactor,
        speedKilometresPerHour: RoutingCostConfig.cyclingSpeedKilometresPerHour)
    }
  }

  private init(
    timeModel: TimeModel?, parameters: TimeModel.Parameters, cost: Cost, timeSpread: Double? = nil,
    timeFactor: Double = 1
  ) {
    (self.timeModel, self.parameters, self.cost) = (timeModel, parameters, cost)
    (self.timeSpread, self.timeFactor) = (timeSpread, timeFactor)
  }

  /// The values of a definition that matter here; nil where they are missing or null.
  private struct Definition {
    var base: String?
    var costBase: String?
    var timeModel: String?
    var climbFactor: Double?
    var speed: Double?
    var timeSpread: Double?
    var timeFactor: Double?
    var descent: [String: Double] = [:]

    /// Nil if it is not JSON, or if a value has another type.
    init?(_ text: String) {
      var reader = JSONReader(Array(text.utf8))
      guard reader.object({ read($0, &$1) }), reader.isAtEnd() else { return nil }
    }

    private mutating func read(_ key: String, _ reader: inout JSONReader) -> Bool {
      func text(_ value: inout String?) -> Bool {
        value = nil
        if reader.null() { return true }
        value = reader.text()
        return value != nil
      }
      func number(_ value: inout Double?) -> Bool {
        value = nil
        if reader.null() { return true }
        value = reader.number()
        return value != nil
      }
      switch key {
      case "based-on": return text(&base)
      case "cost-base": return text(&costBase)
      case "time-model": return text(&timeModel)
      case "climb-factor": return number(&climbFactor)
      case "speed-kmh": return number(&speed)
      case "time-spread": return number(&timeSpread)
      case "time-factor": return number(&timeFactor)
      case "descent":
        descent = [:]
        if reader.null() { return true }
        return reader.object { key, reader in
          descent[key] = reader.number()
          return descent[key] != nil
        }
      default: return reader.skip()
      }
    }
  }

  /// The longest definition written by Cairn.
  private static let longestDefinition = 1 << 20
  private static let speeds = 0.01...1000.0
  private static let factors = 0...100_000.0

  private static func read(_ text: String) -> ProfileFormula? {
    guard text.utf8.count <= longestDefinition,
      let definition = Definition(text),
      // Definitions are complete; defaults are those of `based-on: none`.
      definition.base == "none",
      let model = TimeModel(rawValue: definition.timeModel ?? "equivalent-distance")
    else { return nil }
    let parameters = TimeModel.Parameters(
      climbFactor: definition.climbFactor ?? 0,
      speedKilometresPerHour: definition.speed
        ?? RoutingCostConfig.hikingSpeedKilometresPerHour)
    guard factors.contains(parameters.climbFactor),
      speeds.contains(parameters.speedKilometresPerHour)
    else { return nil }
    let shares = ["below-10", "from-10", "from-20", "above-30"].map {
      definition.descent[$0] ?? 0
    }
    guard shares.allSatisfy(factors.contains) else { return nil }
    let cost: Cost? =
      switch definition.costBase ?? "equivalent-distance" {
      case "equivalent-distance":
        .equivalentDistance(
          DescentMultipliers(
            below10: shares[0], from10: shares[1], from20: shares[2], above30: shares[3]))
      case "time": .time
      default: nil
      }
    let spread = definition.timeSpread ?? TimeSpread.usual
    let timeFactor = definition.timeFactor ?? 1
    guard factors.contains(timeFactor) else { return nil }
    return cost.map {
      ProfileFormula(
        timeModel: model, parameters: parameters, cost: $0,
        timeSpread: TimeSpread.range.contains(spread) ? spread : nil, timeFactor: timeFactor)
    }
  }
}

extension RoutingStore {
  /// The formula of a profile; ``ProfileFormula/unknown`` if the database does not have its
  /// definition, such as one of another program.
  func formula(ofProfile name: String) throws(RoutingError) -> ProfileFormula {
    let known = try profiles().first { $0.name == name }
    return known.map { ProfileFormula(definition: $0.definition) } ?? .unknown
  }
}
