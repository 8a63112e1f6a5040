// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnHaptics
import CairnLocks
import Testing

/// A player that keeps what it was asked for, and fails where it is told to.
private final class RecordingPlayer: HapticPlayer {
  struct Broken: Error, CustomStringConvertible { var description: String { "broken" } }

  struct State {
    var played: [HapticPattern] = []
    var preparations = 0
    var stops = 0
    /// How many of the next calls of `play` fail.
    var failingPlays = 0
    var failsToPrepare = false
  }

  let supportsHaptics: Bool
  let state = Mutex(State())

  init(supportsHaptics: Bool = true) { self.supportsHaptics = supportsHaptics }

  func prepare() throws {
    let fails = state.withLock { state in
      state.preparations += 1
      return state.failsToPrepare
    }
    if fails { throw Broken() }
  }

  func play(_ pattern: HapticPattern) throws {
    let fails = state.withLock { state in
      guard state.failingPlays == 0 else {
        state.failingPlays -= 1
        return true
      }
      state.played.append(pattern)
      return false
    }
    if fails { throw Broken() }
  }

  func stop() { state.withLock { $0.stops += 1 } }
}

/// What was told in words.
private final class Words: Sendable {
  let cues = Mutex<[HapticNavigationService.TextCue]>([])

  func tell(_ cue: HapticNavigationService.TextCue) { cues.withLock { $0.append(cue) } }
  var texts: [String] { cues.withLock { $0.map(\.text) } }
  var feelings: [HapticNavigationService.Feeling] { cues.withLock { $0.map(\.feeling) } }
}

@Suite("The service that plays haptic cues")
struct HapticNavigationServiceTests {
  private let player = RecordingPlayer()
  private let words = Words()

  private func service(_ player: RecordingPlayer? = nil) -> HapticNavigationService {
    let words = words
    let service = HapticNavigationService(player: player ?? self.player) { words.tell($0) }
    service.isHapticModeEnabled = true
    return service
  }

  @Test("each call plays its pattern, and tells the same in words")
  func calls() throws {
    let service: any HapticNavigationServiceProtocol = service()
    try service.initializeHapticEngine()
    service.playTurnLeftPattern()
    service.playTurnRightPattern()
    service.playContinueStraightPattern()
    service.playArrivalPattern()
    service.stopAllHaptics()
    let state = player.state.withLock { $0 }
    let cues: [HapticCue] = [.left, .right, .straight, .arrived]
    #expect(state.played == cues.map(\.pattern))
    #expect(state.preparations == 1)
    #expect(state.stops == 1)
    #expect(words.texts == cues.map(\.text))
    #expect(words.feelings == [.played, .played, .played, .played])
  }

  @Test(
    "what cannot be felt is heard and said, and what is felt or silent is not",
    .timeLimit(.minutes(1)))
  func fallbacks() async {
    let service = service(RecordingPlayer(supportsHaptics: false))
    var events = service.fallbacks().makeAsyncIterator()
    service.isHapticModeEnabled = false
    service.play(.straight)
    service.isHapticModeEnabled = true
    service.play(.left, text: "Turn left onto Dorfstraße")
    let first = await events.next()
    #expect(first?.cue == .left && first?.sound == .left && first?.reason == .notSupported)
    #expect(first?.text == "Turn left onto Dorfstraße")

    let player = RecordingPlayer()
    let failing = self.service(player)
    var failures = failing.fallbacks().makeAsyncIterator()
    failing.play(.right)
    player.state.withLock { $0.failingPlays = 2 }
    failing.play(.offRoute)
    let second = await failures.next()
    #expect(second?.cue == .offRoute && second?.sound == .alert)
    #expect(second?.reason == .failed("broken"))
  }

  @Test("the sounds of left and right are each other's reverse, and every sound has tones")
  func sounds() {
    #expect(CueSound.left.tones.map(\.hertz) == CueSound.right.tones.map(\.hertz).reversed())
    #expect(Set(HapticCue.allCases.map(\.sound)) == Set(CueSound.allCases))
    #expect(CueSound.allCases.allSatisfy { sound in sound.tones.allSatisfy { $0.seconds > 0 } })
  }

  @Test("with haptic mode off there are words alone")
  func visual() {
    let service = service()
    service.isHapticModeEnabled = false
    service.playTurnLeftPattern()
    #expect(player.state.withLock { $0.played.isEmpty })
    #expect(player.state.withLock { $0.stops } == 1)
    #expect(words.feelings == [.silent])
    #expect(service.counts.silent == 1)
  }

  @Test("an engine that was stopped is started once more")
  func restarted() {
    let service = service()
    player.state.withLock { $0.failingPlays = 1 }
    service.playTurnLeftPattern()
    #expect(service.counts.played == 1)
    #expect(service.counts.failed == 0)
    #expect(player.state.withLock { $0.preparations } == 2)
  }

  @Test("failures are counted and told in words, and the next cue is tried again")
  func failures() {
    let service = service()
    player.state.withLock { $0.failingPlays = 2 }
    service.play(.right, text: "Turn right onto Dorfstraße")
    service.play(.left)
    #expect(service.counts.failed == 1)
    #expect(service.counts.lastFailure == "broken")
    #expect(service.counts.played == 1)
    #expect(words.texts == ["Turn right onto Dorfstraße", "Turn left"])
    #expect(words.feelings == [.failed("broken"), .played])
    player.state.withLock { $0.failsToPrepare = true }
    player.state.withLock { $0.failingPlays = 1 }
    service.play(.left)
    #expect(service.counts.failed == 2)
    #expect(service.counts.lastFailure?.contains("broken") == true)
    #expect(throws: HapticError.engineUnavailable("broken")) {
      try service.initializeHapticEngine()
    }
  }

  @Test("a cue that fails to play has a line in the log, and no other has one")
  func logged() {
    let lines = Mutex<[String]>([])
    let service = HapticNavigationService(
      player: player, log: { line in lines.withLock { $0.append(line) } })
    player.state.withLock { $0.failingPlays = 2 }
    service.play(.left)
    service.isHapticModeEnabled = true
    service.play(.right)
    service.play(.left)
    #expect(lines.withLock { $0 } == ["cannot play the haptic cue right: broken"])
    #expect(service.counts.failed == 1 && service.counts.played == 1)
  }

  @Test("a device without haptics is not asked to play, and says so")
  func unsupported() {
    let silent = RecordingPlayer(supportsHaptics: false)
    let service = service(silent)
    #expect(throws: HapticError.notSupported) { try service.initializeHapticEngine() }
    service.playArrivalPattern()
    #expect(silent.state.withLock { $0.preparations } == 0)
    #expect(words.feelings == [.notSupported])
    #expect(service.counts.notSupported == 1)
    #expect(HapticError.notSupported.errorDescription == "This device cannot be felt.")
  }

  @Test("the strength that a user prefers is that of all patterns")
  func intensity() {
    let service = service()
    service.intensity = 0.4
    service.playTurnLeftPattern()
    #expect(player.state.withLock { $0.played.map(\.intensity) } == [0.4])
    service.intensity = 9
    #expect(service.intensity == 1)
  }
}
