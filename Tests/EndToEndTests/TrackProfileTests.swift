// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn elevation-profile of a track")
struct TrackProfileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func draw(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["elevation-profile"] + words)
  }

  /// Points 100 m apart northwards from 46.5 N, 9.5 E.
  private func segment(_ elevations: [Double?], from first: Int = 0, name: String = "trkpt")
    -> String
  {
    elevations.enumerated().map { index, elevation in
      let latitude = 46.5 + Double(first + index) * 100 * 180 / (Double.pi * 6_371_000)
      let height = elevation.map { "<ele>\($0)</ele>" } ?? ""
      return "<\(name) lat=\"\(latitude)\" lon=\"9.5\">\(height)</\(name)>"
    }.joined()
  }

  private func gpx(_ content: String, _ name: String = "hike.gpx") throws -> String {
    try folder.write(
      "<gpx version=\"1.1\" creator=\"test\">\(content)</gpx>", to: name)
  }

  private func track(_ segments: String..., name: String? = nil) -> String {
    "<trk>" + (name.map { "<name>\($0)</name>" } ?? "")
      + segments.map { "<trkseg>\($0)</trkseg>" }.joined() + "</trk>"
  }

  private func tiles() throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.file("tiles"), withIntermediateDirectories: false)
    let posts = [Int16](repeating: Int16(700).bigEndian, count: 1201 * 1201)
    try folder.write(posts.withUnsafeBytes { Array($0) }, to: "tiles/N46E009.hgt")
    return folder.file("tiles")
  }

  @Test("tracks and routes with elevations are drawn, under their names")
  func drawn() throws {
    let file = try gpx(track(segment([500, 520, 560, 540]), name: "Up &amp; down"))
    let chart = try draw(file)
    #expect(chart.status == 0 && chart.stderr == "", "\(chart.stderr)")
    #expect(chart.stdout.contains(">Up &amp; down<") && chart.stdout.contains(">300 m<"))
    let data = try jsonObject(try draw(file, "--format", "json").stdout)
    #expect((data["points"] as? [[Double]])?.map { $0[1] } == [500, 520, 560, 540])
    #expect(data["durationSeconds"] is NSNull && data["title"] as? String == "Up & down")
    #expect(abs((data["distanceMetres"] as? Double ?? 0) - 300) < 1)
    let route = try gpx("<rte>\(segment([500, 600], name: "rtept"))</rte>", "route")
    #expect(try draw(route, "--format", "csv").stdout.contains("\n100.0,600.0\n"))
    #expect(try draw(file, "--title", "Mine").stdout.contains(">Mine<"))
  }

  @Test("nothing is drawn between segments, and where a point has no elevation")
  func gaps() throws {
    let file = try gpx(track(segment([500, nil, 520]), segment([800, 810], from: 50)))
    let csv = try draw(file, "--format", "csv").stdout.split(separator: "\n").dropFirst()
    let elevations = csv.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    }
    #expect(elevations == ["500.0", "", "520.0", "", "800.0", "810.0"], "\(csv)")
    #expect(csv.last?.hasPrefix("300.0,") == true)
  }

  @Test("a track without elevations takes them from tiles that are given, and is refused otherwise")
  func tilesForPoints() throws {
    let file = try gpx(track(segment([nil, nil, nil])))
    let refused = try draw(file)
    #expect(refused.status == 65)
    #expect(refused.stderr.contains("no point of the track has an elevation"))
    #expect(refused.stderr.contains("--elevation FOLDER"))
    let folder = try tiles()
    let data = try jsonObject(try draw(file, "--elevation", folder, "--format", "json").stdout)
    let points = try #require(data["points"] as? [[Double]])
    #expect(points.count > 4 && points.allSatisfy { $0[1] == 700 }, "\(points)")
    let mixed = try gpx(track(segment([650, nil, 750])), "mixed.gpx")
    let csv = try draw(mixed, "--elevation", folder, "--format", "csv").stdout
    #expect(csv.hasSuffix("\n0.0,650.0\n100.0,700.0\n200.0,750.0\n"), "\(csv)")
    let elsewhere = try gpx(
      "<trk><trkseg><trkpt lat=\"10\" lon=\"10\"/></trkseg></trk>", "elsewhere.gpx")
    let unknown = try draw(elsewhere, "--elevation", folder)
    #expect(unknown.status == 65 && unknown.stderr.contains("no tile has one for it"))
  }

  @Test("one of several tracks is chosen by its number")
  func several() throws {
    let file = try gpx(
      track(segment([500, 510]), name: "A") + track(segment([600, 610]), name: "B"))
    let refused = try draw(file)
    #expect(refused.status == 64, "\(refused.stderr)")
    #expect(refused.stderr.contains("has 2 tracks (choose one with --track: 1 (A), 2 (B))"))
    let second = try draw(file, "--track", "2", "--format", "csv").stdout
    #expect(second.hasSuffix("\n0.0,600.0\n100.0,610.0\n"))
    #expect(try draw(file, "--track", "3").status == 64)
  }

  @Test(
    "options of a route and of a track do not mix",
    arguments: [
      (["FILE", "--from", "46.5,9.5"], 64, "--from needs a routing database, not a track"),
      (["FILE", "--avoid-steps"], 64, "--avoid-steps needs a routing database"),
      (["FILE", "FILE"], 64, "a GPX file is drawn alone"),
      (["none.gpx"], 66, "none.gpx"),
      (["none.routing.db", "--from", "46.5,9.5"], 64, "--to is required"),
      (["none.routing.db", "--track", "1"], 64, "--track needs a GPX file"),
    ])
  func refused(words: [String], status: Int, reason: String) throws {
    let file = try gpx(track(segment([500, 510])))
    let result = try Executables.run(
      "cairn", ["elevation-profile"] + words.map { $0 == "FILE" ? file : $0 })
    #expect(result.status == Int32(status), "\(result.stderr)")
    #expect(result.stderr.contains(reason), "\(result.stderr)")
  }
}
