// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import DownloadCache
import FoundationEssentials
import Manifests
import Planning
import Synchronization
import SystemIO

/// The supply of files for moving sources: local files, and requests for the rest.
package protocol SourceSupply: Sendable {
  /// Whether the file of a digest and size is at hand for a source.
  func has(_ source: Manifest.Source, _ sha256: String, bytes: Int) -> Bool

  /// Sends a request, which happens only in the asking mode.
  func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer

  /// The size in bytes of a file in the cache of downloads; nil if it is missing.
  func cachedBytes(_ sha256: String) -> Int?

  /// Gives a file of the cache of downloads another name; false if it is missing.
  func takeFromCache(_ sha256: String, as path: String) throws(CairnError) -> Bool

  /// The digest of a file; nil if it cannot be read.
  func digest(ofFile path: String) -> String?
}

/// Determines the content of a manifest's moving sources (files without a digest, answers of
/// Overpass APIs, elevation tiles) and the locations of its rasters.
///
/// Afterwards each has a digest, and its file is in the cache of downloads or in the store;
/// otherwise it has an obstacle, which fails only the regions that need it.
package struct SourceResolver: Sendable {
  /// The source of the digests.
  package enum Mode: Equatable, Sendable {
    /// Servers are asked, and the lock file is renewed.
    case asking
    /// The lock file alone, which must be complete.
    case frozen
    /// The lock file alone, as far as its files are available locally.
    case offline
    /// The lock file alone, for planning; missing files do not matter.
    case planning
  }

  /// A request: a source, and for an Overpass API one of its regions.
  private struct Task: Sendable {
    var source: Manifest.Source
    var region: Manifest.Region?
  }

  /// The outcome of a task.
  private enum Finding: Sendable {
    case version(SourceLock.Version)
    case answer(SourceLock.Answer)
    case obstacle(CairnError)
  }

  package let manifest: Manifest
  /// The regions that will be built.
  package let regions: [Manifest.Region]
  package var mode = Mode.asking
  /// Whether Overpass APIs are queried again regardless of the age of their answers.
  package var isUpdating = false
  /// The shapes of the regions.
  package let shapes: RegionShapes
  /// The supply of files.
  package var supply: any SourceSupply
  /// The current time; nil for the clock's.
  package var time: Date?
  /// Called with each request, and with its outcome.
  package var note: @Sendable (_ source: String, _ message: String) -> Void = { _, _ in }

  package init(
    _ manifest: Manifest, _ regions: [Manifest.Region], mode: Mode = .asking, shapes: RegionShapes,
    supply: any SourceSupply
  ) {
    self.manifest = manifest
    self.regions = regions
    self.mode = mode
    self.shapes = shapes
    self.supply = supply
  }

  /// The number of concurrent requests. Overpass APIs allow two.
  private static let taskLimit = 2

  /// The manifest with the resolved moving sources. Each Overpass API becomes a source for each
  /// region.
  ///
  /// Throws 78 if the lock file is invalid, or frozen and incomplete, and 73 if it cannot be
  /// written.
  package func resolve() throws -> Manifest {
    let tasks = self.tasks
    guard !tasks.isEmpty || hasTilePatterns || hasRasters else { return manifest }
    let path = SourceLock.path(ofManifest: manifest.path)
    let lock = try SourceLock(file: path)
    if mode == .frozen { try checkComplete(lock, tasks, path) }
    let findings = try find(tasks, lock)
    var resolved = manifest
    var renewed = lock
    for (task, finding) in zip(tasks, findings) {
      apply(task, finding, to: &resolved)
      switch (finding, task.region) {
      case (.version(let version), _): renewed.sources[task.source.name] = version
      case (.answer(let answer), let region?):
        renewed.answers[task.source.name, default: [:]][region.id] = answer
      default: break
      }
    }
    resolveTiles(&resolved, &renewed)
    resolveRasters(&resolved)
    renewed = renewed.without(othersThan: manifest)
    if mode == .asking, renewed != lock { try renewed.write(to: path) }
    return resolved
  }

  /// The tasks for the regions.
  private var tasks: [Task] {
    var known: Set<String> = []
    return regions.compactMap { region in
      guard let source = manifest.sources[region.source], source.isRemote, source.sha256 == nil
      else { return nil }
      if source.isAnswer { return Task(source: source, region: region) }
      return known.insert(source.name).inserted ? Task(source: source) : nil
    }
  }

  private func find(_ tasks: [Task], _ lock: SourceLock) throws -> [Finding] {
    guard !tasks.isEmpty else { return [] }
    let queue = WorkQueue(count: tasks.count)
    let findings = Collector<Finding>(count: tasks.count)
    try withWorkers(min(Self.taskLimit, tasks.count)) { _ in
      while let index = queue.next() { findings.set(index, find(tasks[index], lock)) }
    }
    return findings.values()
  }

  private func find(_ task: Task, _ lock: SourceLock) -> Finding {
    do throws(CairnError) {
      guard let region = task.region else {
        return .version(try version(task.source, lock.sources[task.source.name]))
      }
      let query = try manifest.query(region, shapes)
      let known = lock.answers[task.source.name]?[region.id]
      return .answer(try answer(task.source, region, query, known))
    } catch { return .obstacle(error) }
  }

  private func version(_ source: Manifest.Source, _ entry: SourceLock.Version?)
    throws(CairnError) -> SourceLock.Version
  {
    let known = entry.flatMap { $0.isOf(source) ? $0 : nil }
    let isHere = known.map { supply.has(source, $0.sha256, bytes: $0.bytes) } ?? false
    let shown = redactedURL(source.path)
    guard mode == .asking else {
      guard let known else { throw notAsked(shown) }
      if mode == .offline, !isHere { throw notHere(shown) }
      return known
    }
    note(source.name, "asking \(shown)")
    let answer = try supply.ask(
      FetchRequest(
        url: source.path, maximumBytes: source.maximumBytes, tag: isHere ? known?.tag : nil,
        lastModified: isHere ? known?.lastModified : nil, md5URL: source.md5URL,
        content: source.format.rawValue))
    guard case .received(let file) = answer else {
      guard let known, isHere else {
        throw CairnError(.sourceFailed, .noInput, "was not sent", at: Location(file: shown))
      }
      note(source.name, "not changed")
      return known
    }
    note(
      source.name,
      known?.sha256 == file.sha256 ? "not changed" : "a new version, \(byteSize(file.bytes))")
    return SourceLock.Version(
      url: shown, urlMark: SourceLock.Version.mark(source.path), sha256: file.sha256,
      bytes: file.bytes, tag: file.tag, lastModified: file.lastModified, md5: file.md5)
  }

  private func answer(
    _ source: Manifest.Source, _ region: Manifest.Region, _ query: OverpassQuery,
    _ entry: SourceLock.Answer?
  ) throws(CairnError) -> SourceLock.Answer {
    let digest = query.digest(url: source.path)
    let known = entry.flatMap { $0.query == digest ? $0 : nil }
    let isHere = known.map { supply.has(source, $0.sha256, bytes: $0.bytes) } ?? false
    let shown = redactedURL(source.path)
    guard mode == .asking else {
      guard let known else { throw notAsked(shown) }
      if mode != .planning, !isHere { throw notHere(shown) }
      return known
    }
    let time = time ?? Date.now
    if let known, isHere, !isUpdating, isYoung(known, source, time) { return known }
    note(source.name, "asking \(shown) for \(region.id)")
    let answer = try supply.ask(
      FetchRequest(
        url: source.path, maximumBytes: OverpassQuery.memoryBytes, content: "answer",
        query: query.text))
    guard case .received(let file) = answer else {
      throw CairnError(.sourceFailed, .noInput, "was not sent", at: Location(file: shown))
    }
    note(source.name, "\(byteSize(file.bytes)) for \(region.id)")
    return SourceLock.Answer(
      query: digest, sha256: file.sha256, bytes: file.bytes, asked: timestampText(time) ?? "",
      dataTimestamp: file.dataTimestamp)
  }

  private func isYoung(_ answer: SourceLock.Answer, _ source: Manifest.Source, _ time: Date) -> Bool
  {
    guard case .overpassAPI(let limit) = source.origin, let asked = parsedTimestamp(answer.asked)
    else { return false }
    // A time in the future comes from a wrong clock.
    return 0...Double(limit) ~= time.timeIntervalSince(asked)
  }

  private func notAsked(_ url: String) -> CairnError {
    CairnError(
      .notAskedYet, .noInput, "has not been asked for yet", at: Location(file: url),
      hint: mode == .offline ? "run once without --offline" : nil)
  }

  private func notHere(_ url: String) -> CairnError {
    CairnError(
      .sourceFailed, .noInput, "is in the lock file, but not in the cache of downloads",
      at: Location(file: url),
      hint: "run once without \(mode == .frozen ? "--frozen" : "--offline")")
  }

  private func apply(_ task: Task, _ finding: Finding, to manifest: inout Manifest) {
    var source = task.source
    switch finding {
    case .version(let version): source.sha256 = version.sha256
    case .answer(let answer): source.sha256 = answer.sha256
    case .obstacle(let error): source.obstacle = error
    }
    source.isLocked = mode != .asking
    guard let region = task.region else {
      manifest.sources[source.name] = source
      return
    }
    // The name of the file is still that of the source.
    var name = "\(source.name) for \(region.id)"
    while manifest.sources[name] != nil { name += "'" }
    manifest.sources[name] = source
    for index in manifest.regions.indices where manifest.regions[index].id == region.id {
      manifest.regions[index].source = name
    }
  }

  /// Throws 78 with all sources that a frozen run needs and that the lock file lacks.
  private func checkComplete(_ lock: SourceLock, _ tasks: [Task], _ path: String)
    throws(CairnError)
  {
    var problems: [CairnError] = []
    for task in tasks {
      let name =
        "source “\(task.source.name)”" + (task.region.map { " of region “\($0.id)”" } ?? "")
      var problem: String?
      if let region = task.region {
        let digest = try manifest.query(region, shapes).digest(url: task.source.path)
        let entry = lock.answers[task.source.name]?[region.id]
        problem =
          entry == nil ? "is not in" : entry?.query == digest ? nil : "is another query than in"
      } else {
        let entry = lock.sources[task.source.name]
        problem =
          entry == nil
          ? "is not in" : entry?.isOf(task.source) == true ? nil : "has another URL than in"
      }
      guard let problem else { continue }
      problems.append(
        CairnError(
          .sourceLock, .configuration, "\(name) \(problem) the lock file \(path)",
          at: task.source.location, hint: "run once without --frozen, and keep the lock file"))
    }
    guard var first = problems.first else { return }
    first.further = Array(problems.dropFirst())
    throw first
  }
}

extension Plan {
  /// The requests that a run would send at its start, a line for each source.
  package var questions: [String] {
    var known: Set<String> = []
    return regions.compactMap { region in
      guard let source = manifest.sources[region.source], source.isRemote,
        source.isLocked || source.sha256 == nil, known.insert(source.name).inserted
      else { return nil }
      return "\(source.name): would ask \(redactedURL(source.path)) "
        + (source.isAnswer ? "if its last answer is too old" : "for a new version")
    }
  }
}

extension Manifest {
  /// The manifest resolved with its lock file alone, for planning.
  package func locked(for ids: [String]? = nil) throws -> Manifest {
    let chosen = ids.map(Set.init)
    let resolver = SourceResolver(
      self, regions.filter { chosen?.contains($0.id) ?? true }, mode: .planning,
      shapes: RegionShapes(), supply: ReadOnlySupply(OutputFolder(self)))
    return try resolver.resolve()
  }
}
