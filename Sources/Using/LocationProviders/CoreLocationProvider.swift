// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreLocation)
  import CairnLocks
  import CairnTracks
  import CoreLocation

  /// The receiver of a device, by Core Location. Safe to use from any thread.
  ///
  /// The app declares `NSLocationWhenInUseUsageDescription`; for the background, also
  /// `NSLocationAlwaysAndWhenInUseUsageDescription` and the background mode `location`. Without
  /// that mode, ``Tracks/ReceiverSettings/allowsBackgroundUpdates`` must stay false.
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

    /// How the receiver is to work.
    public var settings: ReceiverSettings {
      get { heard.state.withLock { $0.settings } }
      set { heard.state.withLock { $0.settings = newValue } }
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

    func take(_ fix: LocationFix) {
      state.withLock { $0.current = fix }
      fixes.give(fix)
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
      manager.desiredAccuracy = settings.desiredAccuracyMetres
      manager.distanceFilter = settings.distanceFilterMetres ?? kCLDistanceFilterNone
      manager.activityType = CLActivityType(settings.activity)
      #if !os(watchOS)
        manager.pausesLocationUpdatesAutomatically = settings.pausesAutomatically
      #endif
      #if !os(macOS)
        manager.allowsBackgroundLocationUpdates = settings.allowsBackgroundUpdates
      #endif
      manager.startUpdatingLocation()
    }

    func stop() { manager.stopUpdatingLocation() }

    nonisolated func locationManager(
      _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
    ) {
      for fix in locations.compactMap(LocationFix.init) { heard.take(fix) }
    }

    nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      heard.take(LocationAuthorization(manager.authorizationStatus))
    }

    /// No fix; listeners notice its absence.
    nonisolated func locationManager(
      _ manager: CLLocationManager, didFailWithError error: any Error
    ) {}
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
