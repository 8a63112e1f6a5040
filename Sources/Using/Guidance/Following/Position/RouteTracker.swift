// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// Keeps hypotheses about the walker's position along the route, and chooses between them.
struct RouteTracker: Sendable {
  /// The most hypotheses at a time.
  private static let mostHypotheses = 8
  /// Hypotheses this close along the route count as one.
  private static let sameMetres = 10.0
  /// Passes this close along the route count as one.
  private static let separation = 30.0
  /// The steps by which a new hypothesis must have been judged before it replaces another.
  private static let fewestSteps = 2
  /// The margin by which its score must be lower.
  private static let margin = 2.0
  /// The same for hypotheses at most this far apart along the route.
  static let bendMetres = 150.0
  private static let marginInBend = 0.5

  let line: RouteLine
  let pace: Pace
  private(set) var hypotheses: [RouteHypothesis] = []
  /// The index of the chosen hypothesis.
  private var chosen = 0
  /// Whether another may be chosen without a margin: at the beginning, and when back on the route.
  private var isOpen = true
  private var walk = WalkedSteps()
  /// The number of segments examined, for tests.
  private(set) var examined = 0

  init(_ line: RouteLine, _ pace: Pace) {
    self.line = line
    self.pace = pace
  }

  /// The chosen hypothesis; nil before the first fix.
  var current: RouteHypothesis? { hypotheses.isEmpty ? nil : hypotheses[chosen] }

  /// Metres from the last fix to the nearest known pass of the route. In a burst of multipath, the
  /// smaller of the distances of the stated and the corrected position.
  private(set) var distance = Double.infinity
  /// The metres by which correcting a burst moved the last fix away from the route.
  private(set) var correction = 0.0

  /// Whether another hypothesis is about as likely.
  var isAmbiguous: Bool {
    guard isOpen, let current, current.position.metres > Self.separation else { return false }
    return hypotheses.indices.contains {
      $0 != chosen && hypotheses[$0].score < current.score + Self.margin
        && hypotheses[$0].position.distance < 2 * current.position.distance + Self.separation
    }
  }

  /// Updates the hypotheses with a fix. Returns whether the choice changed, so that the position
  /// along the route leapt.
  ///
  /// - Parameter radius: The distance from the fix, in metres, within which passes yield
  ///   hypotheses.
  mutating func update(_ fix: FixGate.Usable, radius: Double) -> Bool {
    examined = 0
    let projection = LineProjection(fix.coordinate)
    if let seconds = fix.seconds {
      for index in hypotheses.indices {
        hypotheses[index].follow(
          projection, seconds: seconds, accuracy: fix.accuracy, pace, line, examined: &examined)
        if !fix.isCorrected {
          hypotheses[index].passBend(projection, fix.accuracy, line, &examined)
        }
        if fix.isLeap { hypotheses[index].beginStep() }
      }
    }
    addPasses(fix, radius)
    if hypotheses.isEmpty, let position = line.closest(to: fix.coordinate) {
      hypotheses = [RouteHypothesis(position, accuracy: fix.accuracy)]
      chosen = 0
    }
    let step = walk.add(fix)
    if let step { for index in hypotheses.indices { hypotheses[index].judge(walked: step) } }
    let believed = current?.position.metres
    let leapt =
      fix.isLeap ? rejoin(leftAt: believed ?? 0, within: radius) : choose(isStep: step != nil)
    prune(radius)
    distance = hypotheses.map(\.position.distance).min() ?? .infinity
    correction = 0
    if fix.isCorrected {
      let passes = line.passes(
        near: fix.stated, radius: radius, separation: Self.separation, most: 1,
        examined: &examined)
      let stated = passes.first?.distance ?? .infinity
      correction = distance - stated
      distance = min(distance, stated)
    }
    return leapt
  }

  private mutating func addPasses(_ fix: FixGate.Usable, _ radius: Double) {
    let passes = line.passes(
      near: fix.coordinate, radius: radius, separation: Self.separation,
      most: Self.mostHypotheses, examined: &examined)
    let apart = max(Self.separation, fix.accuracy)
    let isFirst = hypotheses.isEmpty
    for pass in passes {
      let same = hypotheses.firstIndex { abs($0.position.metres - pass.metres) < apart }
      if let same, !isFirst {
        hypotheses[same].slip(to: pass, accuracy: fix.accuracy)
      } else {
        hypotheses.append(RouteHypothesis(pass, accuracy: fix.accuracy))
      }
    }
    guard isFirst, !hypotheses.isEmpty else { return }
    // At the shared start and end of a round trip, the walker is at the start.
    chosen = hypotheses.indices.min { first(hypotheses[$0]) < first(hypotheses[$1]) } ?? 0
  }

  private func first(_ hypothesis: RouteHypothesis) -> (Double, Double) {
    let isStart = hypothesis.position.metres <= Self.separation
    return (hypothesis.score + (isStart ? 0 : 1), hypothesis.position.metres)
  }

  /// The penalty for moving to a hypothesis from the chosen one: going back is less likely than
  /// going on, and going far less likely than staying near.
  private func reluctance(_ hypothesis: RouteHypothesis, after metres: Double) -> Double {
    let skipped = hypothesis.position.metres - metres
    let far = min(abs(skipped) / 2000, 1)
    return abs(skipped) <= Self.separation ? 0 : (skipped < 0 ? 1 : 0.5) + far
  }

  private mutating func choose(isStep: Bool) -> Bool {
    guard isStep, let current else { return false }
    var best = chosen
    var least = current.score
    for (index, other) in hypotheses.enumerated() where index != chosen {
      let skipped = other.position.metres - current.position.metres
      // Around a narrow bend, both sides are equally near, and either may soon turn out wrong.
      let isNear = abs(skipped) <= Self.bendMetres
      guard other.steps >= (isNear ? 1 : Self.fewestSteps) else { continue }
      let margin = isOpen ? 0 : isNear ? Self.marginInBend : Self.margin
      let cost = other.score + reluctance(other, after: current.position.metres) + margin
      if cost < least { (best, least) = (index, cost) }
    }
    guard best != chosen else {
      if current.steps >= Self.fewestSteps, current.disagreement < 0.5 { isOpen = false }
      return false
    }
    hypotheses[best].inherit(from: current)
    chosen = best
    return true
  }

  private mutating func prune(_ radius: Double) {
    guard hypotheses.count > 1, let current else { return }
    var kept = [current]
    let others = hypotheses.indices.filter { $0 != chosen }.map { hypotheses[$0] }
      .sorted { ($0.score, $0.position.metres) < ($1.score, $1.position.metres) }
    for other in others
    where kept.count < Self.mostHypotheses && other.position.distance <= 1.5 * radius
      && kept.allSatisfy({ abs($0.position.metres - other.position.metres) >= Self.sameMetres })
    {
      kept.append(other)
    }
    hypotheses = kept
    chosen = 0
  }

  /// Rejoins the route after it was left at `metres`; any hypothesis near the walker may be right.
  /// Returns whether the position leapt.
  mutating func rejoin(leftAt metres: Double, within radius: Double) -> Bool {
    guard let current else { return false }
    for index in hypotheses.indices { hypotheses[index].forgetMovement() }
    isOpen = true
    let near = hypotheses.indices.filter { hypotheses[$0].position.distance <= radius }
    guard
      let best = near.min(by: {
        let (one, other) = (hypotheses[$0], hypotheses[$1])
        return one.farness + reluctance(one, after: metres)
          < other.farness + reluctance(other, after: metres)
      })
    else { return false }
    guard best != chosen else { return false }
    hypotheses[best].inherit(from: current)
    chosen = best
    return true
  }

  /// The walker is too far from the route to tell whether they go back along it.
  mutating func forgetHighest() {
    if !hypotheses.isEmpty { hypotheses[chosen].forgetHighest() }
  }

  /// The walker has probably turned round.
  mutating func turnRound() {
    if !hypotheses.isEmpty { hypotheses[chosen].turnRound() }
  }
}
