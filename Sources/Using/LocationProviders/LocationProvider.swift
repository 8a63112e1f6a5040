// SPDX-License-Identifier: Apache-2.0
import CairnTracks

/// A source of fixes: a device's receiver, a recording or a simulation.
///
/// An app conforms a wrapper of its platform's location manager to this protocol;
/// ``ReplayProvider`` plays back fixes instead.
public protocol LocationProvider: AnyObject, Sendable {
  /// The last fix; nil before the first. Its timestamp gives its age.
  var currentLocation: LocationFix? { get }
  /// The user's permission.
  var authorizationStatus: LocationAuthorization { get }

  /// How the receiver is to work; it holds from the next ``startLocationUpdates()`` on at the
  /// latest.
  var settings: ReceiverSettings { get set }

  /// Asks the user for the next permission on the way to the given one, as in
  /// ``Tracks/LocationAuthorization/nextRequest(upTo:)``; does nothing if none is left to ask for.
  /// An app that wants ``Tracks/LocationAuthorization/Permission/always`` calls it again when
  /// ``authorizationChanges()`` reports that the first was granted.
  func requestLocationPermission(upTo permission: LocationAuthorization.Permission)
  /// Requests a single fix, sent to ``currentLocation`` and all ``fixes()``. Does nothing without
  /// permission, or while updates are running.
  func requestCurrentLocation()
  /// Starts updates. Does nothing without permission, or if they are running.
  func startLocationUpdates()
  /// Stops updates until they are started again.
  func stopLocationUpdates()

  /// The fixes from now on, in order; each call makes a stream. It ends when there will be no more.
  func fixes() -> AsyncStream<LocationFix>
  /// The user's current permission, followed by each change of it; each call makes a stream.
  func authorizationChanges() -> AsyncStream<LocationAuthorization>
  /// Why the receiver gave no fix, from now on; each call makes a stream. By default, it is empty.
  func failures() -> AsyncStream<LocationFailure>
}

/// An alias under a name common in apps.
public typealias LocationServiceProtocol = LocationProvider

extension LocationProvider {
  /// None: for providers that notice no failures.
  public func failures() -> AsyncStream<LocationFailure> { AsyncStream { $0.finish() } }

  /// Asks for permission while the app is in use, if never asked before; with permission, requests
  /// a fix.
  public func requestLocationPermission() {
    if authorizationStatus.isAuthorized {
      requestCurrentLocation()
    } else {
      requestLocationPermission(upTo: .whenInUse)
    }
  }
}
