// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreHaptics)
  import CairnLocks
  import CoreHaptics

  /// Plays patterns on a phone, by Core Haptics. Safe to use from any thread.
  ///
  /// The system stops its engine when the app leaves the screen, and does not start it there: cues
  /// are told in words then (``HapticNavigationService/fallbacks()``), or felt on a watch.
  public final class CoreHapticsPlayer: HapticPlayer {
    private struct State {
      /// Nil before the start, and once the system has stopped it.
      var engine: CHHapticEngine?
      /// Those that may still be felt.
      var players: [any CHHapticPatternPlayer] = []

      /// Lets the engine go, which must not call back while it is locked here.
      mutating func forget() {
        engine?.stoppedHandler = { _ in }
        engine?.resetHandler = {}
        self = State()
      }
    }

    /// Cues come one after the other, so that earlier patterns are over.
    private static let mostPlayers = 8

    /// Whether the device can be felt at all.
    public let supportsHaptics: Bool
    private let state = Mutex(State())

    /// Makes a player, which starts nothing yet.
    public init() { supportsHaptics = CHHapticEngine.capabilitiesForHardware().supportsHaptics }

    /// Starts the engine unless it is running. Throws the error of Core Haptics.
    public func prepare() throws {
      try state.withLock { state in
        guard state.engine == nil else { return }
        let engine = try CHHapticEngine()
        // Without sounds, the app's music and speech go on.
        engine.playsHapticsOnly = true
        engine.stoppedHandler = { [weak self] _ in self?.forget() }
        engine.resetHandler = { [weak self] in self?.forget() }
        try engine.start()
        state.engine = engine
      }
    }

    /// Starts a pattern. Throws ``HapticError/engineUnavailable(_:)`` if the engine is not running,
    /// or the error of Core Haptics, after which the engine is made anew.
    public func play(_ pattern: HapticPattern) throws {
      try state.withLock { state in
        guard let engine = state.engine else {
          throw HapticError.engineUnavailable("the system has stopped it")
        }
        do {
          let player = try engine.makePlayer(with: CHHapticPattern(pattern))
          try player.start(atTime: CHHapticTimeImmediate)
          state.players = state.players.suffix(Self.mostPlayers - 1) + [player]
        } catch {
          state.forget()
          throw error
        }
      }
    }

    /// Stops all patterns; the engine runs on.
    public func stop() {
      state.withLock { state in
        // One that is over cannot be stopped, which is no failure.
        for player in state.players { try? player.stop(atTime: CHHapticTimeImmediate) }
        state.players = []
      }
    }

    private func forget() { state.withLock { $0.forget() } }
  }

  extension CHHapticPattern {
    /// Makes the pattern for an engine, as ``HapticPattern/ahap(description:)`` describes it.
    public convenience init(_ pattern: HapticPattern) throws {
      let events = pattern.events.map { event in
        CHHapticEvent(
          eventType: event.kind == .transient ? .hapticTransient : .hapticContinuous,
          parameters: [
            CHHapticEventParameter(
              parameterID: .hapticIntensity, value: Float(event.intensity * pattern.intensity)),
            CHHapticEventParameter(
              parameterID: .hapticSharpness, value: Float(event.sharpness)),
          ], relativeTime: event.time, duration: event.duration)
      }
      try self.init(events: events, parameters: [])
    }
  }
#endif
