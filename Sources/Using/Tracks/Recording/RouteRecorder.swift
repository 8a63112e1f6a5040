// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Records a route so that nothing is lost, however the process ends.
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
/// Outdoors, each fix is written to a journal (``RouteJournal``) before the call returns, and
/// memory does not grow with the recording. Indoors, only the last fix is kept, in memory, and
/// becomes the route. Fixes are recorded as received; smoothing is for display (``RouteSmoother``).
///
/// Safe to use from any thread. It neither reads the clock nor talks to a receiver.
public final class RouteRecorder: Sendable {
  /// The place of the activity.
  public enum LocationType: String, Hashable, Sendable, Codable, CaseIterable {
    /// In a building, where receivers are unreliable.
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
    /// It has the time of the previous fix.
    case doubled
    /// It is older than the previous fix. After five of these in a row, in order among themselves,
    /// the clock counts as set back and the next one is recorded.
    case outOfOrder
  }

  /// When to flush the journal to disk, in addition to the system. A recorded fix survives the end
  /// of the process in any case; flushing protects against power loss.
  public enum Flushing: Hashable, Sendable {
    /// Never.
    case never
    /// After every this many recorded fixes, and when recording stops.
    case after(fixes: Int)
  }

  /// The outcomes of fixes since the recorder was made or reset.
  public struct Counts: Hashable, Sendable {
    /// Fixes of this recording, including restored ones; indoors, those considered.
    public var recorded = 0
    /// Fixes that were not recorded, by reason.
    public var rejected: [Rejection: Int] = [:]
    /// Fixes received while not collecting.
    public var ignored = 0
  }

  /// The recommended settings of a receiver for recording, as far as a permission allows: 10 m,
  /// fitness, no filter and no pauses, and in the background only with
  /// ``LocationAuthorization/authorizedAlways``.
  public static func recommendedSettings(_ authorization: LocationAuthorization) -> ReceiverSettings
  {
    var settings = ReceiverSettings()
    settings.allowsBackgroundUpdates = authorization == .authorizedAlways
    return settings
  }

  /// The default accuracies of recorded fixes: 0…50 m.
  public static let standardAccuracies = 0.0...50.0

  /// The path of the journal.
  public let journal: String
  /// The place of the activity.
  public let locationType: LocationType
  /// The horizontal accuracies of fixes that are recorded, in metres.
  public let accuracies: ClosedRange<Double>
  let flushing: Flushing
  let state: Mutex<State>

  struct State {
    var writer: JournalWriter?
    var isCollecting = false
    /// Whether there is a route to continue.
    var hasRoute = false
    var beginsSegment = true
    var filter: FixFilter
    var lastIndoorLocation: LocationFix?
    var counts = Counts()
  }

  /// Makes a recorder. No file is touched yet.
  ///
  /// - Parameters:
  ///   - journal: The path of the journal, in an existing folder.
  ///   - locationType: The place of the activity; indoors only the last fix is kept.
  ///   - accuracies: The accepted accuracies of fixes, in metres.
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

  /// Whether all fixes are recorded: everywhere except indoors.
  public var shouldCollectFullRoute: Bool { locationType != .indoor }

  /// Indoors, the last fix that was good enough.
  public var lastIndoorLocation: LocationFix? { state.withLock { $0.lastIndoorLocation } }

  /// Whether fixes are being recorded.
  public var isCollecting: Bool { state.withLock { $0.isCollecting } }

  /// The outcomes of fixes so far.
  public var counts: Counts { state.withLock { $0.counts } }
}
