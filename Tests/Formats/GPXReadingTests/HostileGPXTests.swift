// SPDX-License-Identifier: Apache-2.0
import CairnGPXReading
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Hostile GPX files")
struct HostileGPXTests {
  private static let bomb = """
    <!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>\
    <gpx><name>&b;</name></gpx>
    """

  private static func wide(_ text: String) -> [UInt8] {
    "\u{FEFF}\(text)".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  #if canImport(FoundationXML)
    @Test(
      "a processing instruction without content is refused wherever it is; XMLParser would crash",
      arguments: [
        "<?a?><gpx/>", "<gpx><?a?></gpx>", "<gpx/><?a??>", "<gpx/><<?a?b?>",
        "<gpx>" + String(repeating: " ", count: 1 << 20 - 7) + "<?a?></gpx>",
      ])
    func emptyInstructions(text: String) throws {
      let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).gpx")
      defer { try? FileManager.default.removeItem(at: path) }
      for bytes in [Array(text.utf8), Self.wide(text)] {
        #expect(GPXTestReader.foundation.refusal(of: bytes)?.kind == "refused")
        try Data(bytes).write(to: path)
        let error = #expect(throws: GPXError.self) { try GPXFile(contentsOf: path) }
        #expect(error?.kind == "refused")
      }
    }

    @Test("half of a surrogate pair is malformed; XMLParser would crash where parsing is aborted")
    func halfPairs() {
      for half in [[0xFF, 0xDB, 0, 0xFF], [0, 0xD8]] as [[UInt8]] {
        let bytes = Self.wide("<gpx><name>") + half + Self.wide("</name></gpx>").dropFirst(2)
        #expect(GPXTestReader.foundation.refusal(of: bytes)?.kind == "malformed")
      }
      let pair = Self.wide("<gpx><name>\u{1F3D4}</name></gpx>")
      #expect(GPXTestReader.foundation.refusal(of: pair) == nil)
    }

    @Test("processing instructions with content are ignored")
    func instructions() {
      for text in ["<?a b?><gpx/>", "<gpx><?a ?></gpx>", "<?xml-stylesheet href='?'?>\n<gpx/>"] {
        #expect(GPXTestReader.foundation.refusal(of: Array(text.utf8)) == nil)
        #expect(GPXTestReader.foundation.refusal(of: Self.wide(text)) == nil)
      }
    }
  #endif

  private static let long = String(repeating: "x", count: 2 << 20)

  /// Files, and what kind of error they are.
  private static let refused: [(name: String, bytes: [UInt8], kind: String)] = [
    ("entities", Array(bomb.utf8), "refused"),
    ("entities in UTF-16", wide(bomb), "refused"),
    ("a document type", Array("<!DOCTYPE gpx SYSTEM 'file:///etc/passwd'><gpx/>".utf8), "refused"),
    (
      "a document type behind others",
      Array("<?xml version='1.0'?> <!-- <gpx> --><?a <gpx>?>\n<!DOCTYPE gpx><gpx/>".utf8), "refused"
    ),
    ("a page", Array("<!DOCTYPE html><html></html>".utf8), "refused"),
    (
      "a document type in UTF-7",
      Array("<?xml version='1.0' encoding='UTF-7'?>+ADwAIQ-DOCTYPE gpx+AD4-<gpx/>".utf8),
      "malformed"
    ),
    ("an unknown encoding", Array("<?xml version='1.0' encoding='x-y'?><gpx/>".utf8), "malformed"),
    ("another encoding", Array("<?xml version='1.0' encoding='UTF-16'?><gpx/>".utf8), "malformed"),
    ("another wide encoding", wide("<?xml version='1.0' encoding='UTF-8'?><gpx/>"), "malformed"),
    (
      "bad UTF-8", Array("<gpx><name>".utf8) + [0xFF, 0xE4] + Array("</name></gpx>".utf8),
      "malformed"
    ),
    ("a zero", Array("<gpx>\0</gpx>".utf8), "malformed"),
    ("a reference to zero", Array("<gpx><name>&#0;</name></gpx>".utf8), "malformed"),
    ("a control character", Array("<gpx>\u{1}</gpx>".utf8), "malformed"),
    ("an unknown entity", Array("<gpx><name>&x;</name></gpx>".utf8), "malformed"),
    ("an attribute twice", Array("<gpx><wpt lat='1' lat='2' lon='3'/></gpx>".utf8), "malformed"),
    ("two roots", Array("<gpx/><gpx/>".utf8), "malformed"),
    ("text after the root", Array("<gpx/>text".utf8), "malformed"),
    ("no XML", Array("latitude,longitude\n47,10\n".utf8), "malformed"),
    ("nothing", [], "not GPX"), ("another root", Array("<kml/>".utf8), "not GPX"),
    ("an archive", Array("PK\u{3}\u{4}gpx".utf8), "not GPX"),
    (
      "deep nesting", Array(("<gpx>" + String(repeating: "<a>", count: 100_000)).utf8), "refused"
    ),
    (
      "deep nesting in an extension",
      Array(
        ("<gpx xmlns:e='e'><extensions>" + String(repeating: "<e:a>", count: 100_000)).utf8),
      "refused"
    ),
    ("a long attribute", Array("<gpx><wpt lat='1' lon='2' x='\(long)'/></gpx>".utf8), "refused"),
    ("a long comment", Array("<gpx><!--\(long)--></gpx>".utf8), "refused"),
    ("a long comment before the root", Array("<!--\(long)--><gpx/>".utf8), "refused"),
    ("a long instruction", Array("<gpx><?a \(long)?></gpx>".utf8), "refused"),
  ]

  @Test("is refused", arguments: GPXTestReader.allCases, refused.map(\.name))
  func isRefused(_ reader: GPXTestReader, _ name: String) throws {
    let file = try #require(Self.refused.first { $0.name == name })
    let error = reader.refusal(of: file.bytes)
    #expect(error?.kind == file.kind, "\(error?.description ?? "is read")")
    #expect((error?.description.utf8.count ?? 0) < 500)
  }

  @Test("elements may be nested as deep as the limit", arguments: GPXTestReader.allCases)
  func nesting(_ reader: GPXTestReader) throws {
    func nested(_ depth: Int) -> String {
      "<gpx>" + String(repeating: "<a>", count: depth - 1)
        + String(repeating: "</a>", count: depth - 1) + "</gpx>"
    }
    #expect(reader.refusal(of: nested(32).utf8) == nil)
    #expect(reader.refusal(of: nested(33).utf8)?.kind == "refused")
  }

  @Test(
    "a text of any length is cut off, or refused", arguments: GPXTestReader.allCases,
    ["<desc>", "<desc><![CDATA["])
  func longText(_ reader: GPXTestReader, _ start: String) throws {
    let end = start == "<desc>" ? "</desc>" : "]]></desc>"
    let text = String(repeating: "x", count: 24 << 20)
    var omissions: [GPXOmission] = []
    do throws(GPXError) {
      let file = try reader.read(
        "<gpx><wpt lat='1' lon='2'>\(start)\(text)\(end)</wpt></gpx>".utf8, &omissions)
      #expect(file.waypoints.first?.details?.description?.utf8.count == 1 << 16)
      #expect(omissions.map(\.count) == [1])
    } catch { #expect(["refused", "malformed"].contains(error.kind)) }
  }

  @Test("a file that is cut off anywhere is not read", arguments: GPXTestReader.allCases)
  func cutOff(_ reader: GPXTestReader) throws {
    let whole = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?><!-- a --><gpx xmlns:e="urn:e"><wpt lat="1" lon="2">\
      <name>Höhe &amp; <![CDATA[x]]></name><extensions><e:a b="c">d</e:a></extensions></wpt></gpx>
      """.utf8)
    #expect(try reader.read(whole).waypoints.count == 1)
    for count in 0..<whole.count {
      // A parser may tell the beginning of a tag that is cut off as if it were all of it.
      let error = reader.refusal(of: whole.prefix(count))
      #expect(["malformed", "not GPX", "invalid"].contains(error?.kind), "\(count)")
    }
  }

  @Test("a file in Latin-1 that says so is read", arguments: GPXTestReader.allCases)
  func latin1(_ reader: GPXTestReader) throws {
    let head = "<?xml version='1.0' encoding='ISO-8859-1'?><gpx><metadata><name>H"
    let bytes = Array(head.utf8) + [0xF6] + Array("he</name></metadata></gpx>".utf8)
    #expect(try reader.read(bytes).name == "Höhe")
  }

  @Test("files on disk are read, and what is no file is told")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "Höhe.gpx")
    var body = ""
    for index in 0..<5000 { body += "<trkpt lat='1' lon='2'><ele>\(index)</ele></trkpt>\n" }
    try Data("<gpx><trk><trkseg>\(body)</trkseg></trk></gpx>".utf8).write(to: url)
    let file = try GPXFile(contentsOf: url)
    #expect(file.tracks.first?.points.compactMap(\.elevation) == (0..<5000).map(Double.init))
    for other in [folder, folder.appending(path: "none.gpx"), URL(filePath: "/dev/null")] {
      do throws(GPXError) {
        _ = try GPXFile(contentsOf: other)
        Issue.record("\(other) is read")
      } catch { #expect(error.kind == "unreadable") }
    }
    try Data([0x1F, 0x8B, 8, 0]).write(to: url)
    do throws(GPXError) {
      _ = try GPXFile(contentsOf: url)
      Issue.record("a compressed file is read")
    } catch { #expect(error == .notGPX("is compressed with gzip")) }
  }

  #if canImport(GPXInput)
    @Test("readers agree on files in which bytes were changed", arguments: 1...60)
    func mutations(_ seed: UInt64) throws {
      let whole = Array(
        """
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:e="urn:e">\
        <metadata><name>N</name><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/></metadata>\
        <wpt lat="1.5" lon="2"><ele>7</ele><time>2026-01-02T03:04:05Z</time><sym>S</sym></wpt>\
        <trk><name>T &lt; U</name><trkseg><trkpt lat="3" lon="4"><extensions><e:speed>1</e:speed>\
        <e:a b="1" c="2">x<e:d/></e:a></extensions></trkpt></trkseg></trk></gpx>
        """.utf8)
      var state = seed &* 0x9E37_79B9_7F4A_7C15
      func draw(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: state >> 33) % count
      }
      let signs = Array("<>/=\"' &;:!?[]-\u{0}\u{7F}azAZ019.é".utf8)
      for _ in 0..<20 {
        var bytes = whole
        for _ in 0...draw(3) {
          let index = draw(bytes.count)
          switch draw(3) {
          case 0: bytes[index] = signs[draw(signs.count)]
          case 1: bytes.remove(at: index)
          default: bytes.insert(signs[draw(signs.count)], at: index)
          }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var omissions: [[GPXOmission]] = [[], []]
        let files = [GPXTestReader.foundation, .expat].enumerated().map {
          index, reader -> GPXFile? in
          do throws(GPXError) { return try reader.read(bytes, &omissions[index]) } catch {
            #expect(error.kind != "unreadable")
            return nil
          }
        }
        #expect((files[0] == nil) == (files[1] == nil), "\(text)")
        if files[0] != nil, files[1] != nil {
          #expect(files[0] == files[1], "\(text)")
          #expect(omissions[0].map(\.count) == omissions[1].map(\.count), "\(text)")
        }
      }
    }
  #endif
}
