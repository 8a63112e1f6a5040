// SPDX-License-Identifier: Apache-2.0

/// The user's permission for an app to use their location.
public enum LocationAuthorization: String, Hashable, Sendable, Codable, CaseIterable {
  /// The user was not asked yet.
  case notDetermined
  /// The device does not allow it to this app, whatever the user's choice.
  case restricted
  /// The user refused.
  case denied
  /// While the app is in use.
  case authorizedWhenInUse
  /// Also in the background.
  case authorizedAlways

  /// A permission that an app may request.
  public enum Permission: String, Hashable, Sendable, Codable, CaseIterable {
    /// While the app is in use.
    case whenInUse
    /// Also in the background, such as for navigating with the screen off.
    case always
  }

  /// Whether fixes are available.
  public var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }

  /// The next permission to request from the user: first while in use, then, once granted, always.
  /// Nil if the permission is granted, or if only the user can change it in the settings.
  public func nextRequest(upTo permission: Permission) -> Permission? {
    switch (self, permission) {
    case (.notDetermined, _): .whenInUse
    case (.authorizedWhenInUse, .always): .always
    case (.authorizedWhenInUse, .whenInUse), (.authorizedAlways, _), (.denied, _), (.restricted, _):
      nil
    }
  }
}
