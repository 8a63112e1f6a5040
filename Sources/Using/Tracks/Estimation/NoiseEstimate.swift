// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// How a receiver errs along each axis: with white noise, and with an error that lasts.
struct PositionNoise {
  /// The standard deviation of the white noise in metres.
  var whiteMetres: Double
  /// The speed at which the lasting error wanders: the root of its variance over its duration, in
  /// m/√s. A track determines this best.
  var driftRate: Double
  /// How long that error lasts, in seconds.
  var driftSeconds: Double
}

/// A maximum-likelihood estimate of the receiver's error on a track and the walker's speed.
struct NoiseEstimate {
  /// How the receiver erred.
  let noise: PositionNoise
  /// The root of the mean square of the speed, in metres a second.
  let speed: Double

  /// The model of both.
  var model: MovementModel { MovementModel(noise, speed: speed) }

  /// Fixes in a row that the likelihood is computed of.
  private typealias Run = Range<Int>
  /// The number of fixes, over all runs, that is sufficient for an estimate.
  private static let mostFixes = 2400
  private static let runs = 6
  private static let fewestFixes = 10
  /// Below this noise, in metres, there is nothing to smooth.
  private static let leastNoise = 0.02
  private static let leastDriftRate = 0.003
  private static let speeds = 0.02...300

  /// Estimates the noise of fixes; nil if the track proves none.
  ///
  /// Noise must explain the fixes better than any winding path without noise: by e²⁰, and by e^0.01
  /// for each fix. Exact tracks never come near that; noise of one metre at a fix a second exceeds
  /// it a hundredfold. Fixes more than half a bend apart prove nothing: hairpins of which only the
  /// corners are there look like noise.
  init?(_ fixes: PlaneFixes) {
    guard fixes.count >= Self.fewestFixes else { return nil }
    let runs = Self.sample(fixes.count)
    let count = runs.reduce(0) { $0 + $1.count }
    guard let guess = Guess(fixes, runs),
      guess.speed * fixes.interval <= MovementModel.standardBendMetres / 2
    else { return nil }
    let isRest = [Bool](repeating: false, count: fixes.count)
    let exact = Self.search(
      from: [guess.speed, MovementModel.standardBends, MovementModel.standardBendMetres],
      in: [Self.speeds, 0.05...0.95, 10...300], fixes, isRest
    ) {
      MovementModel(
        PositionNoise(
          whiteMetres: Self.leastNoise, driftRate: Self.leastDriftRate, driftSeconds: 20),
        speed: $0[0], bends: $0[1], bendMetres: $0[2])
    }
    let noisy = Self.search(
      from: NoiseEstimate(
        noise: PositionNoise(
          whiteMetres: guess.noise / 3, driftRate: guess.noise / 3, driftSeconds: 15),
        speed: guess.speed), fixes, isRest)
    guard exact.value - noisy.value > 20 + 0.01 * Double(count) else { return nil }
    self.init(noisy.point)
  }

  /// The apparent jitter of fixes that prove no noise, bends and all.
  static func apparent(_ fixes: PlaneFixes) -> NoiseEstimate {
    let guess = Guess(fixes, sample(fixes.count))
    return NoiseEstimate(
      noise: PositionNoise(
        whiteMetres: guess?.noise ?? leastNoise, driftRate: 0, driftSeconds: 1),
      speed: guess?.speed ?? 1)
  }

  /// A refined estimate if rests are known: for each fix, whether the walker rested since the
  /// previous one.
  func refined(_ fixes: PlaneFixes, isRest: [Bool]) -> NoiseEstimate {
    NoiseEstimate(Self.search(from: self, fixes, isRest).point)
  }

  private init(noise: PositionNoise, speed: Double) { (self.noise, self.speed) = (noise, speed) }

  private init(_ point: [Double]) {
    self.init(
      noise: PositionNoise(whiteMetres: point[0], driftRate: point[1], driftSeconds: point[2]),
      speed: point[3])
  }

  private static func search(
    from start: NoiseEstimate, _ fixes: PlaneFixes, _ isRest: [Bool]
  ) -> NelderMead.Minimum {
    let noise = start.noise
    return search(
      from: [noise.whiteMetres, noise.driftRate, noise.driftSeconds, start.speed],
      in: [leastNoise...100, leastDriftRate...50, 3...150, speeds], fixes, isRest
    ) { NoiseEstimate($0).model }
  }

  /// All fixes, or some runs that are spread evenly.
  private static func sample(_ count: Int) -> [Run] {
    guard count > mostFixes else { return [0..<count] }
    let size = mostFixes / runs
    return (0..<runs).map { run in
      let start = (count - size) * run / (runs - 1)
      return start..<start + size
    }
  }

  /// Finds the most likely model; numbers are searched for by their logarithms.
  private static func search(
    from start: [Double], in ranges: [ClosedRange<Double>], _ fixes: PlaneFixes,
    _ isRest: [Bool], _ model: ([Double]) -> MovementModel
  ) -> NelderMead.Minimum {
    let runs = sample(fixes.count)
    var search = NelderMead()
    search.restarts = 0
    search.evaluationsPerNumber = 25
    search.tolerance = 1e-5
    func clamped(_ logarithms: [Double]) -> (point: [Double], penalty: Double) {
      var penalty = 0.0
      let point = zip(logarithms, ranges).map { logarithm, range in
        let inside = min(max(logarithm, log(range.lowerBound)), log(range.upperBound))
        penalty += 50 * (logarithm - inside) * (logarithm - inside)
        return exp(inside)
      }
      return (point, penalty)
    }
    var found = search.minimum(
      from: zip(start, ranges).map { log(min(max($0, $1.lowerBound), $1.upperBound)) },
      steps: start.map { _ in 0.7 }, seed: 1
    ) { logarithms in
      let (point, penalty) = clamped(logarithms)
      return penalty - logLikelihood(fixes, isRest, runs, model(point))
    }
    found.point = clamped(found.point).point
    return found
  }

  /// The log probability density of fixes, up to a constant.
  private static func logLikelihood(
    _ fixes: PlaneFixes, _ isRest: [Bool], _ runs: [Run], _ model: MovementModel
  ) -> Double {
    var sum = 0.0
    var (lastStep, wasRest) = (-1.0, false)
    var transition = model.transition(1, isRest: false)
    for run in runs {
      var filter = PositionFilter(
        east: fixes.east[run.lowerBound], north: fixes.north[run.lowerBound], model)
      var last = fixes.seconds[run.lowerBound]
      for index in run.dropFirst() {
        let second = fixes.seconds[index]
        let step = second - last
        last = second
        if step > PositionSmoother.longestStep {
          filter = PositionFilter(east: fixes.east[index], north: fixes.north[index], model)
          continue
        }
        if step != lastStep || isRest[index] != wasRest {
          transition = model.transition(step, isRest: isRest[index])
          (lastStep, wasRest) = (step, isRest[index])
        }
        filter.predict(transition)
        let innovation = filter.innovation(east: fixes.east[index], north: fixes.north[index])
        sum += innovation.logLikelihood
        filter.learn(innovation)
      }
    }
    return sum
  }

  /// The starting point of the search.
  private struct Guess {
    /// The apparent jitter of fixes, in metres.
    let noise: Double
    /// Metres a second.
    let speed: Double

    /// Half of all second differences of equal steps, and of the distances over about a minute, are
    /// larger.
    init?(_ fixes: PlaneFixes, _ runs: [Run]) {
      var (bends, steps): ([Double], [Double]) = ([], [])
      for index in runs.joined() where index > 0 && index < fixes.count - 1 {
        let step = fixes.seconds[index] - fixes.seconds[index - 1]
        let share = step / (fixes.seconds[index + 1] - fixes.seconds[index - 1])
        // From where an even walk would be, and as of equal steps, in which noise counts six times.
        func bend(_ places: [Double]) -> Double {
          places[index] - (places[index - 1] * (1 - share) + places[index + 1] * share)
        }
        let (x, y) = (bend(fixes.east), bend(fixes.north))
        let noises = 1 + share * share + (1 - share) * (1 - share)
        bends.append(((x * x + y * y) * 6 / noises).squareRoot())
        steps.append(step)
      }
      guard !bends.isEmpty else { return nil }
      noise = max(0.1, TrackSteps.median(&bends) / 2.9)
      let lag = min(max(1, 60 / TrackSteps.median(&steps)), Double(fixes.count - 1))
      var speeds: [Double] = []
      for index in runs.joined() where index + Int(lag) < fixes.count {
        speeds.append(
          fixes.metres(index, index + Int(lag))
            / (fixes.seconds[index + Int(lag)] - fixes.seconds[index]))
      }
      speed = max(0.1, TrackSteps.median(&speeds))
    }
  }
}
