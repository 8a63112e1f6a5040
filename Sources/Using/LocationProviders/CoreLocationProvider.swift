// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreLocation)
  import CairnLocks
  import CairnTracks
  import CoreLocation

  /// The receiver of a device, by Core Location. Safe to use from any thread.
  ///
  /// The app declares `NSLocationWhenInUseUsageDescription`; for the background, also
  /// `NSLocationAlwaysAndWhenInUseUsageDescription` and the background mode `location`. Without
  /// that mode, ``Tracks/ReceiverSettings/allowsBackgroundUpdates`` has no effect but a failure
  /// (``failures()``).
  public final class CoreLocationProvider: LocationProvider {
    private let heard: HeardLocations
    private let receiver: CoreLocationReceiver

    /// Makes a provider that gives no fixes yet.
    @MainActor public init() {
      heard = HeardLocations()
      receiver = CoreLocationReceiver(heard)
    }

    /// The last fix.
    public var currentLocation: LocationFix? { heard.state.withLock { $0.current } }

    /// The user's permission.
    public var authorizationStatus: LocationAuthorization {
      heard.state.withLock { $0.authorization }
    }

    /// How the receiver is to work. While updates are running, it holds at once.
    public var settings: ReceiverSettings {
      get { heard.state.withLock { $0.settings } }
      set {
        let isUpdating = heard.state.withLock { state in
          defer { state.settings = newValue }
          return state.isUpdating && state.settings != newValue
        }
        if isUpdating { onMain { $0.apply(newValue) } }
      }
    }

    /// Asks for the next permission.
    public func requestLocationPermission(upTo permission: LocationAuthorization.Permission) {
      guard let next = authorizationStatus.nextRequest(upTo: permission) else { return }
      onMain { $0.request(next) }
    }

    /// Requests a single fix.
    public func requestCurrentLocation() {
      let isWanted = heard.state.withLock { $0.authorization.isAuthorized && !$0.isUpdating }
      if isWanted { onMain { $0.requestOne() } }
    }

    /// Begins to give fixes.
    public func startLocationUpdates() {
      let settings = heard.state.withLock { state -> ReceiverSettings? in
        guard state.authorization.isAuthorized, !state.isUpdating else { return nil }
        state.isUpdating = true
        return state.settings
      }
      if let settings { onMain { $0.start(settings) } }
    }

    /// Stops giving fixes.
    public func stopLocationUpdates() {
      heard.state.withLock { $0.isUpdating = false }
      onMain { $0.stop() }
    }

    /// The fixes from now on.
    public func fixes() -> AsyncStream<LocationFix> { heard.fixes.stream() }

    /// The permission now and all changes.
    public func authorizationChanges() -> AsyncStream<LocationAuthorization> {
      heard.state.withLock { heard.authorizations.stream(beginningWith: $0.authorization) }
    }

    /// Why Core Location gave no fix, from now on.
    public func failures() -> AsyncStream<LocationFailure> { heard.failures.stream() }

    /// Calls Core Location on the thread on which it calls back, in the order of the calls.
    private func onMain(_ body: @escaping @MainActor (CoreLocationReceiver) -> Void) {
      DispatchQueue.main.async { [receiver] in MainActor.assumeIsolated { body(receiver) } }
    }
  }

  /// The latest values from Core Location, for any thread.
  private final class HeardLocations: Sendable {
    struct State {
      var current: LocationFix?
      var authorization = LocationAuthorization.notDetermined
      var settings = ReceiverSettings()
      var isUpdating = false
    }

    let state = Mutex(State())
    let fixes = Broadcast<LocationFix>()
    let authorizations = Broadcast<LocationAuthorization>()
    let failures = Broadcast<LocationFailure>()

    func take(_ fix: LocationFix) {
      state.withLock { $0.current = fix }
      fixes.give(fix)
    }

    func take(_ failure: LocationFailure) {
      if failure == .permissionDenied { state.withLock { $0.isUpdating = false } }
      failures.give(failure)
    }

    func take(_ authorization: LocationAuthorization) {
      state.withLock { state in
        guard state.authorization != authorization else { return }
        state.authorization = authorization
        if !authorization.isAuthorized { state.isUpdating = false }
        authorizations.give(authorization)
      }
    }
  }

  /// Receives the callbacks of Core Location.
  @MainActor private final class CoreLocationReceiver: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let heard: HeardLocations

    init(_ heard: HeardLocations) {
      self.heard = heard
      super.init()
      heard.take(LocationAuthorization(manager.authorizationStatus))
      manager.delegate = self
    }

    func request(_ permission: LocationAuthorization.Permission) {
      switch permission {
      case .whenInUse: manager.requestWhenInUseAuthorization()
      case .always: manager.requestAlwaysAuthorization()
      }
    }

    func requestOne() { manager.requestLocation() }

    func start(_ settings: ReceiverSettings) {
      apply(settings)
      manager.startUpdatingLocation()
    }

    func apply(_ settings: ReceiverSettings) {
      manager.desiredAccuracy = settings.desiredAccuracyMetres
      manager.distanceFilter = settings.distanceFilterMetres ?? kCLDistanceFilterNone
      manager.activityType = CLActivityType(settings.activity)
      #if !os(watchOS)
        manager.pausesLocationUpdatesAutomatically = settings.pausesAutomatically
      #endif
      #if !os(macOS)
        let isDeclared = ReceiverSettings.declaresBackground {
          Bundle.main.object(forInfoDictionaryKey: $0)
        }
        manager.allowsBackgroundLocationUpdates = settings.allowsBackgroundUpdates && isDeclared
        if settings.allowsBackgroundUpdates && !isDeclared { heard.take(.backgroundNotDeclared) }
      #endif
    }

    func stop() {
      manager.stopUpdatingLocation()
      #if !os(macOS)
        manager.allowsBackgroundLocationUpdates = false
      #endif
    }

    nonisolated func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      for fix in locations.compactMap(LocationFix.init) { heard.take(fix) }
    }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      heard.take(LocationAuthorization(manager.authorizationStatus))
    }

    nonisolated func locationManager(
      _ manager: CLLocationManager, didFailWithError error: any Error
    ) { heard.take(LocationFailure(error)) }
  }

  extension LocationFailure {
    /// Converts an error of Core Location.
    public init(_ error: any Error) {
      switch (error as? CLError)?.code {
      case .locationUnknown: self = .noFixYet
      case .denied: self = .permissionDenied
      default: self = .unavailable(error.localizedDescription)
      }
    }
  }

  extension LocationAuthorization {
    /// Converts Core Location's status.
    public init(_ status: CLAuthorizationStatus) {
      switch status {
      case .notDetermined: self = .notDetermined
      case .restricted: self = .restricted
      case .denied: self = .denied
      case .authorizedAlways: self = .authorizedAlways
      #if !os(macOS)
        case .authorizedWhenInUse: self = .authorizedWhenInUse
      #endif
      @unknown default: self = .restricted
      }
    }
  }

  extension CLActivityType {
    fileprivate init(_ activity: ReceiverSettings.Activity) {
      switch activity {
      case .fitness: self = .fitness
      case .automotiveNavigation: self = .automotiveNavigation
      case .otherNavigation: self = .otherNavigation
      case .other: self = .other
      }
    }
  }
#endif
