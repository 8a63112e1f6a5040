// SPDX-License-Identifier: Apache-2.0

// Systems other than a watch's have parts of the framework without its haptics.
#if canImport(WatchKit) && !os(iOS)
  import WatchKit

  /// Plays on a watch, which has only its own patterns: each cue is felt as its
  /// ``HapticPattern/watchHaptic``. Safe to use from any thread.
  ///
  /// In the background, a watch plays only during a workout session or the like of the app.
  public final class WatchKitPlayer: HapticPlayer {
    /// Every watch can be felt.
    public var supportsHaptics: Bool { true }

    /// Makes a player.
    public init() {}

    /// Does nothing, since a watch needs no engine.
    public func prepare() {}

    /// Plays the watch's pattern. Its strength is that of the watch's settings; a pattern without
    /// any is not played.
    public func play(_ pattern: HapticPattern) {
      guard pattern.intensity > 0 else { return }
      let haptic = WKHapticType(pattern.watchHaptic)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { WKInterfaceDevice.current().play(haptic) }
      }
    }

    /// Does nothing, since the watch's patterns are short and cannot be stopped.
    public func stop() {}
  }

  extension WKHapticType {
    /// The watch's name for a pattern.
    public init(_ haptic: WatchHaptic) {
      switch haptic {
      case .click: self = .click
      case .directionDown: self = .directionDown
      case .directionUp: self = .directionUp
      case .failure: self = .failure
      case .notification: self = .notification
      case .retry: self = .retry
      case .start: self = .start
      case .stop: self = .stop
      case .success: self = .success
      }
    }
  }
#endif
