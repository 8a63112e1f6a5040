// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnTravelModels
import Testing

private let walker = TimeModel.Parameters(climbFactor: 7.92, speedKilometresPerHour: 5)

/// A value that a model must give at a slope in percent.
struct SlopeCase: CustomTestStringConvertible, Sendable {
  let model: TimeModel
  let percent: Double
  let value: Double

  init(_ model: TimeModel, _ percent: Double, _ value: Double) {
    (self.model, self.percent, self.value) = (model, percent, value)
  }

  var testDescription: String { "\(model.rawValue) at \(percent) %: \(value)" }
}

@Suite("Time models give the values that their authors give")
struct TimeModelTests {
  private func speed(_ model: TimeModel, percent: Double) -> Double {
    model.speed(slope: percent / 100, walker)
  }

  private func hours(_ model: TimeModel, km: Double, up: Double, down: Double = 0) -> Double {
    model.seconds(length: km * 1000, up: up, down: down, walker) / 3600
  }

  @Test(
    "km/h",
    arguments: [
      SlopeCase(.tobler, -20, 3.5493), .init(.tobler, -10, 5.0367), .init(.tobler, -5, 6),
      .init(.tobler, 0, 5.0367), .init(.tobler, 5, 4.2281), .init(.tobler, 10, 3.5493),
      .init(.tobler, 20, 2.5012), .init(.tobler, 30, 1.7625),
      .init(.toblerOffPath, 0, 0.6 * 5.0367), .init(.toblerHorseback, 0, 1.25 * 5.0367),
      .init(.irmischerClarke, -5, 3.9960), .init(.irmischerClarke, 0, 3.9463),
      .init(.irmischerClarke, 10, 3.5730), .init(.irmischerClarke, 20, 2.9399),
      // v = 0.11 + 0.67 at its maximum of −2 %; 4.8 km/h · exp(−0.159) on the flat.
      .init(.irmischerClarkeOffPath, -2, 2.808), .init(.marquezPerez, 0, 4.0944),
      .init(.marquezPerez, -300.0 / 70, 4.8),
      // At 5 km/h on the flat: 1 / √(1 / 25 + 1 / 36) km/h at 10 %, and downhill at most twice.
      .init(.bicycle, 0, 5), .init(.bicycle, 10, 3.8411), .init(.bicycle, -5, 8.75),
      .init(.bicycle, -20, 10),
    ])
  func kilometresPerHour(row: SlopeCase) {
    #expect(abs(speed(row.model, percent: row.percent) * 3.6 - row.value) < 1e-4)
  }

  @Test(
    "m/s of Campbell et al.",
    arguments: zip(
      [-30.0, -20, -10, -5, 0, 5, 10, 20, 30],
      [0.8031, 0.9738, 1.1154, 1.1494, 1.1481, 1.1114, 1.0461, 0.8735, 0.7036]))
  func campbell(percent: Double, value: Double) {
    #expect(abs(speed(.campbell, percent: percent) - value) < 1e-4)
  }

  @Test(
    "minutes a kilometre of Schweizer Wanderwege",
    arguments: zip(
      [-30.0, -20, -10, -5, 0, 5, 10, 20, 30],
      [27.5212, 19.8354, 14.2086, 13.2441, 14.2710, 16.6314, 19.9987, 32.3257, 48.7940]))
  func wanderwege(percent: Double, value: Double) {
    #expect(abs(1000 / speed(.wanderwege, percent: percent) / 60 - value) < 1e-4)
  }

  @Test(
    "the energy of Minetti et al.",
    arguments: zip([-20.0, -10, 0, 10, 20], [1.0867, 1.1271, 2.5, 4.8991, 7.8774]))
  func minetti(percent: Double, value: Double) {
    #expect(abs(TimeModel.minettiEnergy(percent / 100) - value) < 1e-4)
    let expected = 5 / 3.6 * 2.5 / value
    #expect(abs(speed(.minetti, percent: percent) - expected) < 2e-4 * expected)
  }

  @Test("whole routes by the rules that count metres")
  func routes() {
    func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 5e-5 }
    #expect(isNear(hours(.din33466, km: 8, up: 900, down: 300), 4.6))
    #expect(isNear(hours(.din33466, km: 20, up: 1500, down: 500), 8.5))
    #expect(isNear(hours(.din33466, km: 20, up: 1460, down: 1460), 10.2867))
    #expect(isNear(hours(.sac, km: 8, up: 900, down: 300), 4.25))
    #expect(isNear(hours(.sac, km: 20, up: 1500, down: 500), 8.75))
    #expect(isNear(hours(.sacDescent, km: 8, up: 900, down: 400), 4.75))
    #expect(isNear(hours(.munter, km: 9.5, up: 500), 3.625))
    #expect(isNear(hours(.munter, km: 6, up: 0), 1))
    #expect(isNear(hours(.munter, km: 9.5, up: 0, down: 500), 14.5 / 6))
    #expect(isNear(hours(.naismith, km: 10, up: 600, down: 600), 3))
    #expect(isNear(hours(.equivalentDistance, km: 10, up: 100), 10.792 / 5))
  }

  @Test("Langmuir gives time back for easy descent and takes it for steep one")
  func langmuir() {
    func minutes(percent: Double) -> Double {
      let kilometres = 300 / percent / 10
      return 60
        * (hours(.langmuir, km: kilometres, up: 0, down: 300)
          - hours(.naismith, km: kilometres, up: 0, down: 300))
    }
    #expect(minutes(percent: 8.7) == 0, "4.97°")
    #expect(abs(minutes(percent: 8.8) + 10) < 1e-9, "5.03°")
    #expect(abs(minutes(percent: 21.2) + 10) < 1e-9, "11.97°")
    #expect(abs(minutes(percent: 21.3) - 10) < 1e-9, "12.02°")
    #expect(hours(.langmuir, km: 3, up: 300) == hours(.naismith, km: 3, up: 300))
  }

  @Test(
    "a stretch of constant slope takes the same time however it is cut",
    arguments: TimeModel.allCases)
  func cutting(model: TimeModel) {
    for percent in [-35.0, -12, 0, 3, 27] {
      let rise = 4 * abs(percent) * 10
      let (up, down) = percent > 0 ? (rise, 0) : (0, rise)
      let whole = model.seconds(length: 4000, up: up, down: down, walker)
      let parts = [0.1, 0.25, 0.65].reduce(0.0) {
        $0 + model.seconds(length: 4000 * $1, up: up * $1, down: down * $1, walker)
      }
      #expect(abs(whole - parts) < 1e-9 * whole, "\(percent) %")
      let speed = 4000 / whole
      #expect(abs(speed - self.speed(model, percent: percent)) < 1e-9 * speed, "\(percent) %")
    }
  }

  @Test(
    "a stretch that climbs and descends takes the time of both",
    arguments: [
      TimeModel.tobler, .wanderwege, .campbell, .irmischerClarke, .marquezPerez, .minetti, .munter,
    ])
  func mixed(model: TimeModel) {
    // 150 m up and 50 m down in 2 km: 1.5 km at 10 % and 0.5 km at −10 %.
    let time = model.seconds(length: 2000, up: 150, down: 50, walker)
    let parts =
      model.seconds(length: 1500, up: 150, down: 0, walker)
      + model.seconds(length: 500, up: 0, down: 50, walker)
    #expect(abs(time - parts) < 1e-9 * time)
  }

  @Test("no values of an edge give an invalid time", arguments: TimeModel.allCases)
  func extremes(model: TimeModel) {
    let lengths = [0, 1e-9, 0.1, 1, 1e5, 1e9]
    for length in lengths {
      for (up, down) in [(0, 0), (1e-9, 0), (0, 30), (3000, 3000), (1e9, 0), (0, 1e9)] {
        let seconds = model.seconds(length: length, up: up, down: down, walker)
        #expect(seconds >= 0 && seconds.isFinite, "\(length) m, +\(up), -\(down): \(seconds)")
        #expect(seconds > 0 || length < 1, "\(length) m, +\(up), -\(down)")
        // Two million times the length, and an hour for 8 m of climb, are beyond any walker.
        #expect(seconds <= 100 * length + 450 * (up + down), "\(length) m, +\(up), -\(down)")
      }
    }
  }
}
