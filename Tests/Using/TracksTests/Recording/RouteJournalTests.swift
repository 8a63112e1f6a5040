// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import CairnTracks

@Suite("Journals of fixes")
struct RouteJournalTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("route.journal")
  }

  /// Fixes of which each says something else about itself.
  static func fixes(_ count: Int, from first: Int = 0) -> [LocationFix] {
    (first..<first + count).map { index -> LocationFix in
      var fix = LocationFix(
        latitude: 42.5 + Double(index) * 1e-5, longitude: 1.5, horizontalAccuracy: 5,
        timestamp: Date(timeIntervalSince1970: 1_700_000_000 + Double(index)))
      if index % 2 == 0 { fix.altitude = 1500.25 }
      if index % 3 == 0 { fix.verticalAccuracy = 8 }
      if index % 5 == 0 { fix.course = 90 }
      if index % 7 == 0 { fix.speed = 1.25 }
      return fix
    }
  }

  private func record(_ fixes: [LocationFix], ends: inout [Int]) throws {
    let recorder = RouteRecorder(journal: path, flushing: .never)
    try recorder.restorePersistedRouteLocationsIfNeeded()
    try recorder.startRouteCollectionIfNeeded()
    ends.append(try folder.read("route.journal").count)
    for fix in fixes {
      try recorder.didUpdateLocations([fix])
      ends.append(try folder.read("route.journal").count)
    }
    try recorder.stopRouteCollection()
  }

  private func replayed() throws -> [LocationFix] { try RecordedRoute(journal: path).fixes }

  @Test("what is recorded is read again, bit by bit")
  func roundTrip() throws {
    let fixes = Self.fixes(200)
    var ends: [Int] = []
    try record(fixes, ends: &ends)
    #expect(try replayed() == fixes)
    let contents = try RouteJournal.read(path)
    #expect(contents.fixCount == 200 && contents.lastFix == fixes[199])
    #expect(contents.damagedBytes == 0 && contents.tornBytes == 0)
    #expect(RouteJournal.isJournal(head: try folder.read("route.journal")))
  }

  @Test("cut at every byte, a journal loses at most the fix that is cut, and is recorded on to")
  func cutAnywhere() throws {
    let fixes = Self.fixes(12)
    var ends: [Int] = []
    try record(fixes, ends: &ends)
    let whole = try folder.read("route.journal")
    for size in 0...whole.count {
      try folder.write(Array(whole[..<size]), to: "route.journal")
      // ends[n] is the size after n fixes.
      let expected = max(0, (ends.lastIndex { $0 <= size } ?? 0))
      #expect(try replayed() == Array(fixes[..<expected]), "cut at \(size)")
      #expect(try folder.read("route.journal").count == size, "reading changed the file")
      var further: [Int] = []
      try record([fixes[11], Self.fixes(1, from: 12)[0]], ends: &further)
      let route = try replayed()
      let more = expected == 12 ? [] : [fixes[11]]
      #expect(route == fixes[..<expected] + more + Self.fixes(1, from: 12), "cut at \(size)")
    }
  }

  @Test("a flipped byte costs one fix, wherever it is")
  func flippedBytes() throws {
    let fixes = Self.fixes(12)
    var ends: [Int] = []
    try record(fixes, ends: &ends)
    let whole = try folder.read("route.journal")
    for index in whole.indices {
      for bit in [UInt8(1), 0x80, 0xFF] {
        var bytes = whole
        bytes[index] ^= bit
        try folder.write(bytes, to: "route.journal")
        guard index >= ends[0] else {
          // The header: no journal any more, so it is left alone.
          #expect(throws: RouteJournal.Failure.self) { try replayed() }
          #expect(throws: RouteJournal.Failure.self) {
            try RouteRecorder(journal: path).startRouteCollectionIfNeeded()
          }
          #expect(try folder.read("route.journal") == bytes)
          continue
        }
        let hit = try #require(ends.firstIndex { $0 > index }) - 1
        var expected = fixes
        expected.remove(at: hit)
        #expect(try replayed() == expected, "byte \(index)")
        let contents = try RouteJournal.read(path)
        #expect((contents.damagedBytes > 0) == (hit < 11))
        #expect((contents.tornBytes > 0) == (hit == 11))
      }
    }
  }

  @Test("a file of something else is neither read nor changed, nor removed")
  func foreignFiles() throws {
    for content in ["x", "cairnfiX", "cairnfix is a word", String(repeating: "a", count: 5000)] {
      try folder.write(content, to: "route.journal")
      let recorder = RouteRecorder(journal: path)
      let failure = RouteJournal.Failure.foreign(path: path)
      #expect(throws: failure) { try recorder.restorePersistedRouteLocationsIfNeeded() }
      #expect(throws: failure) { try recorder.startRouteCollectionIfNeeded() }
      #expect(throws: failure) { try recorder.clearPersistedRouteLocations() }
      #expect(throws: failure) { try recorder.reset() }
      #expect(try folder.read("route.journal") == Array(content.utf8))
    }
    #expect(throws: RouteJournal.Failure.self) {
      try RouteRecorder(journal: folder.path).startRouteCollectionIfNeeded()
    }
    #expect(throws: RouteJournal.Failure.self) {
      try RouteRecorder(journal: "/dev/null").startRouteCollectionIfNeeded()
    }
  }

  @Test("a journal of a later version is left alone, and named")
  func laterVersion() throws {
    var header = JournalFormat.header
    header[8] = 2
    let sum = crc(header[..<12])
    header.replaceSubrange(
      12..<16, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) })
    try folder.write(header, to: "route.journal")
    let failure = RouteJournal.Failure.laterVersion(path: path, version: 2)
    #expect(throws: failure) { try RouteJournal.read(path) }
    #expect(failure.description.contains("version 2"))
    #expect(failure.errorDescription?.isEmpty == false)
  }

  private func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }

  @Test("one recorder at a time writes a journal")
  func inUse() throws {
    let first = RouteRecorder(journal: path)
    try first.startRouteCollectionIfNeeded()
    try first.didUpdateLocations(Self.fixes(3))
    let second = RouteRecorder(journal: path)
    #expect(throws: RouteJournal.Failure.inUse(path: path)) {
      try second.startRouteCollectionIfNeeded()
    }
    #expect(throws: RouteJournal.Failure.inUse(path: path)) { try second.reset() }
    #expect(try RouteJournal.read(path).fixCount == 3)
    try first.stopRouteCollection()
    try second.restorePersistedRouteLocationsIfNeeded()
    try second.startRouteCollectionIfNeeded()
    #expect(second.counts.recorded == 3)
  }

  @Test("what ended leaves no lock, even while a program that is being started has its descriptors")
  func copiedDescriptors() throws {
    let first = RouteRecorder(journal: path)
    try first.startRouteCollectionIfNeeded()
    // What a new process has of this one before it runs another program.
    let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { Int32($0) }
      .filter { number in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(number)")
        return target == path
      }
      .map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    try first.stopRouteCollection()
    try RouteRecorder(journal: path).startRouteCollectionIfNeeded()
  }

  @Test("a journal longer than a piece of reading is read whole")
  func long() throws {
    let fixes = Self.fixes(5000)
    let recorder = RouteRecorder(journal: path, flushing: .never)
    try recorder.startRouteCollectionIfNeeded()
    for start in stride(from: 0, to: fixes.count, by: 100) {
      try recorder.didUpdateLocations(Array(fixes[start..<start + 100]))
    }
    #expect(try recorder.finishRouteCollection().segments == [fixes])
  }

  @Test("whatever happens to its bytes, what is read of a journal was recorded, in order")
  func mutations() throws {
    let fixes = Self.fixes(30)
    var whole = JournalFormat.header
    for fix in fixes { JournalFormat.append(fix, beginsSegment: false, to: &whole) }
    var random = SeededGenerator(seed: 4)
    for round in 0..<1500 {
      var bytes = whole
      for _ in 0...Int(random.next() % 6) where !bytes.isEmpty {
        let place = Int(random.next() % UInt64(bytes.count))
        let end = min(bytes.count, place + Int(random.next() % 100))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: (place..<end).map { _ in 0xCA }, at: place)
        default: bytes.removeSubrange(end...)
        }
      }
      try folder.write(bytes, to: "route.journal")
      guard let route = try? RecordedRoute(journal: path) else { continue }
      let found = route.fixes.compactMap(fixes.firstIndex)
      #expect(found.count == route.fixes.count, "round \(round): a fix was made up")
      #expect(found == found.sorted(), "round \(round)")
    }
  }

  @Test("pieces of any size decode to the same fixes")
  func pieces() throws {
    let fixes = Self.fixes(40)
    var bytes: [UInt8] = [0xCA, 0x1F, 1]
    for fix in fixes { JournalFormat.append(fix, beginsSegment: false, to: &bytes) }
    bytes += [0xCA]
    for size in [1, 2, 3, 7, 31, 64, 1000, bytes.count] {
      var decoder = JournalDecoder()
      var found: [LocationFix] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        decoder.decode(bytes[start..<end], isLast: end == bytes.count) { fix, _ in
          found.append(fix)
        }
      }
      #expect(found == fixes, "pieces of \(size)")
      #expect(decoder.damagedBytes == 3 && decoder.tornBytes == 1)
      #expect(decoder.validEnd == bytes.count - 1)
    }
  }
}
