// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import CairnSearch
import Glibc
import OSMInput
import PlaceIndex
import SystemIO
import TrailData

/// Databases of places, and what is searched for in them.
let placeTargets: [FuzzTarget] = [
  FuzzTarget("places", seeds: { [try SmallPlaces.shared.get().bytes] }) { bytes in
    try withFile(bytes, named: "map.places.db") { path in
      try expectSearchError {
        let search = try SearchService(path: path)
        _ = try search.metadata()
        for query in ["encamp", "encmap", "p", "senda gr", "qqqq zzzz"] {
          try expectSearchError { try search.search(query, near: SmallPlaces.centre, limit: 20) }
        }
        _ = try search.describe(location: SmallPlaces.centre)
      }
    }
  },
  FuzzTarget(
    "query",
    seeds: { ["encmap", "gr11", "pic de l'estanyo", "andorre\" OR *"].map { Array($0.utf8) } }
  ) { bytes in
    let query = String(decoding: bytes, as: UTF8.self)
    let folded = FoldedName(query)
    try expect(FoldedName(folded.text) == folded, "folded twice, it differs: \(folded.text)")
    let places = try SmallPlaces.shared.get()
    try expectSearchError {
      for near in [nil, SmallPlaces.centre] {
        let response = try places.search.search(query, near: near, limit: 5)
        try expect(response.results.count <= 5, "more results than were asked for")
      }
    }
  },
]

/// Runs a search, which may throw an error of its own with a text and no other error.
private func expectSearchError(_ body: () throws -> some Any) throws {
  do { _ = try body() } catch let failure as FuzzFailure { throw failure } catch {
    guard let error = error as? SearchError else { throw FuzzFailure("untyped error: \(error)") }
    try expect(!error.description.isEmpty, "an error without a text")
  }
}

/// A database of a few places.
private struct SmallPlaces: Sendable {
  static let shared = Result { try SmallPlaces() }
  static let centre = Coordinate(latitude: 42.5, longitude: 1.5)

  private static let map = """
    <osm version="0.6">
    <node id="1" lat="42.5" lon="1.5"><tag k="place" v="town"/><tag k="name" v="Andorra la Vella"/>
    <tag k="name:fr" v="Andorre-la-Vieille"/><tag k="name:zh" v="安道尔城"/></node>
    <node id="2" lat="42.53" lon="1.58"><tag k="place" v="village"/><tag k="name" v="Encamp"/></node>
    <node id="3" lat="42.6" lon="1.6"><tag k="natural" v="peak"/><tag k="name" v="Pic de l'Estanyó"/>
    <tag k="ele" v="2915"/></node>
    <node id="4" lat="42.501" lon="1.501"/><node id="5" lat="42.505" lon="1.512"/>
    <way id="1"><nd ref="1"/><nd ref="4"/><nd ref="5"/><tag k="highway" v="path"/>
    <tag k="name" v="Camí Ral"/></way>
    <relation id="1"><member type="way" ref="1" role=""/><tag k="type" v="route"/>
    <tag k="route" v="hiking"/><tag k="network" v="nwn"/><tag k="ref" v="GR 11"/>
    <tag k="name" v="Senda Pirenaica"/></relation>
    </osm>
    """

  let bytes: [UInt8]
  let search: SearchService

  private init() throws {
    var folder = Array("/tmp/cairn-fuzz-places-XXXXXX".utf8CString)
    guard let made = mkdtemp(&folder) else { throw FuzzFailure("cannot write to /tmp") }
    let path = String(cString: made)
    let (source, trails, places) = (path + "/m.osm", path + "/m.trails", path + "/m.places.db")
    defer {
      for file in [source, trails, places] { unlink(file) }
      rmdir(path)
    }
    try write(Array(Self.map.utf8), to: source)
    try OverpassParser(source).parse().content.write(
      to: trails, provenance: Provenance(tool: "the fuzzer"))
    let output = try AtomicOutput(places) { _ in true }
    try PlaceIndexBuilder(try TrailsFile(trails)).write(to: output)
    try output.commit()
    bytes = try content(of: places)
    // The file stays open after it was removed.
    search = try SearchService(path: places)
    _ = try search.search("encmap")
  }
}

private func write(_ bytes: [UInt8], to path: String) throws(FuzzFailure) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  defer { close(descriptor) }
  try expect(
    descriptor >= 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
    "cannot write \(path)")
}

private func content(of path: String) throws(FuzzFailure) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(descriptor, 0, SEEK_END))))
  let count = pread(descriptor, &bytes, bytes.count, 0)
  try expect(!bytes.isEmpty && count == bytes.count, "cannot read \(path)")
  return bytes
}
