// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@testable import OSMInput

@Suite("Names")
struct NameTests {
  @Test("names in every language are kept, and other keys that begin like them are not")
  func languages() {
    let names = ["name:ca", "name:gsw", "name:zh-Hant", "name:zh_pinyin", "name:sr-Latn-RS"]
    let others = [
      "name", "name:", "name:e", "name:etymology", "name:en:pronunciation", "name:ca-", "name:CA",
      "name:left", "name:source", "name:en-\u{E9}", "named:ca", "ref:ca",
    ]
    func isName(_ key: String) -> Bool {
      Array(key.utf8).withUnsafeBytes { TagSelection.isLanguageName($0) }
    }
    #expect(names.filter { !isName($0) } == [])
    #expect(others.filter(isName) == [])
  }

  @Test("points, ways and waymarked routes have all their names, in PBF and in XML")
  func kept() throws {
    let names: KeyValuePairs = [
      "name": "A", "name:ca": "B", "name:etymology": "C", "old_name": "D", "source": "E",
      "highway": "path",
    ]
    var map = SmallMap.valley
    map.nodes.append(
      MapNode(
        id: 70, latitude: 3, longitude: 4,
        tags: [
          "name": "A", "name:ca": "B", "name:etymology": "C", "old_name": "D", "natural": "peak",
        ]))
    map.ways.append(MapWay(id: 40, refs: [1, 2], tags: names))
    map.routes = [
      MapRelation(
        id: 5, members: ["w40"],
        tags: ["type": "route", "route": "hiking", "name:eu": "B", "official_name": "D"])
    ]
    let extract = try parsePBF(map.pbf, region: .everything, threads: 2)
    #expect(try parseXML(map.xml, region: .everything) == extract)
    #expect(extract.tags(ofWay: 40) == ["highway=path", "name=A", "name:ca=B", "old_name=D"])
    #expect(
      extract.tags(ofPoint: extract.content.poiIDs.count - 1) == [
        "name=A", "name:ca=B", "natural=peak", "old_name=D",
      ])
    let texts = extract.content.strings.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.contains("name:eu") && texts.contains("official_name"))
    #expect(!texts.contains("name:etymology"))
  }
}
