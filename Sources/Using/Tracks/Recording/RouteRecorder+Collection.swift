// SPDX-License-Identifier: Apache-2.0

extension RouteRecorder {
  /// Starts recording; does nothing if already recording.
  ///
  /// After ``restorePersistedRouteLocationsIfNeeded()`` or ``stopRouteCollection()`` the route
  /// continues with a new segment. Otherwise a new route starts, and a journal left by an earlier
  /// one is cleared.
  public func startRouteCollectionIfNeeded() throws(RouteJournal.Failure) {
    try state.withLock { state throws(RouteJournal.Failure) in
      guard !state.isCollecting else { return }
      if !state.hasRoute { forget(&state) }
      if shouldCollectFullRoute {
        let writer = try JournalWriter(journal, clearing: !state.hasRoute, flushing: flushing)
        state.counts.recorded = writer.contents.fixCount
        state.filter.resume(after: writer.contents.lastFix)
        state.writer = writer
      } else if !state.hasRoute {
        try removeJournal()
      }
      state.isCollecting = true
      state.hasRoute = true
      state.beginsSegment = true
    }
  }

  /// Takes the fixes of a receiver, in the order of their times. Outdoors, those that are good
  /// enough are persisted; indoors, the last of them is kept. Returns the number that were good
  /// enough.
  @discardableResult
  public func didUpdateLocations(_ fixes: [LocationFix]) throws(RouteJournal.Failure) -> Int {
    try state.withLock { state throws(RouteJournal.Failure) in
      guard state.isCollecting else {
        state.counts.ignored += fixes.count
        return 0
      }
      let filter = state.filter
      var good: [LocationFix] = []
      for fix in fixes.lazy.map(\.cleaned) {
        if let reason = state.filter.rejection(of: fix) {
          state.counts.rejected[reason, default: 0] += 1
        } else {
          good.append(fix)
        }
      }
      guard shouldCollectFullRoute else {
        state.lastIndoorLocation = good.last ?? state.lastIndoorLocation
        state.counts.recorded += good.count
        return good.count
      }
      do throws(RouteJournal.Failure) { try persist(good, &state) } catch {
        // They are not recorded, and may be given again.
        state.filter = filter
        throw error
      }
      try state.writer?.flushIfDue()
      return good.count
    }
  }

  /// Persists fixes of the accepted ``accuracies``, whatever their order. The others, and those
  /// whose position or time is out of range or NaN, are counted as rejected.
  ///
  /// For the fixes of a receiver, use ``didUpdateLocations(_:)``, which also leaves out doubled
  /// ones.
  public func persistRouteLocations(_ fixes: [LocationFix]) throws(RouteJournal.Failure) {
    try state.withLock { state throws(RouteJournal.Failure) in
      guard state.isCollecting, shouldCollectFullRoute else {
        state.counts.ignored += fixes.count
        return
      }
      let filter = state.filter
      var good: [LocationFix] = []
      for fix in fixes.lazy.map(\.cleaned) {
        if let reason = filter.rejectionByQuality(of: fix) {
          state.counts.rejected[reason, default: 0] += 1
        } else {
          good.append(fix)
        }
      }
      try persist(good, &state)
      try state.writer?.flushIfDue()
    }
  }

  private func persist(_ fixes: [LocationFix], _ state: inout State) throws(RouteJournal.Failure) {
    guard let writer = state.writer, !fixes.isEmpty else { return }
    try writer.append(fixes, beginsSegment: state.beginsSegment)
    state.beginsSegment = false
    state.counts.recorded += fixes.count
  }

  /// Pauses recording; ``startRouteCollectionIfNeeded()`` continues with a new segment.
  public func stopRouteCollection() throws(RouteJournal.Failure) {
    try state.withLock { state throws(RouteJournal.Failure) in try stop(&state) }
  }

  private func stop(_ state: inout State) throws(RouteJournal.Failure) {
    let writer = state.writer
    state.writer = nil
    state.isCollecting = false
    try writer?.flush()
  }

  /// Restores what an earlier process left in the journal; call it before recording starts. Does
  /// nothing without a journal or while recording, and never changes the file.
  ///
  /// Returns the content of the journal.
  @discardableResult
  public func restorePersistedRouteLocationsIfNeeded() throws(RouteJournal.Failure)
    -> RouteJournal.Contents
  {
    try state.withLock { state throws(RouteJournal.Failure) in
      guard shouldCollectFullRoute, !state.isCollecting else { return RouteJournal.Contents() }
      do throws(RouteJournal.Failure) {
        let contents = try RouteJournal.read(journal)
        state.hasRoute = true
        state.counts.recorded = contents.fixCount
        return contents
      } catch {
        guard case .missing = error else { throw error }
        return RouteJournal.Contents()
      }
    }
  }

  /// Stops recording and returns the route: outdoors the whole journal, indoors the last fix alone.
  ///
  /// The journal stays until ``clearPersistedRouteLocations()``, ``reset()`` or the next start, so
  /// that the route is not lost before the app has saved it. For routes too long for memory, use
  /// ``RouteJournal/read(_:_:)``: a fix takes about 100 bytes, a day at one fix a second 9 MB.
  public func finishRouteCollection() throws(RouteJournal.Failure) -> RecordedRoute {
    try state.withLock { state throws(RouteJournal.Failure) in
      try stop(&state)
      defer { state.hasRoute = false }
      guard shouldCollectFullRoute else {
        return RecordedRoute(segments: state.lastIndoorLocation.map { [[$0]] } ?? [])
      }
      return state.hasRoute ? try RecordedRoute(journal: journal) : RecordedRoute(segments: [])
    }
  }

  /// ``finishRouteCollection()`` with an activity.
  public func finishRouteCollection(for activity: RecordedActivity) throws(RouteJournal.Failure)
    -> RecordedRoute
  {
    var route = try finishRouteCollection()
    route.activity = activity
    return route
  }

  /// Removes the journal, or empties it while recording. A file that is not a journal is left alone
  /// and reported.
  public func clearPersistedRouteLocations() throws(RouteJournal.Failure) {
    try state.withLock { state throws(RouteJournal.Failure) in
      guard state.writer != nil else {
        try removeJournal()
        state.hasRoute = false
        return
      }
      state.writer = nil
      state.writer = try JournalWriter(journal, clearing: true, flushing: flushing)
      state.beginsSegment = true
      state.counts.recorded = 0
    }
  }

  /// Stops recording and forgets the route and its journal.
  public func reset() throws(RouteJournal.Failure) {
    try state.withLock { state throws(RouteJournal.Failure) in
      try stop(&state)
      forget(&state)
      try removeJournal()
    }
  }

  private func forget(_ state: inout State) {
    state = State(filter: FixFilter(accuracies: accuracies))
  }

  private func removeJournal() throws(RouteJournal.Failure) {
    do throws(RouteJournal.Failure) { try RouteJournal.remove(journal) } catch {
      guard case .missing = error else { throw error }
    }
  }
}
