// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnHaptics
import Testing

@Suite("Haptic patterns")
struct HapticPatternTests {
  /// The least distance between two patterns.
  static let leastDistance = 0.45

  @Test("a watch plays what the table of turns says")
  func watchTable() {
    let expected: [HapticCue: WatchHaptic] = [
      .approaching: .click, .left: .directionDown, .right: .directionUp, .uTurn: .failure,
      .offRoute: .failure, .arrived: .success,
    ]
    for (cue, haptic) in expected { #expect(cue.pattern.watchHaptic == haptic, "\(cue)") }
  }

  @Test(
    "each direction is a cue, but for the start and the arrival",
    arguments: [
      (TurnDirection.start, HapticCue?.none), (.straight, .straight), (.slightLeft, .left),
      (.left, .left), (.sharpLeft, .left), (.slightRight, .right), (.right, .right),
      (.sharpRight, .right), (.uTurn, .uTurn), (.arrive, nil),
    ])
  func directions(direction: TurnDirection, cue: HapticCue?) {
    #expect(HapticCue(direction) == cue)
  }

  @Test("all pairs of patterns feel different")
  func apart() {
    for cue in HapticCue.allCases {
      for other in HapticCue.allCases where other != cue {
        let distance = cue.pattern.distance(to: other.pattern)
        #expect(distance >= Self.leastDistance, "\(cue) and \(other): \(distance)")
        #expect(distance <= 1)
        #expect(abs(distance - other.pattern.distance(to: cue.pattern)) < 1e-12)
      }
    }
  }

  @Test("a pattern has no distance from itself, whenever it begins")
  func shifted() {
    let pattern = HapticCue.left.pattern
    #expect(pattern.distance(to: pattern) == 0)
    let later = HapticPattern(
      pattern.events.map {
        .tap(at: $0.time + 0.5, intensity: $0.intensity, sharpness: $0.sharpness)
      }, watchHaptic: .click)
    #expect(pattern.distance(to: later) < 1e-9)
  }

  @Test("rhythm, intensity and sharpness each make a distance")
  func parts() {
    func taps(_ times: [Double], intensity: Double = 0.8, sharpness: Double = 0.5) -> HapticPattern
    {
      HapticPattern(
        times.map { .tap(at: $0, intensity: intensity, sharpness: sharpness) },
        watchHaptic: .click)
    }
    let plain = taps([0, 0.3])
    #expect(plain.distance(to: taps([0, 0.5])) > 0.2)
    #expect(plain.distance(to: taps([0, 0.3], sharpness: 1)) > 0.2)
    // (1 − k) / (1 + k) for half the intensity.
    #expect(abs(plain.distance(to: taps([0, 0.3], intensity: 0.4)) - 1 / 3) < 1e-9)
    #expect(abs(plain.distance(to: plain.with(intensity: 0.5)) - 1 / 3) < 1e-9)
    // A hundredth of a second is hardly felt.
    #expect(plain.distance(to: taps([0, 0.31])) < 0.15)
  }

  @Test("a pattern lasts until its last event is no longer felt, and its events are in order")
  func duration() {
    let pattern = HapticPattern(
      [
        .tap(at: 0.9, intensity: 1, sharpness: 1),
        .hum(at: 0, for: 0.5, intensity: 1, sharpness: 1),
      ], watchHaptic: .click)
    #expect(pattern.duration == 0.9 + HapticEvent.transientSeconds)
    #expect(pattern.events.map(\.kind) == [.continuous, .transient])
    #expect(HapticPattern([], watchHaptic: .click).duration == 0)
    for cue in HapticCue.allCases { #expect(cue.pattern.duration <= 1.2, "\(cue)") }
  }

  @Test("values out of range are brought into it")
  func clamped() {
    let event = HapticEvent.hum(at: -1, for: .infinity, intensity: .nan, sharpness: 7)
    #expect(event.time == 0)
    #expect(event.duration == HapticEvent.longestSeconds)
    #expect(event.intensity == 0)
    #expect(event.sharpness == 1)
    #expect(HapticPattern([event], intensity: -3, watchHaptic: .click).intensity == 0)
    let empty = HapticPattern([], watchHaptic: .click)
    #expect(empty.distance(to: empty) == 0)
  }
}
