// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import Foundation
import Testing

@Suite("Records of bundles")
struct BundleRecordTests {
  private func json(_ record: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(record)
  }

  /// A record as JSON with a change in its object.
  private func changed(_ record: some Encodable, _ change: (inout [String: Any]) -> Void) throws
    -> Data
  {
    let read = try JSONSerialization.jsonObject(with: json(record))
    var object = try #require(read as? [String: Any])
    change(&object)
    return try JSONSerialization.data(withJSONObject: object)
  }

  @Test("what is written is read, every key of it")
  func roundTrip() throws {
    #expect(try IndexRecord(json: json(FullRecords.index)) == FullRecords.index)
    #expect(try BundleRecord(json: json(FullRecords.bundle)) == FullRecords.bundle)
    #expect(try RegionRecord(json: json(FullRecords.region)) == FullRecords.region)
  }

  @Test("dates, UUIDs, boxes and files come as types")
  func types() throws {
    let time = Date(timeIntervalSince1970: 1_767_323_045)
    let entry = try #require(FullRecords.index.regions.first)
    #expect(entry.regionId?.uuidString == FullRecords.uuid && entry.dataTime == time)
    #expect(entry.boundingBox?.box.east == 10.5)
    #expect(entry.filesToFetch.map(\.name) == ["w.routing.db"])
    #expect(entry.filesToFetch.first?.file == FullRecords.file)
    #expect(FullRecords.bundle.dataTime == time && FullRecords.bundle.licence == "ODbL-1.0")
    #expect(entry.safety?.hazards.first?.severity == .caution)
    var region = try FullRecords.region
    #expect(region.regionId?.uuidString == FullRecords.uuid && region.dataTime == time)
    region.createdAt = 0
    #expect(region.dataTime == nil)
  }

  @Test("keys of later versions are passed over, null is nil, and what may be missing may be")
  func tolerance() throws {
    let index = try IndexRecord(
      json: Data(
        """
        {"cairn": 1, "name": "alps", "licence": "L", "attribution": "A", "totalBytes": 0, "new": [1],
         "regions": [{"id": "a", "name": "A", "status": "fresh", "uuid": null, "files": null,
           "updates": [{"from": "x", "name": "a.delta"}], "safety": null}]}
        """.utf8))
    let entry = try #require(index.regions.first)
    // An earlier version wrote the regions of one manifest.
    #expect(entry.manifest == "alps" && entry.uuid == nil && entry.regionId == nil)
    #expect(entry.files == nil && entry.filesToFetch.isEmpty && entry.safety == nil)
    let bundle = try changed(FullRecords.bundle) { object in
      for key in ["safety", "provenance", "baseMap", "dataTimestamp", "variants"] {
        object[key] = key == "safety" ? nil : NSNull()
      }
      object["deltas"] = [["name": "a.delta"]]
    }
    let read = try BundleRecord(json: bundle)
    #expect(read.safety == nil && read.provenance == nil && read.dataTime == nil)
    #expect(read.files == FullRecords.bundle.files)
    var safety = FullRecords.safety
    (safety.highestGrade, safety.treeLineMetres, safety.closures) = (nil, nil, nil)
    let text = String(decoding: try json(safety), as: UTF8.self)
    #expect(text.contains(#""highestGrade":null"#) && text.contains(#""steep":null"#))
    #expect(try JSONDecoder().decode(SafetySummary.self, from: Data(text.utf8)) == safety)
  }

  @Test("an earlier or a later version says so, by whatever decoder", arguments: [0, 2, 7])
  func versions(_ version: Int) throws {
    let index = try changed(FullRecords.index) { $0["cairn"] = version }
    #expect(throws: BundleRecordError.otherVersion(version)) { try IndexRecord(json: index) }
    #expect(throws: BundleRecordError.otherVersion(version)) {
      try JSONDecoder().decode(IndexRecord.self, from: index)
    }
    let bundle = try changed(FullRecords.bundle) { $0["cairn"] = version }
    let error = #expect(throws: BundleRecordError.self) { try BundleRecord(json: bundle) }
    #expect(error?.description.contains("version \(version)") == true)
    let words = error?.errorDescription
    #expect(words?.contains(version > 1 ? "later version" : "earlier version") == true)
  }

  @Test("what is no record is told with the key")
  func notRecords() throws {
    let missing = try changed(FullRecords.index) { $0["cairn"] = nil }
    #expect(throws: BundleRecordError.notARecord("“cairn” is missing")) {
      try IndexRecord(json: missing)
    }
    let wrong = try changed(FullRecords.region) { $0["fileSizeBytes"] = "5" }
    let error = #expect(throws: BundleRecordError.self) { try RegionRecord(json: wrong) }
    #expect(error?.description.contains("fileSizeBytes") == true)
    for text in ["", "[]", "null", "{", String(repeating: "[", count: 100_000)] {
      #expect(throws: BundleRecordError.self) { try BundleRecord(json: Data(text.utf8)) }
    }
  }

  @Test("names that lead out of the folder are none to fetch")
  func names() throws {
    var bundle = FullRecords.bundle
    for name in ["../../x", "/etc/passwd", "..", "", "a/b", "a\0b"] {
      bundle.files[name] = FullRecords.file
    }
    let read = try BundleRecord(json: json(bundle))
    #expect(read.files.count == 7 && read.filesToFetch.map(\.name) == ["w.routing.db"])
  }

  @Test("files are read from disk, and a database knows its region")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let named = folder.appending(path: "\(FullRecords.uuid).routing.db")
    #expect(RegionRecord.regionId(ofDatabase: named)?.uuidString == FullRecords.uuid)
    let database = folder.appending(path: "w.routing.db")
    #expect(RegionRecord.regionId(ofDatabase: database) == nil)
    for (name, bytes) in [
      ("region.json", try json(FullRecords.region)), ("bundle.json", try json(FullRecords.bundle)),
      ("index.json", try json(FullRecords.index)),
    ] {
      try bytes.write(to: folder.appending(path: name))
    }
    #expect(
      try IndexRecord(contentsOf: folder.appending(path: "index.json")) == FullRecords.index)
    #expect(
      try BundleRecord(contentsOf: folder.appending(path: "bundle.json")) == FullRecords.bundle)
    #expect(RegionRecord.regionId(ofDatabase: database)?.uuidString == FullRecords.uuid)
    let variant = folder.appending(path: "w.winter.routing.db")
    #expect(RegionRecord.regionId(ofDatabase: variant)?.uuidString == FullRecords.uuid)
    #expect(RegionRecord.regionId(ofDatabase: folder.appending(path: "other.db")) == nil)
    for other in [folder, folder.appending(path: "none.json"), URL(filePath: "/dev/zero")] {
      let error = #expect(throws: BundleRecordError.self) { try IndexRecord(contentsOf: other) }
      if case .unreadable = error {} else { Issue.record("\(error as Any)") }
    }
  }

  // MARK: - The page

  /// The keys in the first column of the tables below a heading of docs/bundles.md.
  private func keys(below heading: String) throws -> Set<String> {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let page = try String(
      contentsOf: root.appending(path: "docs/bundles.md").standardizedFileURL, encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n\(heading)\n").dropFirst().first)
    var keys: Set<String> = []
    for line in section.components(separatedBy: "\n") {
      if line.hasPrefix("#") { break }
      guard line.hasPrefix("| `") else { continue }
      let cell = line.components(separatedBy: "|")[1]
      keys.formUnion(
        cell.components(separatedBy: "`").enumerated().filter { $0.0 % 2 == 1 }.map(\.1))
    }
    return keys
  }

  private func keys(of record: some Encodable) throws -> Set<String> {
    let read = try JSONSerialization.jsonObject(with: json(record))
    return Set(try #require(read as? [String: Any]).keys)
  }

  @Test("the keys are those of the page on bundles, field for field")
  func documented() throws {
    #expect(try keys(of: FullRecords.region) == keys(below: "## region.json"))
    #expect(try keys(of: FullRecords.bundle) == keys(below: "## bundle.json"))
    let provenance = try #require(FullRecords.bundle.provenance)
    #expect(try keys(of: provenance) == keys(below: "### provenance"))
    #expect(try keys(of: FullRecords.safety) == keys(below: "### safety"))
    let index = try FullRecords.index
    let all = try keys(of: index).union(keys(of: try #require(index.regions.first)))
    #expect(try all == keys(below: "## index.json"))
  }

  /// An index whose list of regions, and what stands behind it, are these.
  private func index(_ regions: String, and rest: String = "") -> Data {
    Data(
      """
      {"cairn":1,"name":"a","licence":"L","attribution":"A","totalBytes":0,"regions":\(regions)\(rest)}
      """.utf8)
  }

  @Test("an index is read region by region, whatever stands before and behind them")
  func parts() throws {
    let region = #"{"id":"a","name":"]}\"[","status":"fresh"}"#
    let two = try IndexRecord(json: index("[\(region), \(region)]", and: #","x":[{"regions":[]}]"#))
    #expect(two.regions.map(\.name) == ["]}\"[", "]}\"["] && two.name == "a")
    #expect(try IndexRecord(json: index("[]")).regions.isEmpty)
    for text in ["null", "{}", "[1]", "[\(region)", "[\(region),]", "[{}]", "[\(region)] x"] {
      #expect(throws: BundleRecordError.self, "\(text)") { try IndexRecord(json: index(text)) }
    }
    #expect(throws: BundleRecordError.self) {
      try IndexRecord(json: index("[]") + Data("{}".utf8))
    }
  }

  @Test("an index that would take far more memory than its size explains is refused")
  func largeParts() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let region = #"{"id":"a","name":"\#(long)","status":"fresh"}"#
    #expect(throws: BundleRecordError.notARecord("region 0 has more than 1 MiB")) {
      try IndexRecord(json: index("[\(region)]"))
    }
    let beside = "what is beside its regions has more than 1 MiB"
    #expect(throws: BundleRecordError.notARecord(beside)) {
      try IndexRecord(json: index("[]", and: #","x":"\#(long)""#))
    }
    let small = #"{"id":"a","name":"","status":"fresh"}"#
    let many = Array(repeating: small, count: 5000).joined(separator: ",")
    let error = #expect(throws: BundleRecordError.self) {
      try IndexRecord(json: index("[\(many)]"))
    }
    #expect(error?.description.contains("far more than its size allows") == true)
    // So many that say something are read.
    let usual = #"{"id":"a","name":"\#(long.prefix(300))","status":"fresh"}"#
    let list = Array(repeating: usual, count: 5000).joined(separator: ",")
    #expect(try IndexRecord(json: index("[\(list)]")).regions.count == 5000)
  }
}
