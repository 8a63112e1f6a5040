// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnLocationProviders
import CairnMapMatching
import CairnRouting
import FoundationEssentials
import Glibc
import TestSupport

/// Seconds that this process has computed: another one may be busy, too.
private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The routes of a database, walked and matched.
struct MatchingBench {
  private let graph: ProfileGraph
  private let engine: RoutingEngine
  private var matcher: MapMatcher
  private var showsWorst = false
  private(set) var onlyDeviation: Double?
  private(set) var onlyInterval: Double?
  private var usesStatedAccuracy = false
  private var bursts: ReceiverNoise.Bursts?
  private var step = 1

  init(_ path: String) throws {
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    graph = try ProfileGraph(
      RoadNetwork(reading: store), profile: try store.profileNames().first, reading: store)
    engine = RoutingEngine(graphs: [graph])
    matcher = MapMatcher(graph)
  }

  mutating func set(_ word: String) {
    if word == "--worst" { showsWorst = true }
    if word == "--stated" { usesStatedAccuracy = true }
    let parts = word.split(separator: "=")
    guard parts.count == 2, let value = Double(parts[1]) else { return }
    switch parts[0] {
    case "sigma": onlyDeviation = value
    case "interval": onlyInterval = value
    case "bursts":
      bursts = .init()
      bursts?.everySeconds = value
    case "step": step = max(Int(value), 1)
    case "spacing": matcher.parameters.spacing = value
    case "jump": matcher.parameters.jump = value
    case "reach": matcher.parameters.reach = value
    case "most": matcher.parameters.mostCandidates = Int(value)
    case "weight": matcher.parameters.emissionWeight = value
    case "perdev": matcher.parameters.detourPerDeviation = value
    case "permetre": matcher.parameters.detourPerMetre = value
    case "off": matcher.parameters.offCost = value
    case "gap": matcher.parameters.gapCost = value
    case "turn": matcher.parameters.turnCost = value
    case "closed": matcher.parameters.closedCost = value
    case "backward": matcher.parameters.backward = value
    default: print("unknown parameter \(word)")
    }
  }

  /// The routes between pairs of points.
  func routes(_ path: String) throws -> [WalkedPath] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let degrees = line.split(separator: " ").compactMap { Double($0) }
      guard degrees.count == 4 else { return nil }
      let start = Coordinate(latitude: degrees[1], longitude: degrees[0])
      let end = Coordinate(latitude: degrees[3], longitude: degrees[2])
      guard let profile = graph.profile,
        let route = try? engine.findRoute(from: start, to: end, profile: profile),
        route.totalDistance > 200
      else { return nil }
      return WalkedPath(route)
    }
  }

  /// The routes with a cut across country, where one is found.
  func cuts(_ routes: [WalkedPath]) -> [WalkedPath] {
    let cuts = CountryCuts(graph)
    return routes.enumerated().compactMap { cuts.cut($1, seed: UInt64($0)) }
  }

  /// Walks and matches all routes, without and with a cut, and prints a line for each.
  func run(_ routes: [WalkedPath], deviation: Double, interval: Double) {
    for (name, paths) in [("routes", routes), ("cuts", cuts(routes))] {
      var scores: [(index: Int, score: MatchingScore)] = []
      var seconds = 0.0
      var fixes = 0
      var estimates: [Double] = []
      var wrongByDistance = [Double](repeating: 0, count: Self.distances.count + 1)
      for (index, path) in paths.enumerated() where index % step == 0 {
        let walk = SimulatedWalk(
          path, deviation: deviation, interval: interval, bursts: bursts, seed: UInt64(index))
        let start = processorSeconds()
        let accuracy =
          usesStatedAccuracy ? MatchingParameters.accuracyInDeviations * deviation : nil
        guard let track = try? matcher.match(walk.fixes, accuracyMetres: accuracy) else { continue }
        seconds += processorSeconds() - start
        fixes += walk.fixes.count
        estimates.append(track.accuracyMetres / MatchingParameters.accuracyInDeviations)
        let score = MatchingScore(walk, track)
        scores.append((index, score))
        for (edge, metres) in score.wrongByEdge {
          let distance = distance(ofEdge: edge, from: path)
          wrongByDistance[Self.distances.firstIndex { distance < $0 } ?? Self.distances.count] +=
            metres
        }
      }
      print(line(name, deviation, interval, scores.map(\.score), fixes, seconds, estimates))
      let wrong = max(wrongByDistance.reduce(0, +), 1)
      print(
        "       what is wrong lies within "
          + zip(Self.distances, wrongByDistance).map { "\(Int($0)) m: \(share($1 / wrong))" }
          .joined(separator: ", "))
      if showsWorst { printWorst(scores, paths) }
    }
  }

  private static let distances = [10.0, 20, 30]

  /// How far the middle of an edge lies from a path.
  private func distance(ofEdge id: Int64, from path: WalkedPath) -> Double {
    var line: [Coordinate] = []
    guard let index = graph.network.index(ofEdge: id) else { return .infinity }
    graph.network.appendLine(of: index, to: &line)
    let middle =
      line.count > 2 ? line[line.count / 2] : interpolated(line[0], line[line.count - 1], 0.5)
    return LineProjection(middle).nearest(on: path.line)?.distanceMetres ?? .infinity
  }

  private func line(
    _ name: String, _ deviation: Double, _ interval: Double, _ scores: [MatchingScore],
    _ fixes: Int, _ seconds: Double, _ estimates: [Double]
  ) -> String {
    let right = quantiles(scores.map(\.rightShare))
    let total = scores.reduce(0) { $0 + $1.trueMetres }
    let plain = quantiles(scores.map { $0.rightMetres / max($0.trueMetres, 1) })
    let all = scores.reduce(0) { $0 + $1.rightMetres } / total
    let wrong = scores.reduce(0) { $0 + $1.wrongMetres } / total
    let lost = scores.reduce(0) { $0 + $1.falseGapMetres } / total
    let cut = scores.reduce(0) { $0 + $1.cutMetres }
    let found = scores.reduce(0) { $0 + $1.foundMetres } / max(cut, 1)
    let half = Double(scores.count { $0.foundShare >= 0.5 }) / Double(scores.count)
    var text =
      "\(name) σ \(Int(deviation)) m, "
      + "every \(Int(interval)) s: right \(plain), less wrong \(right); of all: right "
      + "\(share(all)), wrong \(share(wrong)), "
      + "in gaps \(share(lost))"
    if cut > 0 { text += ", cuts: by length \(share(found)), found \(share(half))" }
    return text + ", \(Int(Double(fixes) / seconds)) fixes/s, σ̂ \(quantiles(estimates, 1))"
  }

  private func quantiles(_ values: [Double], _ factor: Double = 100) -> String {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return "–" }
    func at(_ share: Double) -> String {
      decimal(factor * sorted[Int(share * Double(sorted.count - 1))], 2)
    }
    return "\(at(0.5)) (\(at(0.05))…\(at(0.95)))"
  }

  private func share(_ value: Double) -> String { "\(decimal(100 * value, 2)) %" }

  private func printWorst(_ scores: [(index: Int, score: MatchingScore)], _ paths: [WalkedPath]) {
    let worst = scores.sorted { $0.score.rightShare < $1.score.rightShare }.prefix(12)
    for (index, score) in worst {
      print(
        "  \(index): \(share(score.rightShare)) of \(Int(score.trueMetres)) m, wrong "
          + "\(Int(score.wrongMetres)), in gaps \(Int(score.falseGapMetres)), found "
          + "\(Int(score.foundMetres)) of \(Int(score.cutMetres))")
      func list(_ edges: [Int64: Double]) -> String {
        edges.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map { edge, metres in
          let index = graph.network.index(ofEdge: edge) ?? 0
          let texts = graph.network.texts(ofEdge: index)
          return
            "\(edge) \(texts.highway ?? "?") \(Int(metres))/\(Int(graph.network.edges[index].distance))"
        }.joined(separator: ", ")
      }
      print("      wrong: \(list(score.wrongByEdge))")
      print("      missing: \(list(score.missingByEdge))")
    }
  }
}
