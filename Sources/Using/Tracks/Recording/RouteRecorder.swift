// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Records where somebody was, so that nothing is lost when the process ends, whatever ends it.
///
/// ```swift
/// let recorder = RouteRecorder(journal: folder + "/route.journal")
/// try recorder.restorePersistedRouteLocationsIfNeeded()   // after the app was killed
/// try recorder.startRouteCollectionIfNeeded()
/// try recorder.didUpdateLocations(fixes)                  // whenever the receiver has some
/// let route = try recorder.finishRouteCollection()
/// …                                                       // keep the route
/// try recorder.clearPersistedRouteLocations()
/// ```
///
/// Outdoors each fix goes to a journal (``RouteJournal``) before the call returns, and memory does not
/// grow with the length of the recording. Indoors only the last fix is kept, in memory, and becomes the
/// route. What is recorded is what the receiver said: smoothing is for display (``RouteSmoother``).
///
/// May be used from any thread. It neither reads the clock nor talks to a receiver.
public final class RouteRecorder: Sendable {
  /// Where the activity takes place.
  public enum LocationType: String, Hashable, Sendable, Codable, CaseIterable {
    /// In a building, where receivers guess.
    case indoor
    /// Under the sky.
    case outdoor
    /// Not said; recorded as outdoors.
    case unknown
  }

  /// Why a fix is not recorded.
  public enum Rejection: String, Hashable, Sendable, Codable, CaseIterable {
    /// Position or time are not numbers within their ranges.
    case invalid
    /// Its accuracy is unknown or not within ``RouteRecorder/accuracies``.
    case inaccurate
    /// It has the time of the fix before it.
    case doubled
    /// It is older than the fix before it. After five of these in a row, in order among themselves, the
    /// clock counts as set back and the next one is recorded.
    case outOfOrder
  }

  /// When the journal is flushed to the disk, beyond what the system does by itself. A fix that was
  /// recorded survives the end of the process in any case; this is about the loss of power.
  public enum Flushing: Hashable, Sendable {
    /// Never.
    case never
    /// Whenever so many fixes were recorded since the last time, and when recording stops.
    case after(fixes: Int)
  }

  /// What became of the fixes since the recorder was made or reset.
  public struct Counts: Hashable, Sendable {
    /// Fixes of this recording, including restored ones; indoors those that were considered.
    public var recorded = 0
    /// Fixes that were not recorded, by reason.
    public var rejected: [Rejection: Int] = [:]
    /// Fixes that came while nothing was being collected.
    public var ignored = 0
  }

  /// What to set a receiver to for a recording, as far as a permission goes: 10 m, fitness, no filter
  /// and no pauses, and in the background with ``LocationAuthorization/authorizedAlways`` only.
  public static func recommendedSettings(_ authorization: LocationAuthorization) -> ReceiverSettings
  {
    var settings = ReceiverSettings()
    settings.allowsBackgroundUpdates = authorization == .authorizedAlways
    return settings
  }

  /// The accuracies of fixes that are recorded unless others are given: 0…50 m.
  public static let standardAccuracies = 0.0...50.0

  /// The path of the journal.
  public let journal: String
  /// Where the activity takes place.
  public let locationType: LocationType
  /// The horizontal accuracies of fixes that are recorded, in metres.
  public let accuracies: ClosedRange<Double>
  let flushing: Flushing
  let state: Mutex<State>

  struct State {
    var writer: JournalWriter?
    var isCollecting = false
    /// Whether there is a route to go on with.
    var hasRoute = false
    var beginsSegment = true
    var filter: FixFilter
    var lastIndoorLocation: LocationFix?
    var counts = Counts()
  }

  /// Makes a recorder; no file is touched yet.
  ///
  /// - Parameters:
  ///   - journal: The path of the journal, in a folder that exists.
  ///   - locationType: Which fixes are recorded: all, or those outdoors.
  ///   - accuracies: The radii within which fixes are believed, in metres.
  ///   - flushing: By default after each 30 fixes, half a minute for most receivers.
  public init(
    journal: String, locationType: LocationType = .outdoor,
    accuracies: ClosedRange<Double> = standardAccuracies, flushing: Flushing = .after(fixes: 30)
  ) {
    self.journal = journal
    self.locationType = locationType
    self.accuracies = accuracies
    self.flushing = flushing
    state = Mutex(State(filter: FixFilter(accuracies: accuracies)))
  }

  /// Whether all fixes are recorded, which is so anywhere but indoors.
  public var shouldCollectFullRoute: Bool { locationType != .indoor }

  /// Indoors, the last fix that was good enough.
  public var lastIndoorLocation: LocationFix? { state.withLock { $0.lastIndoorLocation } }

  /// Whether fixes are being recorded.
  public var isCollecting: Bool { state.withLock { $0.isCollecting } }

  /// What became of the fixes so far.
  public var counts: Counts { state.withLock { $0.counts } }
}
