// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import DownloadCache
import Foundation
import Manifests
import Pipeline
import Planning
import RunSupport
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MovingSources

@Suite("Moving sources")
struct SourceResolverTests {
  private let folder: TemporaryFolder
  private let asked = Asked()
  private static let digest = String(repeating: "0123456789abcdef", count: 4)
  private static let newDigest = String(repeating: "fedcba9876543210", count: 4)
  private static let gone = CairnError(.sourceFailed, .noInput, "the server answered 404")

  /// What servers were asked, and what they answer.
  private final class Asked: SourceSupply {
    let isHere = Mutex(true)
    private let state = Mutex<(requests: [FetchRequest], answer: Result<FetchAnswer, CairnError>)>(
      ([], .failure(SourceResolverTests.gone)))

    var requests: [FetchRequest] { state.withLock { $0.requests } }

    func answer(_ answer: Result<FetchAnswer, CairnError>) {
      state.withLock { $0 = ([], answer) }
    }

    func has(_ source: Manifest.Source, _ sha256: String, bytes: Int) -> Bool {
      isHere.withLock { $0 }
    }

    func cachedBytes(_ sha256: String) -> Int? { nil }

    func takeFromCache(_ sha256: String, as path: String) throws(CairnError) -> Bool { false }

    func digest(ofFile path: String) -> String? { try? SHA256Digest.ofFile(path) }

    func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer {
      try state.withLock { state in
        state.requests.append(request)
        return state.answer
      }.get()
    }
  }

  init() throws { folder = try TemporaryFolder() }

  private func load(
    _ source: String = "url: \"https://me:secret@example.org/a.osm.pbf?token=secret\""
  ) throws -> Manifest {
    try Manifest.load(
      folder.write(
        """
        cairn: 1
        name: test
        output: out
        sources: { far: { \(source) }, near: { pbf: near.osm.pbf } }
        elevation: none
        defaults: { source: far }
        regions:
          - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
          - { id: east, name: East, bbox: [10.10, 47.00, 10.20, 47.10] }
          - { id: here, name: Here, source: near, bbox: [10.10, 47.00, 10.20, 47.10] }
        """, to: "m.yaml"))
  }

  private static let api = "overpass-api: \"http://example.org/api/interpreter\", max-age: 2 h"

  private func resolver(
    _ manifest: Manifest, _ mode: SourceResolver.Mode = .asking, isHere: Bool = true,
    time: String = "2026-03-02T12:00:00Z", isUpdating: Bool = false
  ) throws -> SourceResolver {
    let date = try #require(try? Date(time, strategy: .iso8601))
    asked.isHere.withLock { $0 = isHere }
    var resolver = SourceResolver(
      manifest, manifest.regions, mode: mode, shapes: RegionShapes(), supply: asked)
    resolver.isUpdating = isUpdating
    resolver.time = date
    return resolver
  }

  private func received(_ digest: String = digest, tag: String? = "\"1\"") -> FetchAnswer {
    .received(
      ReceivedFile(
        sha256: digest, bytes: 7, tag: tag, lastModified: "Mon, 02 Mar 2026 10:00:00 GMT",
        dataTimestamp: "2026-03-02T11:59:00Z"))
  }

  private func lockText() throws -> String {
    String(decoding: try folder.read("m.lock.json"), as: UTF8.self)
  }

  @Test("a URL without a digest is asked once, gets one, and is recorded without its password")
  func resolves() throws {
    asked.answer(.success(received()))
    let manifest = try resolver(load()).resolve()
    #expect(manifest.sources["far"]?.sha256 == Self.digest)
    #expect(manifest.sources["far"]?.obstacle == nil)
    #expect(asked.requests.count == 1)
    #expect(asked.requests.first?.tag == nil)
    #expect(asked.requests.first?.content == "pbf")
    let text = try lockText()
    #expect(!text.contains("secret"))
    #expect(text.contains("https://example.org/a.osm.pbf?…"))
    #expect(text.hasPrefix("{\n  \"cairnLock\" : 1,"))
  }

  @Test("a version that is at hand is asked about, and the lock file stays as it is")
  func asksAboutVersions() throws {
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    let before = try FileManager.default.attributesOfItem(atPath: folder.file("m.lock.json"))
    asked.answer(.success(.unchanged))
    let manifest = try resolver(load()).resolve()
    #expect(manifest.sources["far"]?.sha256 == Self.digest)
    #expect(asked.requests.first?.tag == "\"1\"")
    #expect(asked.requests.first?.lastModified == "Mon, 02 Mar 2026 10:00:00 GMT")
    let after = try FileManager.default.attributesOfItem(atPath: folder.file("m.lock.json"))
    #expect(
      before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int, "it was written again")
  }

  @Test("a version that is not at hand any more is asked for as if it were new")
  func asksForLostFiles() throws {
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    asked.answer(.success(received(Self.newDigest)))
    let manifest = try resolver(load(), isHere: false).resolve()
    #expect(asked.requests.first?.tag == nil)
    #expect(manifest.sources["far"]?.sha256 == Self.newDigest)
    #expect(try lockText().contains(Self.newDigest))
  }

  @Test("a URL that differs in what is not shown is another one")
  func knowsURLs() throws {
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    let other = "url: \"https://me:secret@example.org/a.osm.pbf?token=other\""
    asked.answer(.success(received()))
    _ = try resolver(load(other)).resolve()
    #expect(asked.requests.first?.tag == nil)
    expectError(.sourceLock, .configuration) { _ = try resolver(load(), .frozen).resolve() }
  }

  @Test("a source that cannot be had is an obstacle, also if an older version is at hand")
  func namesObstacles() throws {
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    asked.answer(.failure(Self.gone))
    let manifest = try resolver(load()).resolve()
    #expect(manifest.sources["far"]?.sha256 == nil)
    #expect(manifest.sources["far"]?.obstacle == Self.gone)
    #expect(try lockText().contains(Self.digest))
  }

  @Test("frozen, the lock file says it all and nobody is asked")
  func freezes() throws {
    let error = expectError(.sourceLock, .configuration) {
      _ = try resolver(load(), .frozen).resolve()
    }
    #expect(error?.location == Location(file: folder.file("m.yaml"), .line(4, column: 24)))
    #expect(error?.message.contains("m.lock.json") == true)
    #expect(!pathExists(folder.file("m.lock.json")))
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    asked.answer(.failure(Self.gone))
    let manifest = try resolver(load(), .frozen, isHere: false).resolve()
    #expect(manifest.sources["far"]?.sha256 == Self.digest)
    #expect(manifest.sources["far"]?.isLocked == true)
    #expect(asked.requests.isEmpty)
  }

  @Test("offline, what is at hand is taken and the rest is an obstacle")
  func worksOffline() throws {
    #expect(
      try resolver(load(), .offline).resolve().sources["far"]?.obstacle?.hint
        == "run once without --offline")
    asked.answer(.success(received()))
    _ = try resolver(load()).resolve()
    asked.answer(.failure(Self.gone))
    #expect(try resolver(load(), .offline).resolve().sources["far"]?.sha256 == Self.digest)
    let lost = try resolver(load(), .offline, isHere: false).resolve()
    #expect(lost.sources["far"]?.obstacle?.code == .sourceFailed)
    #expect(asked.requests.isEmpty)
  }

  @Test("an Overpass API is asked for each region, and again when its answer is too old")
  func asksForRegions() throws {
    asked.answer(.success(received()))
    let manifest = try resolver(load(Self.api)).resolve()
    #expect(asked.requests.count == 2)
    #expect(asked.requests.allSatisfy { $0.content == "answer" && $0.query != nil })
    #expect(Set(asked.requests.map(\.query)).count == 2)
    #expect(manifest.regions.map(\.source) == ["far for west", "far for east", "near"])
    #expect(manifest.sources["far for west"]?.sha256 == Self.digest)
    #expect(manifest.sources["far for west"]?.fileName == "far.osm")
    asked.answer(.success(received(Self.newDigest)))
    _ = try resolver(load(Self.api), time: "2026-03-02T13:59:00Z").resolve()
    #expect(asked.requests.isEmpty)
    let again = try resolver(load(Self.api), time: "2026-03-02T14:01:00Z").resolve()
    #expect(asked.requests.count == 2)
    #expect(again.sources["far for east"]?.sha256 == Self.newDigest)
    // A clock that was wrong.
    _ = try resolver(load(Self.api), time: "2025-03-02T14:01:00Z").resolve()
    #expect(asked.requests.count == 4)
    _ = try resolver(
      load(Self.api), time: "2025-03-02T14:02:00Z", isUpdating: true
    ).resolve()
    #expect(asked.requests.count == 6)
  }

  @Test("a region of another shape is asked for anew, whatever the age of its answer")
  func asksForNewShapes() throws {
    asked.answer(.success(received()))
    _ = try resolver(load(Self.api)).resolve()
    var manifest = try load(Self.api)
    manifest.regions[0].shape = .box(.init(west: 10, south: 47, east: 10.11, north: 47.1))
    asked.answer(.success(received()))
    _ = try resolver(manifest).resolve()
    #expect(asked.requests.count == 1)
    manifest.regions[0].shape = .box(.init(west: 10, south: 47, east: 10.12, north: 47.1))
    expectError(.sourceLock, .configuration) { _ = try resolver(manifest, .frozen).resolve() }
  }

  @Test("a region that is too large to be asked for is an obstacle, and others are asked for")
  func refusesLargeRegions() throws {
    var manifest = try load(Self.api)
    manifest.regions[0].shape = .box(.init(west: 10, south: 47, east: 12, north: 47.1))
    asked.answer(.success(received()))
    let resolved = try resolver(manifest).resolve()
    #expect(resolved.sources["far for west"]?.obstacle?.code == .unfitForOverpass)
    #expect(resolved.sources["far for east"]?.sha256 == Self.digest)
    let error = expectError(.unfitForOverpass, .configuration) {
      try manifest.checkQueries(RegionShapes())
    }
    #expect(error?.message.hasPrefix("region “west” is 152 × 11 km large") == true)
  }

  @Test("what the manifest no longer names leaves the lock file")
  func forgets() throws {
    asked.answer(.success(received()))
    _ = try resolver(load(Self.api)).resolve()
    _ = try resolver(load()).resolve()
    #expect(try SourceLock(file: folder.file("m.lock.json")).answers.isEmpty)
  }

  @Test("looking ahead asks nobody: what is not known yet would be asked")
  func looksAhead() throws {
    let manifest = try load().locked()
    #expect(manifest.sources["far"]?.obstacle?.code == .notAskedYet)
    let plan = try Plan(manifest, selection: ["west"])
    #expect(plan.questions == ["far: would ask https://example.org/a.osm.pbf?… for a new version"])
    let prospect = try #require(
      Forecaster(
        plan, Orchestrator.Options(programs: StagePrograms(folder: "bin"), parallelism: 1)
      ).prospects(region: 0).first)
    #expect(Forecaster.reason(prospect.prospect) == "its data has not been requested yet")
    #expect(!pathExists(folder.file("m.lock.json")))
  }

  @Test("an obstacle fails the regions that need the source, with its reason, and no others")
  func failsRegions() throws {
    let world = try World()
    try world.change(
      "valley: { pbf: valley.osm.pbf }",
      to: "valley: { pbf: valley.osm.pbf }, far: { url: \"http://127.0.0.1:1/a.osm.pbf\" }")
    try world.change("name: East,", to: "name: East, source: far,")
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    let resolved = try resolver(manifest).resolve()
    let options = Orchestrator.Options(
      programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 2)
    let summary = try Orchestrator(Plan(resolved, selection: nil), options).run()
    #expect(summary.regions.map(\.status) == [.built, .failed])
    #expect(summary.exitCode == .negative)
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.map(\.status) == [.fresh])
    let unpublished = try #require(IndexRecord(inFolder: world.folder.file("out/.cairn")))
    #expect(unpublished.regions.map(\.id) == ["east"])
    #expect(unpublished.regions.last?.reason == "fetch: the server answered 404")
  }

  @Test("the stage takes what was found out from the cache, and answers from nowhere else")
  func plansFetching() throws {
    asked.answer(.success(received()))
    let cache = DownloadCache("/cache")
    func words(_ source: String, _ mode: SourceResolver.Mode, isOffline: Bool = false) throws
      -> [String]
    {
      let plan = try Plan(
        resolver(load(source), mode).resolve(), selection: ["west"],
        fetching: .init(cache: cache, isOffline: isOffline))
      return plan.actions.first?.arguments.map(\.symbol) ?? []
    }
    let url = "url: \"http://a/b.osm.pbf\""
    #expect(try words(url, .asking).contains("/cache"))
    #expect(try !words(url, .asking).contains("--offline"))
    #expect(try words(url, .frozen).contains("--locked"))
    #expect(try words(url, .offline, isOffline: true).contains("--offline"))
    #expect(try words(Self.api, .asking).contains("--offline"))
  }
}
