// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnLocks

/// Tells directions by touch.
public protocol HapticNavigationServiceProtocol: AnyObject {
  /// Whether directions are to be felt; otherwise they are told in words alone.
  var isHapticModeEnabled: Bool { get set }

  /// Starts the engine. Throws ``HapticError`` where nothing can be felt.
  func initializeHapticEngine() throws
  /// Plays “turn left”.
  func playTurnLeftPattern()
  /// Plays “turn right”.
  func playTurnRightPattern()
  /// Plays “continue straight”.
  func playContinueStraightPattern()
  /// Plays “arrived”.
  func playArrivalPattern()
  /// Ends whatever is being played.
  func stopAllHaptics()
}

/// Plays cues on a device and tells each in words, too. May be used from any thread.
///
/// Nothing that fails while playing is thrown: failures are counted, and the words beside the cue say
/// what would have been felt. An engine that the system stopped is started once more before that.
public final class HapticNavigationService: HapticNavigationServiceProtocol, Sendable {
  /// What became of the touch of a cue.
  public enum Feeling: Hashable, Sendable {
    /// It is being played.
    case played
    /// Haptic mode is off.
    case silent
    /// The device has no haptics.
    case notSupported
    /// The player failed; the text says why.
    case failed(String)
  }

  /// A cue in words, which stands beside its pattern.
  public struct TextCue: Hashable, Sendable {
    /// What is said.
    public var cue: HapticCue
    /// A sentence in English without a full stop.
    public var text: String
    /// What became of its pattern.
    public var feeling: Feeling
  }

  /// A cue that was to be felt and cannot be: what is heard and said in its place.
  public struct Fallback: Hashable, Sendable {
    /// What was to be felt.
    public var cue: HapticCue
    /// What is heard.
    public var sound: CueSound
    /// What is said: a sentence without a full stop.
    public var text: String
    /// Why it was not felt: ``Feeling/notSupported`` or ``Feeling/failed(_:)``.
    public var reason: Feeling
  }

  /// How many cues there were, by what became of their patterns.
  public struct Counts: Hashable, Sendable {
    /// Those that were played.
    public var played = 0
    /// Those of haptic mode being off.
    public var silent = 0
    /// Those on a device without haptics.
    public var notSupported = 0
    /// Those at which the player failed.
    public var failed = 0
    /// Why it failed last; nil where it never did.
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
  private let state = Mutex(State())
  private let signal = ChangeSignal<Fallback>()

  /// Makes a service with haptic mode off.
  ///
  /// - Parameter tell: Called with each cue in words, on the thread that plays it.
  public init(player: any HapticPlayer, tell: (@Sendable (TextCue) -> Void)? = nil) {
    self.player = player
    self.tell = tell
  }

  /// Whether directions are to be felt; otherwise they are told in words alone. Turning it off ends
  /// what is being played.
  public var isHapticModeEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { $0.isEnabled = newValue }
      if !newValue { player.stop() }
    }
  }

  /// What the intensities of all patterns are multiplied by, 0…1.
  public var intensity: Double {
    get { state.withLock { $0.intensity } }
    set { state.withLock { $0.intensity = within(newValue, 1) } }
  }

  /// What became of all cues so far.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The cues from now on that are to be felt and cannot be, for an app to make them heard. In visual mode
  /// there are none. Whoever listens slowly gets the newest 256.
  public func fallbacks() -> AsyncStream<Fallback> { signal.changes() }

  /// Starts the engine. It need not be called: the first cue does so. Throws ``HapticError``.
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
  /// Ends whatever is being played.
  public func stopAllHaptics() { player.stop() }

  /// Plays what a timeline says is to begin now.
  public func play(_ entry: HapticTimeline.Entry) { play(entry.cue, text: entry.text) }

  /// Plays a cue.
  ///
  /// - Parameter text: What it is told as; nil for its own words.
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
