// SPDX-License-Identifier: Apache-2.0

/// How a receiver is to work. The default values are those that recording and navigating want: a system
/// that filters fixes or pauses the receiver makes gaps, and who follows a route then hears late of a
/// turn or of being off it.
public struct ReceiverSettings: Hashable, Sendable, Codable {
  /// What a system takes somebody for who moves.
  public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot, by bicycle, at sports.
    case fitness
    /// In a car.
    case automotiveNavigation
    /// In another vehicle.
    case otherNavigation
    /// Nothing of these.
    case other
  }

  /// The accuracy that is wanted, in metres; what comes may be worse. Ten metres spare the battery, and
  /// are no worse under the open sky.
  public var desiredAccuracyMetres = 10.0
  /// What the user does.
  public var activity = Activity.fitness
  /// How far one must move until there is another fix, in metres; nil for all fixes.
  public var distanceFilterMetres: Double?
  /// Whether the system may switch the receiver off where it thinks that nobody moves.
  public var pausesAutomatically = false
  /// Whether fixes are wanted while the app is in the background. A system asks for
  /// ``LocationAuthorization/authorizedAlways`` then, and for a declaration of the app.
  public var allowsBackgroundUpdates = false

  /// The default values.
  public init() {}
}
