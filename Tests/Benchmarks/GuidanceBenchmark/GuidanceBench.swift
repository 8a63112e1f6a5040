// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnFormatting
import CairnGeodesy
import CairnLocationProviders
import CairnRouting
import FoundationEssentials
import Glibc

/// Seconds that this process has computed: another one may be busy, too.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The routes of a database, walked and followed.
struct GuidanceBench {
  private let store: RoutingStore
  private let engine: RoutingEngine
  private let profile: String?
  private var showsWorst = false
  private(set) var onlyDeviation: Double?
  private var interval = 1.0
  private var wrongTurns = 3
  private var alongWays = false
  private var step = 1
  private var seed: UInt64 = 0
  private var statesAccuracy = true
  private var noise = ReceiverNoise(deviationMetres: 5)
  private var config = RouteGuidanceConfig()

  init(_ path: String) throws {
    store = RoutingStore(path: path)
    try store.open()
    engine = RoutingEngine(store: store)
    profile = try store.profileNames().first
  }

  mutating func set(_ word: String) {
    if word == "--worst" { showsWorst = true }
    let parts = word.split(separator: "=")
    guard parts.count == 2, let value = Double(parts[1]) else { return }
    switch parts[0] {
    case "sigma": onlyDeviation = value
    case "interval": interval = value
    case "turns": wrongTurns = Int(value)
    case "ways": alongWays = value > 0
    case "step": step = max(Int(value), 1)
    case "seed": seed = UInt64(value)
    case "stated": statesAccuracy = value > 0
    case "correlated": noise.correlatedShare = value
    case "tau": noise.correlationSeconds = value
    case "bursts":
      noise.bursts = .init()
      noise.bursts?.everySeconds = value
    case "plateaus":
      noise.bursts = .plateaus
      noise.bursts?.everySeconds = value
    case "leaving": config.leavingDistanceMetres = value
    case "off": config.offRouteThresholdMetres = value
    default: print("unknown parameter \(word)")
    }
  }

  /// The routes between pairs of points.
  func routes(_ path: String) throws -> [PlannedRoute] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      guard degrees.count == 4, let profile else { return nil }
      let start = Coordinate(latitude: degrees[1], longitude: degrees[0])
      let end = Coordinate(latitude: degrees[3], longitude: degrees[2])
      guard let route = try? engine.findRoute(from: start, to: end, profile: profile) else {
        return nil
      }
      return PlannedRoute.from(
        computedRoute: route, name: "", mode: .hiking,
        instructions: try TurnInstructionGenerator.generate(
          from: route, in: store, profile: profile),
        profile: try engine.elevationProfile(of: route))
    }
  }

  /// Walks and follows all routes, and prints the figures.
  func run(_ routes: [PlannedRoute], deviation: Double) throws {
    var total = GuidanceEvaluation()
    for (index, route) in routes.enumerated() where index % step == 0 {
      let seed = SplitMix64.mix(seed &* 1000 &+ UInt64(index) &+ 1)
      guard var simulator = WalkSimulator(route) else { continue }
      simulator.interval = interval
      simulator.noise = noise
      simulator.noise.deviationMetres = deviation
      simulator.noise.statedAccuracy = statesAccuracy ? 1.5 * deviation : nil
      let places = route.turnInstructions.map(\.cumulativeDistance)
      simulator.wrongTurns =
        alongWays
        ? try simulator.wrongTurns(
          count: wrongTurns, alongWaysOf: store, profile: profile, seed: seed)
        : simulator.wrongTurns(count: wrongTurns, turns: places, seed: seed)
      let walk = EvaluatedWalk(simulator.walk(seed: seed), along: route, config: config)
      if showsWorst { show(index, walk) }
      total.add(walk.evaluation)
    }
    show(total, deviation)
  }

  private func show(_ total: GuidanceEvaluation, _ deviation: Double) {
    let wrong = total.wrongTurns(beyond: alongWays ? 0 : 80)
    let delays = wrong.compactMap(\.delaySeconds).sorted()
    let inTime = [60.0, 90].map { limit in delays.count { $0 <= limit } }
    print(
      """
      σ \(Int(deviation)) m: \(decimal(total.seconds / 3600, 0)) h, \(total.falseAlarms) false alarms \
      (\(decimal(total.falseAlarmsPerHour ?? 0, 3))/h), \(total.falseReversals) false reversals, \
      \(total.progressLeaps) leaps
        turns \(total.turns): missed \(total.missedTurns), repeated \(total.repeatedTurns), misplaced \
      \(total.misplacedTurns), announced off the route \(total.announcedOffRoute)
        warnings at \(decimal(total.meanWarningMetres ?? 0, 1)) m, late \(total.lateWarnings) of \
      \(total.warnableTurns); arrivals \(total.arrivals) of \(total.ends)
        wrong turns \(wrong.count): within 60 s \(inTime[0]), within 90 s \(inTime[1]), never \(wrong.count - delays.count), median \
      \(decimal(delays.isEmpty ? 0 : delays[delays.count / 2], 1)) s, longest \
      \(decimal(delays.last ?? 0, 1)) s
      """)
  }

  private func show(_ index: Int, _ walk: EvaluatedWalk) {
    let figures = walk.evaluation
    let late = figures.wrongTurns(beyond: 80).filter { $0.delaySeconds ?? .infinity > 60 }
    guard
      figures.missedTurns + figures.repeatedTurns + figures.misplacedTurns + figures.falseAlarms
        + figures.falseReversals + figures.announcedOffRoute + late.count > 0
        || figures.arrivals < figures.ends
    else { return }
    print(
      "  route \(index): missed \(figures.missedTurns), repeated \(figures.repeatedTurns), misplaced "
        + "\(figures.misplacedTurns), false \(figures.falseAlarms), reversed "
        + "\(figures.falseReversals), off \(figures.announcedOffRoute), arrived "
        + "\(figures.arrivals)/\(figures.ends), late \(late)")
    if let position = walk.guidance.position {
      print(
        "    at the end: \(Int(position.distanceAlongRoute)) of \(Int(walk.guidance.remainingDistance)) "
          + "more, \(Int(position.distanceFromRoute)) m from it")
    }
    for (fix, event) in walk.events {
      let truth = walk.fixes[fix]
      print(
        "    \(fix) \(event.kind): at \(Int(truth.distanceAlongRoute)), said "
          + "\(Int(event.distanceAlongRoute)), off \(Int(truth.distanceFromRoute)), said "
          + "\(Int(event.distanceFromRoute)) \(truth.isOnRoute ? "" : "wrong turn")")
    }
  }

  /// Measures the time of a fix on a route of 50,000 points.
  func time() {
    let start = Coordinate(latitude: 42.5, longitude: 1.5)
    var line: [Coordinate] = []
    for index in 0..<50_000 {
      // Rows of 1000 points, 5 m apart, there and back, 15 m apart.
      let (row, column) = (index / 1000, index % 1000)
      let east = Double(row % 2 == 0 ? column : 999 - column) * 5
      line.append(
        Coordinate(
          latitude: start.latitude + Double(row) * 15 / 111_195,
          longitude: start.longitude + east / 81_980))
    }
    guard
      let route = PlannedRoute(
        line: line.map { PlannedRoute.LinePoint(coordinate: $0) }, name: "", mode: .hiking),
      let simulator = WalkSimulator(route)
    else { return }
    let fixes = simulator.walk(seed: 1).prefix(50_000)
    var guidance = RouteGuidance()
    let before = processorSeconds()
    guidance.start(route: route)
    let begun = processorSeconds()
    var (most, sum) = (0, 0)
    for fix in fixes {
      guidance.updateLocation(fix.fix)
      most = max(most, guidance.examinedSegments)
      sum += guidance.examinedSegments
    }
    let micros = (processorSeconds() - begun) * 1e6 / Double(max(fixes.count, 1))
    print(
      "50,000 points: started in \(decimal((begun - before) * 1000, 1)) ms, \(decimal(micros, 1)) µs "
        + "a fix, \(sum / max(fixes.count, 1)) segments on average, \(most) at most")
  }
}
