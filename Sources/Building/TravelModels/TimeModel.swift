// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A model of the time that a stretch takes on foot (for the equivalent distance, with any
/// profile).
///
/// There are two kinds. Rules add a time for the length and a time for each metre of climb.
/// Functions of the slope give a speed for each slope; a stretch that both climbs and descends is
/// split into a climbing and a descending part that are equally steep:
///
///     s      = (up + down) / length                 the slope of both
///     climb  = length × up / (up + down)            the length at +s
///     descent = length × down / (up + down)         the length at −s
///     time   = climb / v(s) + descent / v(−s)
///
/// so a stretch of constant slope takes the same time however it is cut. Slopes are limited to
/// ``steepestSlope``: steeper ones are errors of the elevation data, and no model was measured
/// there.
package enum TimeModel: String, Sendable, CaseIterable {
  /// Naismith's rule with climb as an equivalent distance: (length + up × climb factor) / speed,
  /// with the parameters of the profile. Scarf 2007, *Route choice in mountain navigation,
  /// Naismith's rule, and the equivalence of distance and climb*; 7.92 flat metres per metre of
  /// climb for a walker.
  case equivalentDistance = "equivalent-distance"
  /// 5 km/h and an hour for each 600 m of climb. Naismith 1892, *Scottish Mountaineering Club
  /// Journal* 2, in its metric form.
  case naismith
  /// ``naismith``, less 10 min for each 300 m of descent at 5° to 12°, and 10 min more for each
  /// 300 m at more than 12°. Langmuir 1984, *Mountaincraft and Leadership*.
  case langmuir
  /// v = 6 · exp(−3.5 · |s + 0.05|) km/h. Tobler 1993, *Three presentations on geographical
  /// analysis and modeling*, NCGIA 93-1.
  case tobler
  /// ``tobler`` off the path: 0.6 of its speed.
  case toblerOffPath = "tobler-off-path"
  /// ``tobler`` on horseback: 1.25 of its speed.
  case toblerHorseback = "tobler-horseback"
  /// v = 4.8 · exp(−5.3 · |0.7 s + 0.03|) km/h. Márquez-Pérez, Vallejo-Villalta and
  /// Álvarez-Francoso 2017, *Estimated travel time for walking trails in natural areas*.
  case marquezPerez = "marquez-perez"
  /// Hours: h = km / 4, v = up / 300 + down / 500, together max(h, v) + min(h, v) / 2. DIN 33466.
  ///
  /// The rule is meant for a whole route; the sum over its edges is never less than that.
  case din33466 = "din-33466"
  /// Hours: km / 4 + up / 400. The simple rule of the Swiss Alpine Club.
  case sac
  /// ``sac`` with descent: km / 4 + up / 400 + down / 800.
  case sacDescent = "sac-descent"
  /// Minutes per kilometre as a polynomial of degree 15 of the slope within ±40 %. Schweizer
  /// Wanderwege, *Zeitberechnung*.
  case wanderwege = "schweizer-wanderwege"
  /// Hours: (km + metres of elevation / 100) / rate; rate 4 uphill, 6 on the flat and downhill.
  /// Munter 2003, *3×3 Lawinen*.
  case munter
  /// A Lorentz function of the slope's angle, of the median walker. Campbell et al. 2022,
  /// *Predicting trail travel rates with lidar-derived slope and crowdsourced data*.
  case campbell
  /// v = 0.11 + exp(−(S + 5)² / 1800) m/s on a path, S in percent. Irmischer and Clarke 2018,
  /// *Measuring and modeling the speed of human navigation*.
  case irmischerClarke = "irmischer-clarke"
  /// v = 0.11 + 0.67 · exp(−(S + 2)² / 1800) m/s off the path, of the same authors.
  case irmischerClarkeOffPath = "irmischer-clarke-off-path"
  /// The same power as on the flat: the speed on the flat, times 2.5 J/kg/m divided by the energy
  /// that a metre of this slope takes. Minetti et al. 2002, *Energy cost of walking and
  /// running at extreme uphill and downhill slopes*, within ±45 %.
  case minetti
  /// A touring bicycle: uphill 1 / v = √(1 / flat² + (s / climb)²) with the profile's speed on the
  /// flat and a climb of ``bicycleClimbMetresPerHour``, which no slope exceeds; downhill
  /// flat × min(2, 1 + 15 · |s|).
  case bicycle

  /// Parameters of a profile that some models need.
  package struct Parameters: Equatable, Sendable {
    /// Flat metres equivalent to a metre of climb, ≥ 0; for ``equivalentDistance``.
    package var climbFactor: Double
    /// Speed on the flat in km/h, > 0; for ``equivalentDistance``, ``minetti`` and ``bicycle``.
    package var speedKilometresPerHour: Double

    /// Names the parameters.
    package init(climbFactor: Double, speedKilometresPerHour: Double) {
      self.climbFactor = climbFactor
      self.speedKilometresPerHour = speedKilometresPerHour
    }
  }

  /// The limit of slopes, up or down, as rise over run.
  package var steepestSlope: Double {
    switch self {
    case .wanderwege: 0.40
    case .minetti: 0.45
    default: 1
    }
  }

  /// Whether the model uses the profile's speed.
  package var usesSpeed: Bool {
    self == .equivalentDistance || self == .minetti || self == .bicycle
  }

  /// The metres that a touring cyclist climbs in an hour at most: about 164 W for the climb of 100 kg.
  package static let bicycleClimbMetresPerHour = 600.0

  /// Whether the model is a rule for the totals of a route: the sum over its edges is longer.
  package var isForTotals: Bool { self == .din33466 }

  /// Seconds of a stretch.
  ///
  /// - Parameters:
  ///   - length: Metres, ≥ 0.
  ///   - up: Metres climbed, ≥ 0.
  ///   - down: Metres descended, ≥ 0.
  @inline(__always)
  package func seconds(length: Double, up: Double, down: Double, _ parameters: Parameters) -> Double
  {
    let kilometres = length / 1000
    switch self {
    case .equivalentDistance:
      return (length + up * parameters.climbFactor)
        / (parameters.speedKilometresPerHour / 3.6)
    case .naismith: return (kilometres / 5 + up / 600) * 3600
    case .langmuir:
      return (kilometres / 5 + up / 600) * 3600 + Self.langmuirDescent(length, up: up, down: down)
    case .din33466:
      let (flat, climb) = (kilometres / 4, up / 300 + down / 500)
      return (max(flat, climb) + min(flat, climb) / 2) * 3600
    case .sac: return (kilometres / 4 + up / 400) * 3600
    case .sacDescent: return (kilometres / 4 + up / 400 + down / 800) * 3600
    case .munter:
      let climbing = up > 0 ? length * up / (up + down) : 0
      return ((climbing + up * 10) / 4 + (length - climbing + down * 10) / 6) * 3.6
    default:
      return bySlope(length, up: up, down: down, parameters)
    }
  }

  /// The sum of both parts of a stretch by a function of the slope.
  private func bySlope(_ length: Double, up: Double, down: Double, _ parameters: Parameters)
    -> Double
  {
    let rise = up + down
    guard rise > 0, length > 0 else { return length / speed(slope: 0, parameters) }
    let slope = rise / length
    let climb = up > 0 ? length * (up / rise) / speed(slope: slope, parameters) : 0
    let descent = down > 0 ? length * (down / rise) / speed(slope: -slope, parameters) : 0
    return climb + descent
  }

  /// The seconds that Langmuir adds for a descent.
  private static func langmuirDescent(_ length: Double, up: Double, down: Double) -> Double {
    guard down > 0, length > 0 else { return 0 }
    let degrees = atan((up + down) / length) * 180 / .pi
    let seconds = down / 300 * 600
    return degrees < 5 ? 0 : degrees <= 12 ? -seconds : seconds
  }

  /// Speed in m/s at a slope, rise over run, positive uphill. For a rule it is that of a stretch of
  /// this slope.
  package func speed(slope: Double, _ parameters: Parameters) -> Double {
    let slope = min(max(slope, -steepestSlope), steepestSlope)
    switch self {
    case .tobler: return Self.tobler(slope)
    case .toblerOffPath: return 0.6 * Self.tobler(slope)
    case .toblerHorseback: return 1.25 * Self.tobler(slope)
    case .marquezPerez: return 4.8 * exp(-5.3 * abs(0.7 * slope + 0.03)) / 3.6
    case .wanderwege: return 1000 / (Self.wanderwegeMinutesPerKilometre(slope) * 60)
    case .campbell: return Self.campbell(degrees: atan(slope) * 180 / .pi)
    case .irmischerClarke: return 0.11 + gauss(slope * 100 + 5)
    case .irmischerClarkeOffPath: return 0.11 + 0.67 * gauss(slope * 100 + 2)
    case .minetti:
      return parameters.speedKilometresPerHour / 3.6 * Self.minettiEnergy(0)
        / Self.minettiEnergy(slope)
    case .bicycle:
      return Self.bicycle(slope, flat: parameters.speedKilometresPerHour / 3.6)
    default:
      return 1 / seconds(length: 1, up: max(slope, 0), down: max(-slope, 0), parameters)
    }
  }

  private static func tobler(_ slope: Double) -> Double {
    6 * exp(-3.5 * abs(slope + 0.05)) / 3.6
  }

  private static func bicycle(_ slope: Double, flat: Double) -> Double {
    if slope <= 0 { return flat * min(2, 1 - 15 * slope) }
    let climbing = slope / (bicycleClimbMetresPerHour / 3600)
    return 1 / (1 / (flat * flat) + climbing * climbing).squareRoot()
  }

  /// The Gauss function of Irmischer and Clarke.
  private func gauss(_ percent: Double) -> Double { exp(-percent * percent / 1800) }

  /// C₀ … C₁₅ of the Swiss hiking time, for the slope in tens of percents.
  private static let wanderwegeCoefficients = [
    14.271, 3.6991, 2.5922, -1.4384, 0.32105, 0.81542, -0.090261, -0.20757, 0.010192, 0.028588,
    -0.00057466, -0.0021842, 1.5176e-5, 8.6894e-5, -1.3584e-7, -1.4026e-6,
  ]

  private static func wanderwegeMinutesPerKilometre(_ slope: Double) -> Double {
    // Horner's method, from the highest power.
    wanderwegeCoefficients.reversed().reduce(0) { $0 * (slope * 10) + $1 }
  }

  private static func campbell(degrees: Double) -> Double {
    let (a, b, c, d, e) = (-1.4579, 22.0787, 76.3271, 0.0525, -3.2002e-4)
    let offset = (degrees - a) / b
    return c / (.pi * b * (1 + offset * offset)) + d + e * degrees
  }

  /// The energy of walking in J/kg/m at a slope within ±0.45 (Minetti et al. 2002).
  package static func minettiEnergy(_ slope: Double) -> Double {
    let i = min(max(slope, -0.45), 0.45)
    return ((((280.5 * i - 58.7) * i - 76.8) * i + 51.9) * i + 19.6) * i + 2.5
  }
}
