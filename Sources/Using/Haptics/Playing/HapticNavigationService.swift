// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks

/// Gives directions by touch.
public protocol HapticNavigationServiceProtocol: AnyObject {
  /// Whether directions are played by touch; otherwise they are given in words alone.
  var isHapticModeEnabled: Bool { get set }

  /// Starts the engine. Throws ``HapticError`` if there are no haptics.
  func initializeHapticEngine() throws
  /// Plays “turn left”.
  func playTurnLeftPattern()
  /// Plays “turn right”.
  func playTurnRightPattern()
  /// Plays “continue straight”.
  func playContinueStraightPattern()
  /// Plays “arrived”.
  func playArrivalPattern()
  /// Stops all patterns.
  func stopAllHaptics()
}

/// Plays cues on a device and also reports each in words. Safe to use from any thread.
///
/// Failures while playing are logged and counted, and not thrown; the report in words states them.
/// An engine stopped by the system is restarted once first.
public final class HapticNavigationService: HapticNavigationServiceProtocol, Sendable {
  /// The outcome of playing a cue.
  public enum Feeling: Hashable, Sendable {
    /// It is playing.
    case played
    /// Haptic mode is off.
    case silent
    /// The device has no haptics.
    case notSupported
    /// The player failed; the text gives the reason.
    case failed(String)
  }

  /// A cue in words, reported along with its pattern.
  public struct TextCue: Hashable, Sendable {
    /// The cue.
    public var cue: HapticCue
    /// A sentence in English without a full stop.
    public var text: String
    /// The outcome of playing its pattern.
    public var feeling: Feeling
  }

  /// The sound and text for a cue that should be felt but cannot.
  public struct Fallback: Hashable, Sendable {
    /// The cue.
    public var cue: HapticCue
    /// The sound to play instead.
    public var sound: CueSound
    /// The text, a sentence without a full stop.
    public var text: String
    /// Why it was not felt: ``Feeling/notSupported`` or ``Feeling/failed(_:)``.
    public var reason: Feeling
  }

  /// The number of cues by outcome.
  public struct Counts: Hashable, Sendable {
    /// Played.
    public var played = 0
    /// Not played, since haptic mode was off.
    public var silent = 0
    /// Not played, since the device has no haptics.
    public var notSupported = 0
    /// Failed to play.
    public var failed = 0
    /// The reason for the last failure; nil if there was none.
    public var lastFailure: String?
  }

  private struct State {
    var isEnabled = false
    var isPrepared = false
    var intensity = 1.0
    var counts = Counts()
  }

  private let player: any HapticPlayer
  private let tell: (@Sendable (TextCue) -> Void)?
  private let log: (@Sendable (String) -> Void)?
  private let state = Mutex(State())
  private let signal = ChangeSignal<Fallback>()

  /// Makes a service with haptic mode off.
  ///
  /// - Parameters:
  ///   - player: Plays the patterns.
  ///   - tell: Called with each cue in words, on the thread that plays it.
  ///   - log: Called there with a line for each cue that failed to play.
  public init(
    player: any HapticPlayer, tell: (@Sendable (TextCue) -> Void)? = nil,
    log: (@Sendable (String) -> Void)? = nil
  ) {
    self.player = player
    self.tell = tell
    self.log = log
  }

  /// Whether directions are played by touch; otherwise they are given in words alone. Turning it
  /// off stops the current pattern.
  public var isHapticModeEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { $0.isEnabled = newValue }
      if !newValue { player.stop() }
    }
  }

  /// The factor on the intensity of every pattern, 0…1.
  public var intensity: Double {
    get { state.withLock { $0.intensity } }
    set { state.withLock { $0.intensity = within(newValue, 1) } }
  }

  /// The outcomes of all cues so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The cues from now on that should be felt but cannot, for an app to sound. There are none while
  /// haptic mode is off. A slow listener gets the newest 256.
  public func fallbacks() -> AsyncStream<Fallback> { signal.changes() }

  /// Starts the engine. Calling it is optional: the first cue starts it, too. Throws
  /// ``HapticError``.
  public func initializeHapticEngine() throws(HapticError) {
    guard player.supportsHaptics else { throw .notSupported }
    do { try player.prepare() } catch {
      state.withLock { $0.isPrepared = false }
      throw .engineUnavailable("\(error)")
    }
    state.withLock { $0.isPrepared = true }
  }

  /// Plays “turn left”.
  public func playTurnLeftPattern() { play(.left) }
  /// Plays “turn right”.
  public func playTurnRightPattern() { play(.right) }
  /// Plays “continue straight”.
  public func playContinueStraightPattern() { play(.straight) }
  /// Plays “arrived”.
  public func playArrivalPattern() { play(.arrived) }
  /// Stops all patterns.
  public func stopAllHaptics() { player.stop() }

  /// Plays a timeline entry that is due now.
  public func play(_ entry: HapticTimeline.Entry) { play(entry.cue, text: entry.text) }

  /// Plays a cue.
  ///
  /// - Parameter text: The text to report; nil for the cue's own.
  @discardableResult
  public func play(_ cue: HapticCue, text: String? = nil) -> Feeling {
    let feeling = feel(cue)
    state.withLock { state in
      switch feeling {
      case .played: state.counts.played += 1
      case .silent: state.counts.silent += 1
      case .notSupported: state.counts.notSupported += 1
      case .failed(let reason):
        state.counts.failed += 1
        state.counts.lastFailure = reason
      }
    }
    if case .failed(let reason) = feeling {
      log?("cannot play the haptic cue \(cue.rawValue): \(reason)")
    }
    let text = text ?? cue.text
    tell?(TextCue(cue: cue, text: text, feeling: feeling))
    switch feeling {
    case .notSupported, .failed:
      signal.tell(Fallback(cue: cue, sound: cue.sound, text: text, reason: feeling))
    case .played, .silent: break
    }
    return feeling
  }

  private func feel(_ cue: HapticCue) -> Feeling {
    let (isEnabled, isPrepared, intensity) = state.withLock {
      ($0.isEnabled, $0.isPrepared, $0.intensity)
    }
    guard isEnabled else { return .silent }
    guard player.supportsHaptics else { return .notSupported }
    let pattern = intensity == 1 ? cue.pattern : cue.pattern.with(intensity: intensity)
    do {
      if !isPrepared { try initializeHapticEngine() }
      do { try player.play(pattern) } catch {
        // Systems stop engines of apps that were in the background.
        try initializeHapticEngine()
        try player.play(pattern)
      }
      return .played
    } catch {
      return .failed("\(error)")
    }
  }
}
