// SPDX-License-Identifier: Apache-2.0

/// The settings of a receiver. The defaults suit recording and navigating: a system that filters
/// fixes or pauses the receiver causes gaps, which delay turn and off-route announcements.
public struct ReceiverSettings: Hashable, Sendable, Codable {
  /// The activity that a system assumes.
  public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot, by bicycle, at sports.
    case fitness
    /// In a car.
    case automotiveNavigation
    /// In another vehicle.
    case otherNavigation
    /// Any other activity.
    case other
  }

  /// The desired accuracy, in metres; fixes may be worse. Ten metres save battery and are no worse
  /// under the open sky.
  public var desiredAccuracyMetres = 10.0
  /// The user's activity.
  public var activity = Activity.fitness
  /// The distance to move before the next fix, in metres; nil for all fixes.
  public var distanceFilterMetres: Double?
  /// Whether the system may switch the receiver off when it assumes a standstill.
  public var pausesAutomatically = false
  /// Whether fixes are needed while the app is in the background. Systems then require
  /// ``LocationAuthorization/authorizedAlways`` and a declaration in the app; without the latter,
  /// fixes come while it is in use.
  public var allowsBackgroundUpdates = false

  /// The default values.
  public init() {}

  /// Whether an app declares that it takes fixes in the background: systems end apps that ask for
  /// them without that.
  ///
  /// - Parameter declared: The value of a key of the app's `Info.plist`.
  package static func declaresBackground(_ declared: (_ key: String) -> Any?) -> Bool {
    ["UIBackgroundModes", "WKBackgroundModes"].contains { key in
      (declared(key) as? [Any])?.contains { $0 as? String == "location" } == true
    }
  }
}
