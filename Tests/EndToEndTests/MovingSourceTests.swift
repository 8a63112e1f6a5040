// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Sources that move, with the real executables and a server of this machine")
struct MovingSourceTests {
  private static let data = "\(packageRoot)/sample-data"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ source: String) throws -> String {
    try folder.write(
      """
      cairn: 1
      name: moving
      output: out
      sources: { far: { \(source) }, near: { pbf: \(Self.data)/valley.osm.pbf } }
      elevation: none
      profiles: [hiking]
      waypoints: false
      search: false
      defaults: { source: far }
      regions:
        - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
        - { id: east, name: East, source: near, bbox: [10.10, 47.00, 10.20, 47.10] }
      """, to: "m.yaml")
  }

  private func cairn(_ arguments: String...) throws -> ProcessResult {
    var environment = ProcessInfo.processInfo.environment
    environment["CAIRN_CACHE"] = folder.file("cache")
    return try Executables.run("cairn", arguments, environment: environment)
  }

  private func answer(_ status: String, _ body: [UInt8] = [], _ headers: String = "") -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\(headers)\r\n".utf8) + body
  }

  private func states() throws -> [String: String] {
    let index = try jsonObject(
      String(decoding: folder.read("out/index.json"), as: UTF8.self))
    let regions = index["regions"] as? [[String: Any]] ?? []
    return Dictionary(
      regions.map { ($0["id"] as? String ?? "", $0["status"] as? String ?? "") },
      uniquingKeysWith: { first, _ in first })
  }

  @Test("a URL is asked for each run, and fails its regions alone where it cannot be had")
  func moves() throws {
    let pbf = try bytesOfFile("\(Self.data)/valley.osm.pbf")
    let page = Array("<!DOCTYPE html><html><title>Busy</title></html>".utf8)
    let server = try Server(bytes: [
      answer("200 OK", pbf, "ETag: \"v1\"\r\n"), answer("304 Not Modified"),
      answer("404 Not Found"), answer("200 OK", page, "ETag: \"v2\"\r\n"),
    ])
    let manifest = try write("url: \"\(server.url("valley-latest.osm.pbf"))\"")

    let frozen = try cairn("run", "--frozen", manifest)
    #expect(frozen.status == 78)
    #expect(frozen.stderr.contains("m.yaml:4:"))
    #expect(try cairn("run", "--dry-run", manifest).stdout.contains("far: would ask http://"))
    #expect(server.requests.isEmpty)

    let first = try cairn("run", manifest)
    try #require(first.status == 0, "\(first.stderr)")
    let lock = try folder.read("m.lock.json")
    let database = try folder.read("out/west/west.routing.db")

    let second = try cairn("run", "--explain", manifest)
    #expect(second.status == 0, "\(second.stderr)")
    #expect(second.stderr.contains("far: not changed"))
    #expect(second.stderr.contains("west decode-pbf: up to date"))
    #expect(server.requests.last?.contains("If-None-Match: \"v1\"\r\n") == true)

    for reason in ["404", "is a web page, not data: “Busy”"] {
      let failed = try cairn("run", manifest)
      #expect(failed.status == 1)
      #expect(failed.stderr.contains(reason), "\(failed.stderr)")
      #expect(try states() == ["west": "stale", "east": "fresh"])
      #expect(try folder.read("out/west/west.routing.db") == database)
    }
    for option in ["--offline", "--frozen"] {
      let run = try cairn("run", option, manifest)
      #expect(run.status == 0, "\(run.stderr)")
      #expect(try states() == ["west": "fresh", "east": "fresh"])
    }
    #expect(try folder.read("m.lock.json") == lock)
    #expect(server.requests.count == 4)

    // Another machine has the lock file, and not the cache.
    try FileManager.default.removeItem(atPath: folder.file("out"))
    #expect(try cairn("run", "--offline", manifest).status == 0)
    try FileManager.default.removeItem(atPath: folder.file("out"))
    try FileManager.default.removeItem(atPath: folder.file("cache"))
    let lost = try cairn("run", "--offline", manifest)
    #expect(lost.status == 1)
    #expect(lost.stderr.contains("not in the cache of downloads"))
    #expect(try states() == ["east": "fresh"], "what is not published is not in the index")
  }

  @Test("a frozen run on another machine downloads the locked version, and no other")
  func freezes() throws {
    let pbf = try bytesOfFile("\(Self.data)/valley.osm.pbf")
    let server = try Server(bytes: [
      answer("200 OK", pbf), answer("200 OK", pbf), answer("200 OK", Array(pbf.dropLast())),
    ])
    let manifest = try write("url: \"\(server.url("valley-latest.osm.pbf"))\"")
    let update = try cairn("sources", "update", manifest)
    try #require(update.status == 0, "\(update.stderr)")
    #expect(!pathExists(folder.file("out")))
    let list = try jsonObject(cairn("sources", "list", "--json", manifest).stdout)
    let sources = list["sources"] as? [[String: Any]]
    #expect(sources?.map { $0["isAtHand"] as? Bool } == [true])
    #expect(try cairn("cache", "list").stdout.contains("1 file"))
    #expect(try cairn("cache", "prune", "--max-size", "0").status == 0)
    #expect(try cairn("cache", "list").stdout.contains("0 files"))

    let run = try cairn("run", "--frozen", manifest)
    #expect(run.status == 0, "\(run.stderr)")
    try FileManager.default.removeItem(atPath: folder.file("out"))
    try FileManager.default.removeItem(atPath: folder.file("cache"))
    let moved = try cairn("run", "--frozen", manifest)
    #expect(moved.status == 1)
    #expect(moved.stderr.contains("run without --frozen"), "\(moved.stderr)")
  }

  @Test("tiles are downloaded for the box of a region, once, and give what a folder of them gives")
  func downloadsTiles() throws {
    let tile = try bytesOfFile("\(Self.data)/hgt/N47E010.hgt.zip")
    let server = try Server(bytes: [answer("404 Not Found"), answer("200 OK", tile)])
    func write(_ elevation: String) throws -> String {
      let path = try self.write("pbf: \(Self.data)/valley.osm.pbf")
      let text = String(decoding: try folder.read("m.yaml"), as: UTF8.self)
      try folder.write(
        text.replacing("elevation: none", with: "elevation: [{ \(elevation) }]")
          .replacing("47.00, 10.", with: "47.06, 10."), to: "m.yaml")
      return path
    }
    let pattern = try write("url: \"\(server.url("{lat-band}/{tile}.hgt.zip"))\"")
    try #require(try cairn("manifest", "check", pattern).status == 0)
    for option in ["--progress=plain", "--frozen", "--offline"] {
      let run = try cairn("run", option, "--regions", "west", pattern)
      try #require(run.status == 0, "\(run.stderr)")
    }
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.hasPrefix("GET /N47/N47E010.hgt.zip ") == true)
    #expect(try cairn("explain-run", pattern, "west").status == 0)
    let database = try folder.read("out/west/west.routing.db")
    let folders = try write("hgt: \(Self.data)/hgt")
    #expect(try cairn("run", "--regions", "west", folders).status == 0)
    #expect(try folder.read("out/west/west.routing.db") == database)
  }

  @Test("an Overpass API is asked for a region, whose answer is decoded like a file")
  func asks() throws {
    let unpacked = try runProcess("gzip", ["-dc", "\(Self.data)/valley.osm.gz"])
    let xml = Array(unpacked.stdout.utf8)
    let server = try Server(bytes: [answer("200 OK", xml)])
    let manifest = try write("overpass-api: \"\(server.url("api/interpreter"))\"")
    let check = try cairn("manifest", "check", manifest)
    #expect(check.status == 0, "\(check.stderr)")
    let query = try cairn("sources", "query", manifest, "west").stdout
    #expect(query.hasPrefix("[out:xml]"))
    #expect(query.contains("](47,10,47.1,10.1);"))

    for option in ["--progress=plain", "--frozen", "--offline"] {
      let run = try cairn("run", option, manifest)
      try #require(run.status == 0, "\(run.stderr)")
    }
    #expect(server.requests.count == 1)
    #expect(server.requests.first?.contains("data=%5Bout%3Axml%5D") == true)
    let fromQuery = try folder.read("out/west/west.routing.db")
    let bundle = try jsonObject(
      String(decoding: folder.read("out/west/bundle.json"), as: UTF8.self))
    #expect((bundle["source"] as? [String: Any])?["name"] as? String == "far.osm")

    // The same from the file.
    try folder.write(xml, to: "far.osm")
    let file = try write("overpass: far.osm")
    #expect(try cairn("run", file).status == 0)
    #expect(try folder.read("out/west/west.routing.db") == fromQuery)

    let large = try write("overpass-api: \"\(server.url("api"))\"")
      .replacing("m.yaml", with: "large.yaml")
    try folder.write(
      String(decoding: folder.read("m.yaml"), as: UTF8.self)
        .replacing("[10.00, 47.00, 10.10, 47.10]", with: "[10.00, 47.00, 12.10, 47.10]"),
      to: "large.yaml")
    let refused = try cairn("manifest", "check", large)
    #expect(refused.status == 78)
    #expect(refused.stderr.contains("159 × 11 km large"), "\(refused.stderr)")
  }

  @Test("a download ends with the run that asked for it, also where that is killed")
  func killed() throws {
    let pbf = try bytesOfFile("\(Self.data)/valley.osm.pbf")
    // It keeps the first connection open until the client goes.
    let server = try Server(bytes: [[], answer("200 OK", pbf, "ETag: \"v1\"\r\n")])
    let manifest = try write("url: \"\(server.url("valley-latest.osm.pbf"))\"")
    let process = try Subprocess(
      "/usr/bin/env",
      ["CAIRN_CACHE=\(folder.file("cache"))", "\(Executables.folder)/cairn", "run", manifest],
      standardOutput: .nothing, standardError: .nothing)
    let ending = process.wait(tick: { if !server.requests.isEmpty { process.send(SIGKILL) } })
    #expect(ending.signal == SIGKILL)
    // Otherwise the cache's partial file would still be held, and the server busy with it.
    let next = try cairn("run", "-q", manifest)
    #expect(next.status == 0, "\(next.stderr)")
    #expect(try states() == ["west": "fresh", "east": "fresh"])
  }
}
