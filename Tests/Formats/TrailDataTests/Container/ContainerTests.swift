// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import TrailData

@Suite("Containers")
struct ContainerTests {
  let folder: TemporaryFolder
  let path: String
  private let provenance = Provenance(
    tool: "cairn 0.1.0", source: .init(name: "a.osm.pbf", sha256: "00", bytes: 7),
    dataTimestamp: "2024-01-01T00:00:00Z", region: "1,2,3,4", elevationTiles: ["N47E010"],
    counts: ["nodes": 3, "edges": 2])

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("sample.trails")
  }

  private func writeSample() throws {
    let writer = try ContainerWriter(path, kind: .trails)
    try writer.add("bytes", [UInt8](0..<100))
    try writer.add("int32", [Int32.min, 0, .max])
    try writer.add("uint32", [0, UInt32.max])
    try writer.add("int64", [Int64.min, -1, .max])
    try writer.add("float", [Float.nan, -0.0, .infinity, 1.5])
    try writer.add("double", [Double.pi])
    try writer.add("nothing", [Int64]())
    try writer.commit(provenance)
  }

  @Test("columns of every type are read as they were written, aligned to 64 bytes")
  func roundTrips() throws {
    try writeSample()
    let reader = try ContainerReader(path)
    #expect(reader.kind == .trails)
    #expect(reader.provenance == provenance)
    #expect(Array(try reader.column("bytes", of: UInt8.self)) == Array(0..<100))
    #expect(Array(try reader.column("int32", of: Int32.self)) == [.min, 0, .max])
    #expect(Array(try reader.column("uint32", of: UInt32.self)) == [0, .max])
    #expect(Array(try reader.column("int64", of: Int64.self)) == [.min, -1, .max])
    let floats = try reader.column("float", of: Float.self)
    #expect(
      floats.map(\.bitPattern) == [Float.nan, -0.0, .infinity, 1.5].map(\.bitPattern))
    #expect(Array(try reader.column("double", of: Double.self)) == [.pi])
    #expect(try reader.column("nothing", of: Int64.self).isEmpty)
    #expect(
      reader.sections.map(\.name)
        == ["bytes", "int32", "uint32", "int64", "float", "double", "nothing"])
    #expect(reader.sections.allSatisfy { $0.offset % 64 == 0 })
    #expect(reader.sections.map(\.byteCount) == [100, 12, 8, 24, 16, 8, 0])
    #expect(reader.sections.last?.typeName == "Int64")
  }

  @Test("the same columns give the same bytes")
  func isDeterministic() throws {
    try writeSample()
    let first = try bytesOfFile(path)
    try writeSample()
    #expect(try bytesOfFile(path) == first)
  }

  @Test("an unexpected name, type or length of a column is damage and does not trap")
  func refusesWrongColumns() throws {
    try writeSample()
    let reader = try ContainerReader(path)
    expectError(.damagedContainer, .dataError) { try reader.column("missing", of: UInt8.self) }
    expectError(.damagedContainer, .dataError) { try reader.column("int32", of: UInt32.self) }
    expectError(.damagedContainer, .dataError) {
      try reader.column("int32", of: Int32.self, count: 4)
    }
  }

  @Test("another kind or version of container, or another file, is refused with what it is")
  func refusesOtherFiles() throws {
    try writeSample()
    let kind = expectError(.wrongContainerKind, .dataError) {
      try ContainerReader(path, kinds: [.elevated, .graph])
    }
    #expect(kind?.message == "is a .trails file, expected .elevated or .graph")

    var newer = try EditedContainer(path)
    let current = ContainerKind.trails.formatVersion
    newer.set(.version, current + 1)
    let version = expectError(.wrongFormatVersion, .dataError) {
      try ContainerReader(try folder.write(newer.bytes, to: "newer"))
    }
    #expect(
      version?.message
        == "has format version \(current + 1); this build reads version \(current)")

    for (content, message) in [
      ("", "is empty"), ("CAIRN", "is not a .trails file"), ("<html>", "is not a .trails file"),
      ("CAIRNTRL", "is damaged: the header is truncated"),
    ] {
      let file = try folder.write(content, to: "other")
      let error = expectError(
        message.contains("damaged") ? .damagedContainer : .notAContainer, .dataError
      ) { try ContainerReader(file, kinds: [.trails]) }
      #expect(error?.message == message)
      #expect(error?.location?.file == file)
    }
    expectError(.cannotRead, .noInput) { try ContainerReader(folder.file("missing")) }
    expectError(.cannotRead, .noInput) { try ContainerReader(folder.path) }
  }

  @Test("a container replaces a container of its kind and nothing else")
  func replacesItsOwnKindOnly() throws {
    try writeSample()
    try writeSample()
    expectError(.outputIsForeign, .cannotCreate) { try ContainerWriter(path, kind: .graph) }
    let foreign = try folder.write("my notes", to: "notes")
    expectError(.outputIsForeign, .cannotCreate) { try ContainerWriter(foreign, kind: .trails) }
    #expect(try folder.read("notes") == Array("my notes".utf8))
    #expect(try folder.contents == ["notes", "sample.trails"])
  }

  @Test("a container that is never committed leaves nothing")
  func leavesNothing() throws {
    func giveUp() throws {
      let writer = try ContainerWriter(path, kind: .trails)
      try writer.add("bytes", [UInt8](0..<100))
    }
    try giveUp()
    #expect(try folder.contents.isEmpty)
  }

  @Test("the kind of a container is recognised by its first bytes")
  func recognisesHeads() {
    for kind in ContainerKind.allCases {
      #expect(ContainerKind(head: Array(kind.rawValue.utf8)) == kind)
      #expect(ContainerKind(head: Array(kind.rawValue.utf8) + [0, 1]) == kind)
      #expect(ContainerKind(head: Array(kind.rawValue.utf8.dropLast())) == nil)
    }
    #expect(ContainerKind(head: [UInt8](repeating: 0xFF, count: 64)) == nil)
    #expect(Set(ContainerKind.allCases.map(\.fileExtension)).count == 3)
  }

  @Test("columns outlive the reader that they came from")
  func columnsKeepTheFile() throws {
    try writeSample()
    let column = try ContainerReader(path).column("int64", of: Int64.self)
    #expect(Array(column) == [.min, -1, .max])
  }
}
