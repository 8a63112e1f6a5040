// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGuidance
import CairnHaptics
import Foundation
import Testing

@Suite("The timeline of haptic cues")
struct HapticTimelineTests {
  private func outcome(_ events: GuidanceEvent..., config: HapticTimelineConfig = .init())
    -> HapticTimeline.Outcome
  {
    HapticTimeline.outcome(of: events, along: everyTurn, config: config)
  }

  private func seconds(_ entry: HapticTimeline.Entry) -> Double {
    entry.start.timeIntervalSince(start)
  }

  @Test("a cue begins at once, says what to do and how far ahead")
  func plain() {
    let result = outcome(
      event(.approaching(instruction: leftTurn), at: 0, along: Double(leftTurn) * 100 - 93),
      event(.atTurn(instruction: leftTurn), at: 60),
      event(.offRoute, at: 100, away: 62.4), event(.backOnRoute, at: 150),
      event(.arrived, at: 900))
    #expect(
      result.entries.map(\.cue) == [.approaching, .left, .offRoute, .backOnRoute, .arrived])
    #expect(result.entries.map(seconds) == [0, 60, 100, 150, 900])
    #expect(
      result.entries.map(\.text) == [
        "In 90 m, do left", "Do left", "Off the route, 62 m away from it", "Back on the route",
        "Arrived at the destination",
      ])
    #expect(result.entries.map(\.instruction) == [leftTurn, leftTurn, nil, nil, nil])
    #expect(result.drops.isEmpty)
  }

  @Test("two turns at once are both told, one after the other")
  func twoTurns() {
    let result = outcome(
      event(.atTurn(instruction: leftTurn), at: 0), event(.atTurn(instruction: rightTurn), at: 0))
    let gap = HapticTimelineConfig().gapSeconds
    #expect(result.entries.map(\.cue) == [.left, .right])
    #expect(result.entries[1].start == result.entries[0].end + gap)
  }

  @Test("two turns to the same side keep the quiet time between them, and their order")
  func sameSide() {
    let slight = index(of: .slightLeft)
    let result = outcome(
      event(.atTurn(instruction: slight), at: 0), event(.atTurn(instruction: leftTurn), at: 0.5),
      event(.atTurn(instruction: rightTurn), at: 1))
    #expect(result.entries.map(\.instruction) == [slight, leftTurn, rightTurn])
    #expect(result.entries[1].start == result.entries[0].end + HapticTimelineConfig().quietSeconds)
  }

  @Test("a turn overtakes its approach, and whatever else is said, an approach comes last")
  func approach() {
    let result = outcome(
      event(.atTurn(instruction: leftTurn), at: 0),
      event(.approaching(instruction: rightTurn), at: 0.1),
      event(.atTurn(instruction: rightTurn), at: 0.2))
    #expect(result.entries.map(\.cue) == [.left, .right])
    #expect(result.drops.map(\.reason) == [.overtaken])
    #expect(result.drops.map(\.cue) == [.approaching])
    let together = outcome(
      event(.atTurn(instruction: leftTurn), at: 0),
      event(.approaching(instruction: rightTurn), at: 0), event(.backOnRoute, at: 0.1))
    #expect(together.entries.map(\.cue) == [.left, .backOnRoute, .approaching])
  }

  @Test("leaving the route silences turns that wait, and is itself silenced by coming back")
  func leaving() {
    let result = outcome(
      event(.atTurn(instruction: leftTurn), at: 0), event(.atTurn(instruction: rightTurn), at: 0),
      event(.offRoute, at: 0.1))
    #expect(result.entries.map(\.cue) == [.left, .offRoute])
    #expect(result.drops.map(\.cue) == [.right])
    let back = outcome(
      event(.atTurn(instruction: leftTurn), at: 0), event(.offRoute, at: 0.1),
      event(.backOnRoute, at: 0.2))
    #expect(back.entries.map(\.cue) == [.left])
    #expect(back.drops.map(\.cue) == [.offRoute, .backOnRoute])
  }

  @Test("leaving the route is told although the right way was found just before")
  func forwardIsNotBack() {
    let result = outcome(
      event(.atTurn(instruction: leftTurn), at: 0), event(.forward, at: 0.1),
      event(.offRoute, at: 0.2))
    #expect(result.entries.map(\.cue) == [.left, .offRoute])
  }

  @Test("having arrived ends all that waits")
  func arriving() {
    let result = outcome(
      event(.atTurn(instruction: leftTurn), at: 0), event(.atTurn(instruction: rightTurn), at: 0),
      event(.offRoute, at: 0), event(.arrived, at: 0))
    #expect(result.entries.map(\.cue) == [.left, .arrived])
  }

  @Test("a cue that could not be played in time is dropped, and that is counted")
  func tooOld() {
    var timeline = HapticTimeline()
    let first = timeline.update(
      [
        event(.atTurn(instruction: leftTurn), at: 0), event(.atTurn(instruction: rightTurn), at: 0),
      ],
      of: everyTurn, at: start)
    #expect(first.entries.map(\.cue) == [.left])
    #expect(timeline.nextStart != nil)
    // Nobody asked for a minute.
    let late = timeline.advance(to: start + 60)
    #expect(late.entries.isEmpty)
    #expect(late.drops.map(\.reason) == [.tooOld])
    #expect(timeline.dropCounts == [.tooOld: 1])
    #expect(timeline.entryCounts == [.left: 1])
    #expect(timeline.nextStart == nil)
  }

  @Test("the same pattern again within the quiet time is dropped where it cannot wait")
  func repeated() {
    var config = HapticTimelineConfig()
    config.quietSeconds = 20
    let approach = event(.approaching(instruction: leftTurn), at: 0)
    let result = outcome(
      approach, event(.approaching(instruction: leftTurn), at: 3), config: config)
    #expect(result.entries.count == 1)
    #expect(result.drops.map(\.reason) == [.repeated])
  }

  @Test("being off the route waits for as long as it takes")
  func lasting() {
    var config = HapticTimelineConfig()
    config.quietSeconds = 40
    let result = outcome(
      event(.offRoute, at: 0), event(.backOnRoute, at: 5), event(.offRoute, at: 10),
      config: config)
    #expect(result.entries.map(\.cue) == [.offRoute, .backOnRoute, .offRoute])
    #expect(seconds(result.entries[2]) > 40)
  }

  @Test("at a call without a timer, what waits begins then and not in the past")
  func withoutTimer() {
    var timeline = HapticTimeline()
    _ = timeline.update(
      [
        event(.atTurn(instruction: leftTurn), at: 0), event(.atTurn(instruction: rightTurn), at: 0),
      ],
      of: everyTurn, at: start)
    #expect(timeline.advance(to: start + 5).entries.map(\.start) == [start + 5])
  }

  @Test("the start, the arrival's instruction and instructions that do not exist are not told")
  func nothingToSay() {
    let result = outcome(
      event(.atTurn(instruction: index(of: .start)), at: 0),
      event(.atTurn(instruction: index(of: .arrive)), at: 20),
      event(.atTurn(instruction: 99), at: 40), event(.atTurn(instruction: -1), at: 60))
    #expect(result == HapticTimeline.Outcome())
  }

  @Test(
    "times that are none drop the cue, and no setting makes the timeline wait for ever",
    arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func impossibleTimes(time: Double) {
    var config = HapticTimelineConfig()
    (config.gapSeconds, config.quietSeconds, config.latestSeconds) = (time, time, time)
    let result = HapticTimeline.outcome(
      of: [
        event(.offRoute, at: time), event(.offRoute, at: 0), event(.offRoute, at: 1),
        event(.arrived, at: 2),
      ], along: everyTurn, config: config)
    #expect(result.drops.first?.reason == .invalidTime)
    #expect(result.entries.last?.cue == .arrived)
    let last = Date(timeIntervalSince1970: 253_402_300_799)
    var end = event(.offRoute, at: 0)
    end.time = last
    let ends = HapticTimeline.outcome(of: [end, end, end], along: nil)
    #expect(ends.entries.count == 2)
  }

  @Test("random streams never give overlapping or repeated patterns, and lose no cue")
  func random() {
    for seed in 1...400 {
      var random = SeededGenerator(seed: UInt64(seed))
      var config = HapticTimelineConfig()
      config.quietSeconds = Double.random(in: 0...20, using: &random)
      config.gapSeconds = Double.random(in: 0...2, using: &random)
      let events = randomEvents(Int.random(in: 1...80, using: &random), &random)
      let result = HapticTimeline.outcome(of: events, along: everyTurn, config: config)
      #expect(result == HapticTimeline.outcome(of: events, along: everyTurn, config: config))
      check(result.entries, config, seed)
      #expect(result.entries.count + result.drops.count == spoken(events), "seed \(seed)")
      live(events, config, seed)
    }
  }

  /// The same from fixes at irregular times, without a timer.
  private func live(_ events: [GuidanceEvent], _ config: HapticTimelineConfig, _ seed: Int) {
    var timeline = HapticTimeline(config: config)
    var outcome = HapticTimeline.Outcome()
    for group in stride(from: 0, to: events.count, by: 3) {
      let some = Array(events[group..<min(group + 3, events.count)])
      outcome.append(timeline.update(some, of: everyTurn, at: some[some.count - 1].time))
    }
    timeline.clear()
    outcome.append(timeline.advance(to: start))
    check(outcome.entries, config, seed)
    #expect(outcome.drops.count == timeline.dropCounts.values.reduce(0, +), "seed \(seed)")
    #expect(outcome.entries.count == timeline.entryCounts.values.reduce(0, +), "seed \(seed)")
  }

  private func spoken(_ events: [GuidanceEvent]) -> Int {
    events.count { event in
      guard case .atTurn(let index) = event.kind else { return true }
      guard everyTurn.turnInstructions.indices.contains(index) else { return false }
      return HapticCue(everyTurn.turnInstructions[index].direction) != nil
    }
  }

  private func check(
    _ entries: [HapticTimeline.Entry], _ config: HapticTimelineConfig, _ seed: Int
  ) {
    // Dates are doubles, so sums of seconds are right to a microsecond.
    let rounding = 1e-5
    for (one, next) in zip(entries, entries.dropFirst()) {
      #expect(
        next.start.timeIntervalSince(one.end) >= config.gapSeconds - rounding, "seed \(seed)")
    }
    var ends: [HapticCue: Date] = [:]
    for entry in entries {
      #expect(entry.start >= entry.eventTime, "seed \(seed)")
      if let end = ends[entry.cue] {
        #expect(
          entry.start.timeIntervalSince(end) >= config.quietSeconds - rounding, "seed \(seed)")
      }
      ends[entry.cue] = entry.end
    }
  }
}
