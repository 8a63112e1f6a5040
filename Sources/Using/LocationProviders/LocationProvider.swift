// SPDX-License-Identifier: Apache-2.0
import Tracks

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

  /// Whether fixes can be had.
  public var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }
}

/// Where fixes come from: on a device a receiver, elsewhere a recording or a simulation.
///
/// An app conforms a wrapper of its platform's location manager to it; ``ReplayProvider`` plays back
/// fixes in its place.
public protocol LocationProvider: AnyObject, Sendable {
  /// The last fix; nil before the first one. Its timestamp says how old it is.
  var currentLocation: LocationFix? { get }
  /// What the user allows.
  var authorizationStatus: LocationAuthorization { get }

  /// Asks the user for permission, if that was not done yet.
  func requestLocationPermission()
  /// Begins to give fixes; nothing happens without permission, or if it has begun.
  func startLocationUpdates()
  /// Gives no more fixes until it is started again.
  func stopLocationUpdates()

  /// The fixes from now on, in order, to each who asks. The stream ends when there will be no more.
  func fixes() -> AsyncStream<LocationFix>
}
