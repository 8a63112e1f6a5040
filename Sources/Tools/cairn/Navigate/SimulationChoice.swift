// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnLocationProviders
import CommandLineKit

/// The options for a simulated walk.
struct SimulationChoice {
  static let options: [CommandDefinition.Option] =
    [
      .option(
        "noise", "METRES", help: "standard deviation of the receiver along each axis (default 5)"),
      .option("interval", "SECONDS", help: "time between two fixes (default 1)"),
    ] + walkOptions

  /// The options that a batch has, too.
  static let walkOptions: [CommandDefinition.Option] = [
    .option("speed", "KMH", help: "walking speed (default: as planned)"),
    .option("wrong-turns", "N", help: "number of wrong turns (default 0)"),
    .option(
      "bursts", "SECONDS",
      help: "time between bursts of multipath errors, such as 480 (default none)"),
    .option("gaps", "N", help: "number of three-minute gaps without a fix (default 0)"),
    .option("seed", "N", help: "seed of all random numbers (default 1)"),
  ]

  var settings = SimulationSettings()
  /// The first given option.
  let firstOption: String?

  /// Reads the options. Throws 64 for values out of range.
  init(_ arguments: Arguments) throws(CairnError) {
    self = try SimulationChoice(withoutNoise: arguments)
    settings.noiseMetres = try arguments.number("noise", in: 0...1000) ?? 5
  }

  /// Reads all options except `--noise`, which is a list in a batch.
  init(withoutNoise arguments: Arguments) throws(CairnError) {
    settings.noiseMetres = 0
    settings.intervalSeconds = try arguments.number("interval", in: 0.1...3600) ?? 1
    settings.metresPerSecond = try arguments.number("speed", in: 0.1...100).map { $0 / 3.6 }
    settings.wrongTurns = try arguments.integer("wrong-turns", in: 0...1000) ?? 0
    settings.burstSeconds = try arguments.number("bursts", in: 1...86_400)
    settings.gaps = try arguments.integer("gaps", in: 0...1000) ?? 0
    settings.seed = UInt64(try arguments.integer("seed", in: 0...Int(Int32.max)) ?? 1)
    firstOption = Self.options.map(\.name).first { arguments.has($0) }
  }

  /// The fixes of a walk. Throws 65 if the route has no valid point.
  ///
  /// - Parameters:
  ///   - number: The number of the walk along the same route.
  ///   - store: The database whose ways wrong turns follow; nil for straight lines.
  func walk(along route: PlannedRoute, number: Int = 0, waysOf store: RoutingStore? = nil) throws
    -> [SimulatedFix]
  {
    guard let walk = try settings.walk(along: route, number: number, waysOf: store) else {
      throw CairnError(
        "unusable-route", .dataError, "the route “\(printable(route.name))” has no valid point")
    }
    return walk
  }
}
