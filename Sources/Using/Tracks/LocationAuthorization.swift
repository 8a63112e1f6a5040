// SPDX-License-Identifier: Apache-2.0

/// What a user allows an app to know of where they are.
public enum LocationAuthorization: String, Hashable, Sendable, Codable, CaseIterable {
  /// The user was not asked yet.
  case notDetermined
  /// The device does not let this app have it, whatever the user says.
  case restricted
  /// The user refused.
  case denied
  /// While the app is in use.
  case authorizedWhenInUse
  /// Also in the background.
  case authorizedAlways

  /// A permission that an app may ask for.
  public enum Permission: String, Hashable, Sendable, Codable, CaseIterable {
    /// While the app is in use.
    case whenInUse
    /// Also in the background, as while navigating with the screen off.
    case always
  }

  /// Whether fixes can be had.
  public var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }

  /// What to ask the user for next, one step at a time: first for while the app is in use, and when
  /// that was given for always. Nil where the permission is there, and where only the user can still
  /// change it, in the settings.
  public func nextRequest(upTo permission: Permission) -> Permission? {
    switch (self, permission) {
    case (.notDetermined, _): .whenInUse
    case (.authorizedWhenInUse, .always): .always
    case (.authorizedWhenInUse, .whenInUse), (.authorizedAlways, _), (.denied, _), (.restricted, _):
      nil
    }
  }
}
