// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import SampleData

@Suite("Sample files")
struct SampleFileTests {
  private static let files = (try? SampleFile.all(of: sampleWorld)) ?? []

  private func content(_ name: String) throws -> [UInt8] {
    try #require(Self.files.first { $0.name == name }).bytes
  }

  @Test("the committed files have the same bytes as those generated from seed 1")
  func committed() throws {
    #expect(Self.files.count == 6)
    for file in Self.files {
      let committed = try InputFile("\(committedFolder)/\(file.name)").readAll(limit: 1 << 22)
      #expect(
        committed == file.bytes,
        "\(file.name) differs: run cairn sample --output sample-data and look at the change")
    }
  }

  @Test("the README lists all landmarks with coordinate and elevation")
  func readme() throws {
    let bytes = try InputFile("\(committedFolder)/README.md").readAll(limit: 1 << 16)
    let text = String(decoding: bytes, as: UTF8.self)
    for landmark in Landmark.allCases {
      let coordinate = landmark.coordinate
      let units = [coordinate.latitude, coordinate.longitude].map { sixDecimals($0) }
      let metres = Int(sampleWorld.elevationMetres(at: coordinate).rounded())
      let row = "| \(landmark.rawValue) | \(units[0]),\(units[1]) | \(metres) |"
      #expect(text.contains(row), "\(row)")
    }
    for count in [sampleWorld.nodes.count, sampleWorld.ways.count, sampleWorld.relations.count] {
      #expect(text.contains(" \(grouped(count).replacing("\u{A0}", with: " ")) "))
    }
  }

  private func sixDecimals(_ units: Int32) -> String {
    let digits = String(units)
    return digits.dropLast(7) + "." + digits.suffix(7).dropLast()
  }

  @Test("all files together have less than 1.5 MB")
  func size() { #expect(Self.files.reduce(0) { $0 + $1.bytes.count } < 1_500_000) }

  @Test("the PBF and XML files contain the same objects")
  func sameObjects() throws {
    let pbf = try PBFLines(try content("valley.osm.pbf"))
    let xml = xmlLines(try inflated(try content("valley.osm.gz"), windowBits: 31))
    #expect(pbf.lines == xml)
    #expect(
      xml.count == sampleWorld.nodes.count + sampleWorld.ways.count + sampleWorld.relations.count)
    #expect(pbf.blobs > 6)
  }

  @Test("the tiles have 1201 posts per side; the fine one has a void, the coarse one has none")
  func tiles() throws {
    let postBytes = 1201 * 1201 * 2
    for (folder, hasVoid) in [("hgt", true), ("hgt-coarse", false)] {
      let archive = try content("\(folder)/N47E010.hgt.zip")
      #expect(TileWriter.isZip(head: Array(archive.prefix(128))))
      let nameEnd = 30 + TileWriter.memberName.utf8.count
      let tile = try inflated(Array(archive.dropFirst(nameEnd)), windowBits: -15)
      #expect(tile.count == postBytes)
      let heights = stride(from: 0, to: postBytes, by: 2).map {
        Int16(truncatingIfNeeded: Int(tile[$0]) << 8 | Int(tile[$0 + 1]))
      }
      #expect(heights.contains(TileWriter.voidHeight) == hasVoid)
      #expect(heights.allSatisfy { $0 == TileWriter.voidHeight || (700...2700).contains($0) })
    }
  }

  @Test("files are written to a folder and overwritten there, but other files never are")
  func command() throws {
    try inScratchFolder { folder in
      let made = "\(folder)/made/here"
      for _ in 1...2 { for file in Self.files { try file.write(to: made) } }
      for file in Self.files {
        let path = "\(made)/\(file.name)"
        try AtomicOutput.write(Array("mine".utf8), to: path) { _ in true }
        let error = try #require(throws: CairnError.self) { try file.write(to: made) }
        #expect(error.exitCode == .cannotCreate)
        #expect(try InputFile(path).readAll(limit: 100) == Array("mine".utf8))
      }
    }
  }

  private func inScratchFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/cairn-sample-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { removeTree(folder) }
    try body(folder)
  }

  private func removeTree(_ path: String) {
    for name in (try? folderContents(path)) ?? [] { removeTree(joinPath(path, name)) }
    remove(path)
  }

  @Test("a seed that is not a number is refused")
  func usage() {
    #expect(CommandRunner.run(SampleCommand.self, ["--output", "x", "--seed", "one"]) == .usage)
    #expect(CommandRunner.run(SampleCommand.self, []) == .usage)
  }
}

@Suite("The deflate encoder")
struct DeflateTests {
  @Test("inflating the output gives the input", arguments: [0, 1, 2, 3, 258, 259, 70_000])
  func roundTrip(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let letters = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 4) }
    for bytes in [noise, letters, [UInt8](repeating: 7, count: count)] {
      #expect(try inflated(Deflate.compress(bytes), windowBits: -15) == bytes)
      #expect(try inflated(Deflate.zlibStream(bytes), windowBits: 15) == bytes)
      #expect(try inflated(Deflate.gzipFile(bytes, name: "x"), windowBits: 31) == bytes)
    }
  }
}
