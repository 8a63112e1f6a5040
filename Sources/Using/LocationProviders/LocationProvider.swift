// SPDX-License-Identifier: Apache-2.0
import CairnTracks

/// Where fixes come from: on a device a receiver, elsewhere a recording or a simulation.
///
/// An app conforms a wrapper of its platform's location manager to it; ``ReplayProvider`` plays back
/// fixes in its place.
public protocol LocationProvider: AnyObject, Sendable {
  /// The last fix; nil before the first one. Its timestamp says how old it is.
  var currentLocation: LocationFix? { get }
  /// What the user allows.
  var authorizationStatus: LocationAuthorization { get }

  /// How the receiver is to work; it holds from the next ``startLocationUpdates()`` on.
  var settings: ReceiverSettings { get set }

  /// Asks the user for the next permission on the way to one, as
  /// ``Tracks/LocationAuthorization/nextRequest(upTo:)`` says; does nothing where there is none left to
  /// ask for. An app that wants ``Tracks/LocationAuthorization/Permission/always`` calls it again when
  /// ``authorizationChanges()`` says that the first one was given.
  func requestLocationPermission(upTo permission: LocationAuthorization.Permission)
  /// Gives one fix, to ``currentLocation`` and all ``fixes()``, and no more. Nothing happens without
  /// permission, or while fixes are given anyway.
  func requestCurrentLocation()
  /// Begins to give fixes; nothing happens without permission, or if it has begun.
  func startLocationUpdates()
  /// Gives no more fixes until it is started again.
  func stopLocationUpdates()

  /// The fixes from now on, in order, to each who asks. The stream ends when there will be no more.
  func fixes() -> AsyncStream<LocationFix>
  /// What the user allows now, and then each change of it, to each who asks.
  func authorizationChanges() -> AsyncStream<LocationAuthorization>
}

/// The same under the name that apps know for it.
public typealias LocationServiceProtocol = LocationProvider

extension LocationProvider {
  /// Asks for permission while the app is in use, if nobody was asked yet; where there is permission, asks
  /// for a fix.
  public func requestLocationPermission() {
    if authorizationStatus.isAuthorized {
      requestCurrentLocation()
    } else {
      requestLocationPermission(upTo: .whenInUse)
    }
  }
}
