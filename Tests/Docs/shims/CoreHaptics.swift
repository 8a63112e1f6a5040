// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Cairn uses of Core Haptics, with the signatures that Apple documents, so that it can be
// type-checked where there is no SDK. It does nothing.
@_exported import Foundation

public let CHHapticTimeImmediate: TimeInterval = 0

public protocol CHHapticDeviceCapability {
  var supportsHaptics: Bool { get }
  var supportsAudio: Bool { get }
}

private struct NoCapability: CHHapticDeviceCapability {
  let supportsHaptics = false
  let supportsAudio = false
}

open class CHHapticEventParameter: NSObject {
  public init(parameterID: CHHapticEvent.ParameterID, value: Float) {}
}

open class CHHapticDynamicParameter: NSObject {}

open class CHHapticEvent: NSObject {
  public struct EventType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let hapticTransient = EventType(rawValue: "HapticTransient")
    public static let hapticContinuous = EventType(rawValue: "HapticContinuous")
  }

  public struct ParameterID: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let hapticIntensity = ParameterID(rawValue: "HapticIntensity")
    public static let hapticSharpness = ParameterID(rawValue: "HapticSharpness")
  }

  public init(
    eventType: EventType, parameters: [CHHapticEventParameter], relativeTime: TimeInterval,
    duration: TimeInterval
  ) {}
}

open class CHHapticPattern: NSObject {
  public init(events: [CHHapticEvent], parameters: [CHHapticDynamicParameter]) throws {}
}

public protocol CHHapticPatternPlayer: NSObjectProtocol {
  func start(atTime time: TimeInterval) throws
  func stop(atTime time: TimeInterval) throws
}

private final class NoPlayer: NSObject, CHHapticPatternPlayer {
  func start(atTime time: TimeInterval) throws {}
  func stop(atTime time: TimeInterval) throws {}
}

// NSObject has an initialiser that does not throw.
open class CHHapticEngine {
  public enum StoppedReason: Int {
    case audioSessionInterrupt = 1, applicationSuspended, idleTimeout
  }
  public typealias StoppedHandler = (StoppedReason) -> Void
  public typealias ResetHandler = () -> Void

  open class func capabilitiesForHardware() -> any CHHapticDeviceCapability { NoCapability() }

  open var playsHapticsOnly = false
  open var stoppedHandler: StoppedHandler = { _ in }
  open var resetHandler: ResetHandler = {}

  public init() throws {}
  open func start() throws {}
  open func makePlayer(with pattern: CHHapticPattern) throws -> any CHHapticPatternPlayer {
    NoPlayer()
  }
}
