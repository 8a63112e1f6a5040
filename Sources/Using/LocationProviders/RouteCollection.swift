// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording with its receiver: asks for permission, configures the receiver, and passes its
/// fixes to a `RouteRecorder`. Safe to use from any thread.
///
/// ```swift
/// let collection = RouteCollection(provider: provider, journal: journal)
/// collection.configureRouteCollectionIfNeeded(for: .outdoor)
/// try collection.startRouteCollectionIfNeeded()
/// …
/// let route = try collection.finishRouteCollection(for: activity)
/// …                                               // keep the route
/// try collection.clearPersistedRouteLocations()   // now that it is kept
/// try collection.teardownRouteCollection()
/// ```
public final class RouteCollection: Sendable {
  private struct State {
    var recorder: RouteRecorder?
    var fixes: Task<Void, Never>?
    var permissions: Task<Void, Never>?
    var failure: RouteJournal.Failure?
  }

  private let provider: any LocationProvider
  private let journal: URL
  private let state = Mutex(State())

  /// Makes a collection. Nothing is requested and no file is touched yet.
  ///
  /// - Parameters:
  ///   - provider: The receiver.
  ///   - journal: The file of the recording, in an existing folder.
  public init(provider: any LocationProvider, journal: URL) {
    self.provider = provider
    self.journal = journal
  }

  deinit {
    let state = state.withLock { $0 }
    state.fixes?.cancel()
    state.permissions?.cancel()
  }

  /// The recorder; nil before configuration and after teardown.
  public var recorder: RouteRecorder? { state.withLock { $0.recorder } }

  /// The last failure to keep fixes; nil if all were kept.
  public var failure: RouteJournal.Failure? { state.withLock { $0.failure } }

  /// Makes a recorder and asks for permission, first while in use and then always. Does nothing if
  /// already configured.
  public func configureRouteCollectionIfNeeded(for locationType: RouteRecorder.LocationType) {
    let isNew = state.withLock { state in
      guard state.recorder == nil else { return false }
      state.recorder = RouteRecorder(journal: journal, locationType: locationType)
      state.permissions = Task { [weak self, provider] in
        for await permission in provider.authorizationChanges() {
          self?.permissionChanged(to: permission)
        }
      }
      return true
    }
    if isNew { provider.requestLocationPermission(upTo: .always) }
  }

  /// Starts or resumes recording; does nothing before configuration. Without permission, recording
  /// starts when it is granted.
  ///
  /// - Parameter recovering: Whether to continue the route of an earlier process, if there is one.
  ///   Otherwise that route is discarded.
  public func startRouteCollectionIfNeeded(recovering: Bool = false) throws(RouteJournal.Failure) {
    guard let recorder else { return }
    if recovering { try recorder.restorePersistedRouteLocationsIfNeeded() }
    // Listen first: once the recorder collects, a permission may start the receiver. The provider is
    // the app's and may ask this object, so it is not called with the lock held.
    let fixes = provider.fixes()
    state.withLock { state in
      guard state.fixes == nil else { return }
      state.fixes = Task { [weak self] in
        for await fix in fixes {
          do throws(RouteJournal.Failure) { try recorder.didUpdateLocations([fix]) } catch {
            self?.state.withLock { $0.failure = error }
          }
        }
      }
    }
    do throws(RouteJournal.Failure) { try recorder.startRouteCollectionIfNeeded() } catch {
      stopListening()
      throw error
    }
    provider.settings = RouteRecorder.recommendedSettings(provider.authorizationStatus)
    provider.startLocationUpdates()
  }

  /// Pauses: no more fixes, also in the background.
  public func stopRouteCollection() throws(RouteJournal.Failure) {
    provider.stopLocationUpdates()
    provider.settings.allowsBackgroundUpdates = false
    stopListening()
    try recorder?.stopRouteCollection()
  }

  /// Stops, and returns the route of an activity: outdoors the whole recording, indoors the last
  /// fix alone. Nil before configuration. The journal stays until
  /// ``clearPersistedRouteLocations()``.
  public func finishRouteCollection(for activity: RecordedActivity) throws(RouteJournal.Failure)
    -> RecordedRoute?
  {
    try stopRouteCollection()
    return try recorder?.finishRouteCollection(for: activity)
  }

  /// Removes the journal, also after ``teardownRouteCollection()``, or empties it while recording.
  /// Call it once the app has saved the route: without its journal, a route is nowhere else.
  public func clearPersistedRouteLocations() throws(RouteJournal.Failure) {
    try (recorder ?? RouteRecorder(journal: journal)).clearPersistedRouteLocations()
  }

  /// Stops, and discards the recorder, so that another recording can be configured. The journal
  /// stays: ``startRouteCollectionIfNeeded(recovering:)`` can continue the route, and
  /// ``clearPersistedRouteLocations()`` removes it.
  public func teardownRouteCollection() throws(RouteJournal.Failure) {
    try stopRouteCollection()
    state.withLock { state in
      state.permissions?.cancel()
      state = State()
    }
  }

  private func stopListening() {
    state.withLock { state in
      state.fixes?.cancel()
      state.fixes = nil
    }
  }

  private func permissionChanged(to permission: LocationAuthorization) {
    // The second permission is requested only after the first was granted.
    if permission.isAuthorized { provider.requestLocationPermission(upTo: .always) }
    guard recorder?.isCollecting == true, permission.isAuthorized else { return }
    provider.settings.allowsBackgroundUpdates = permission == .authorizedAlways
    provider.startLocationUpdates()
  }
}
