// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Foundation
import SystemIO
import TestSupport
import Testing
import XMLKit

@testable import MapChecks

private func jsonObject(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("Findings as files")
struct ReportTests {
  private func finding(_ id: Int64, text: String = "ways cross") -> MapFinding {
    MapFinding(
      kind: .crossing,
      objects: [MapObject(type: .way, id: id), MapObject(type: .way, id: id + 1)],
      others: [MapObject(type: .node, id: 7)],
      place: Coordinate(latitude: 42.5, longitude: 1.25), text: text)
  }

  /// A name that would break each format.
  private let hostile = "a\u{1B}[2J\n\u{1E}{\"x\":1}\u{202E} \"'<b>&]]>\u{0} </analysers>"

  @Test("text has the id, what is wrong, what to check and a link, and nothing that moves a cursor")
  func text() throws {
    let text = try FindingReport([finding(1), finding(3, text: hostile)]).text(.text)
    #expect(
      text.hasPrefix(
        """
        crossing (task): ways cross without a common node, 2
          Add a common node if they meet on the same level; otherwise tag the bridge or tunnel \
        with its layer.
          crossing/w1,w2  42.5000000,1.2500000  ways cross
            https://www.openstreetmap.org/way/1 https://www.openstreetmap.org/way/2

        """))
    #expect(text.hasSuffix("\n2 findings\n"))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0.value != 0x202E })
  }

  @Test("GeoJSON has a feature with a stable id for each finding")
  func geoJSON() throws {
    let text = try FindingReport([finding(1, text: hostile)]).text(.geojson)
    let whole = try jsonObject(text)
    let feature = try #require((whole["features"] as? [[String: Any]])?.first)
    let properties = try #require(feature["properties"] as? [String: Any])
    #expect(feature["id"] as? String == "crossing/w1,w2")
    #expect(
      (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [1.25, 42.5])
    #expect(properties["text"] as? String == hostile && properties["@id"] as? String == "way/1")
    #expect(properties["osm"] as? [String] == ["way/1", "way/2", "node/7"])
    #expect(properties["link"] as? String == "https://www.openstreetmap.org/way/1")
    #expect(FindingReport.Format.geojson.recognises(Array(text.utf8)))
  }

  @Test("a challenge has a task a line, each a collection behind a record separator")
  func mapRoulette() throws {
    let report = FindingReport([finding(1, text: hostile), finding(3)])
    let text = try report.text(.maproulette)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines[2].isEmpty)
    for (line, id) in zip(lines, ["crossing/w1,w2", "crossing/w3,w4"]) {
      #expect(line.utf8.first == 0x1E && !line.dropFirst().utf8.contains(0x1E))
      let task = try jsonObject(String(line.dropFirst()))
      #expect(task["type"] as? String == "FeatureCollection")
      #expect((task["features"] as? [[String: Any]])?.map { $0["id"] as? String } == [id])
    }
    #expect(FindingReport.Format.maproulette.recognises(Array(text.utf8)))
    #expect(try report.text(.maproulette) == text)
    #expect(try FindingReport([]).text(.maproulette).isEmpty)
  }

  /// Counts elements, and keeps the texts of errors.
  private final class Reader: XMLElementReader {
    let parser: ExpatParser
    var elements: [String] = []
    var texts: [String] = []
    var kind: String { "findings" }
    var hint: String { "" }

    init() throws(CairnError) { parser = try ExpatParser() }

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
      elements.append(String(cString: name))
      for (key, value) in attributes where String(cString: key) == "value" {
        texts.append(String(cString: value))
      }
    }

    func end(_ name: UnsafePointer<CChar>) {}
    func text(_ bytes: UnsafeRawBufferPointer) {}
    func misreading() -> CairnError? { nil }
    func refusal(ofDocumentType name: String) -> CairnError { usualRefusal(of: name) }
  }

  @Test("Osmose gets one analyser with a class for the kind and an error for each finding")
  func osmose() throws {
    let folder = try TemporaryFolder()
    let report = FindingReport(
      [finding(1), finding(3, text: hostile)], dataTimestamp: "2020-05-01T20:59:03Z")
    let text = try report.text(.osmose)
    #expect(text.contains("<analyser timestamp=\"2020-05-01T20:59:03Z\" analyser_version="))
    #expect(text.contains("<class id=\"2\" item=\"9999\" level=\"1\" tag=\"highway\">"))
    #expect(text.contains("<location lat=\"42.5000000\" lon=\"1.2500000\"/>"))
    #expect(FindingReport.Format.osmose.recognises(Array(text.utf8)))
    let reader = try Reader()
    let path = try folder.write(text, to: "osmose.xml")
    try reader.parse(try XMLSource(try InputFile(path)), file: path) { _ in }
    let error = ["error", "location", "way", "way", "node", "text"]
    #expect(
      reader.elements == ["analysers", "analyser", "class", "classtext", "detail"] + error + error)
    #expect(reader.texts.count == 2 && reader.texts.last?.contains("</analysers>") == true)
  }

  @Test("each kind says what is wrong and what to check, and keeps its number")
  func kinds() {
    for kind in MapFindingKind.allCases {
      #expect(!kind.title.isEmpty && kind.advice.hasSuffix("."))
      #expect(isFindingID("\(kind.rawValue)/w1"))
    }
    #expect(MapFindingKind.allCases.map(\.number) == Array(1...11))
    #expect(MapFindingKind.spelling.number == 11 && MapFindingKind.looseEnd.number == 1)
  }
}

@Suite("Findings that are known")
struct KnownFindingsTests {
  private let folder: TemporaryFolder
  private let map: String

  init() throws {
    folder = try TemporaryFolder()
    var map = DrawnMap()
    map.line([(-100, 0), (100, 0)])
    map.line([(0, -50), (0, 50)])
    map.line([(0, 300), (50, 300)])
    self.map = try folder.write(map.xml(), to: "map.osm")
  }

  /// Runs the command; returns its exit code and what it wrote.
  private func lint(_ words: [String]) throws -> (code: ExitCode, text: String) {
    let output = folder.file("output")
    unlink(output)
    let code = CommandRunner.run(
      LintCommand.self, words + ["--uncut", "--threads", "1", "-o", output])
    let text = FileManager.default.fileExists(atPath: output) ? try folder.read("output") : []
    return (code, String(decoding: text, as: UTF8.self))
  }

  @Test("what is listed as no issue is left out, and nothing else")
  func ignored() throws {
    let list = try folder.write(
      "# looked at in May\r\ncrossing/w100,w101  # a bridge\n\n  loose-end/n-5\nold-kind/r1\n",
      to: "ignored.txt")
    #expect(try lint([map]).text.hasSuffix("\n3 findings\n"))
    let (code, text) = try lint([map, "--ignore", list, "--fail"])
    #expect(code == .negative && text.hasSuffix("\n2 findings\n") && !text.contains("crossing/"))
    #expect(try lint([map, "--kind", "crossing", "--ignore", list, "--fail"]).code == .success)
  }

  @Test(
    "a damaged list is refused with its line",
    arguments: [
      "crossing", "crossing/", "/w1", "crossing/w1,", "crossing/x1", "crossing/w1 w2",
      "Crossing/w1", "crossing/w99999999999999999999", "crossing/w1/w2", "\u{1B}[2J",
      String(repeating: "x", count: 5000),
    ])
  func damaged(line: String) throws {
    let list = try folder.write("# first\n\(line)\n", to: "ignored.txt")
    let error = #expect(throws: CairnError.self) { try ignoredFindings(list) }
    #expect(error?.exitCode == .dataError && error?.location?.position == .line(2, column: 1))
    #expect(try lint([map, "--ignore", list]).code == .dataError)
  }

  @Test(
    "since an earlier run only what is new is told, and what is gone",
    arguments: ["geojson", "maproulette"])
  func since(format: String) throws {
    let earlier = try lint([map, "--format", format]).text
    let before = try folder.write(earlier, to: "before")
    let same = try lint([map, "--since", before, "--fail"])
    #expect(same.code == .success && same.text == "0 new findings\n")
    var changed = DrawnMap()
    changed.line([(-100, 0), (100, 0)])
    changed.line([(0, 300), (50, 300)])
    changed.line([(0, 600), (50, 600)])
    changed.line([(0, 900), (50, 900)])
    let now = try folder.write(changed.xml(), to: "now.osm")
    let (code, text) = try lint([now, "--since", before, "--fail"])
    #expect(code == .negative)
    #expect(text.contains("island/w103") && !text.contains("  island/w102 "))
    #expect(text.contains("1 new finding\n") && text.contains("gone:\n  crossing/w100,w101\n"))
    // What was gone in one comparison is no finding of it.
    let difference = try folder.write(
      try lint([now, "--since", before, "--format", "geojson"]).text, to: "difference")
    #expect(try EarlierFinding.read(difference).map(\.id) == ["island/w103"])
  }

  @Test(
    "what is no list of findings is refused",
    arguments: [
      "", "{}", "[]", "{\"features\":[{}]}", "text", "\u{1E}\u{1E}{\"features\":7}",
      "{\"features\":[{\"id\":\"a b\",\"properties\":{}}]}",
      String(repeating: "[", count: 100_000),
    ])
  func noFindings(text: String) throws {
    let file = try folder.write(text, to: "before")
    if text.isEmpty {
      // A challenge without tasks.
      #expect(try EarlierFinding.read(file).isEmpty)
    } else {
      #expect(throws: CairnError.self) { try EarlierFinding.read(file) }
    }
  }

  @Test("files of others are not written over, its own are")
  func outputs() throws {
    for format in FindingReport.Format.allCases {
      let path = folder.file("findings.\(format.rawValue)")
      let words = [map, "--format", format.rawValue, "-o", path]
      #expect(CommandRunner.run(LintCommand.self, words + ["--uncut"]) == .success)
      let again = CommandRunner.run(LintCommand.self, words)
      // An empty challenge has no signature either, and is not written here.
      #expect(again == (format == .text ? .cannotCreate : .success), "\(format)")
      try folder.write("mine", to: "findings.\(format.rawValue)")
      #expect(CommandRunner.run(LintCommand.self, words) == .cannotCreate)
    }
  }

  @Test("a manifest gives its files, their tiles and the list of what is no issue")
  func manifest() throws {
    try folder.write("crossing/w100,w101\n", to: "ignored.txt")
    func manifest(_ rest: String) throws -> String {
      try folder.write(
        """
        cairn: 1
        name: map
        output: build
        sources:
          here: { overpass: map.osm }
          there: { url: "https://example.org/there.osm.pbf" }
        elevation: none
        defaults: { source: here }
        regions: [{ id: all, name: All, bbox: [10, 47, 11, 48] }]
        \(rest)
        """, to: "map.yaml")
    }
    #expect(try lint([try manifest("lint-ignore: ignored.txt")]).text.hasSuffix("2 findings\n"))
    #expect(try lint([try manifest("")]).text.hasSuffix("3 findings\n"))
    #expect(try lint([try manifest("lint-ignore: [1]")]).code == .configuration)
    #expect(try lint([try manifest("lint-ignore: none.txt")]).code == .noInput)
  }

  @Test("kinds that are none, missing files and other files end with their codes")
  func usage() throws {
    #expect(try lint([map, "--kind", "crosing"]).code == .usage)
    #expect(try lint([folder.file("none.osm")]).code == .noInput)
    #expect(try lint([try folder.write("text", to: "text.osm")]).code == .dataError)
    #expect(try lint([map, "--hgt", folder.file("none")]).code == .noInput)
    #expect(try lint([map, "--since", folder.file("none")]).code == .noInput)
  }
}
