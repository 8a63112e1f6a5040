// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnTransfer
import Foundation
import Testing

/// The lines of a log.
private final class LoggedLines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

@Suite("Queues of transfers")
struct TransferQueueTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func queue() throws -> TransferQueue {
    try TransferQueue(folder: folder.file("outgoing"))
  }

  private func names() -> [String] { folder.contents(of: "outgoing").keys.sorted() }

  @Test("what is added waits in its order, also after a restart, until it is confirmed")
  func restart() throws {
    let route = try folder.write(testRoute(1).json(), "r.json")
    let first = try queue()
    #expect(first.pending.isEmpty && names().isEmpty)
    try first.add(.plannedRoute(routeId: testID(1), name: "R"), file: route)
    try first.add(.waypoint(testWaypoint(2), thumbnailData: Data([1])))
    try first.add(.availableRegions([testRegion(3)]))
    let again = try queue()
    #expect(
      again.pending == first.pending
        && again.pending.map(\.envelope.type) == [
          "plannedRoute", "waypoint", "availableRegions",
        ])
    let item = try #require(again.pending.first)
    let copy = try #require(item.file)
    #expect(try Data(contentsOf: copy) == testRoute(1).json())
    #expect(item.dictionary["transferId"] as? String == item.id.uuidString)
    #expect(item.dictionary["modifiedAt"] as? Double == item.modifiedAt.timeIntervalSince1970)
    try again.confirm(item.dictionary)
    try again.confirm(item.id)
    try again.confirm([:])
    #expect(try queue().pending.map(\.envelope.type) == ["waypoint", "availableRegions"])
    #expect(!names().contains { $0.hasSuffix(".payload") })
  }

  @Test("what is added again waits once, and a later version takes the place of an earlier one")
  func versions() throws {
    let queue = try queue()
    let envelope = TransferEnvelope.plannedRoute(routeId: testID(1), name: "R")
    let one = try folder.write(testRoute(1, name: "a").json(), "a.json")
    let two = try folder.write(testRoute(1, name: "b").json(), "b.json")
    let first = try queue.add(envelope, file: one, modifiedAt: testTime)
    #expect(try queue.add(envelope, file: one, modifiedAt: testTime + 9) == first)
    // Clocks go back.
    let second = try queue.add(envelope, file: two, modifiedAt: testTime - 99)
    #expect(second.id != first.id && second.modifiedAt > first.modifiedAt)
    #expect(queue.pending == [second])
    try queue.confirm(second.id)
    let third = try self.queue().add(envelope, file: one, modifiedAt: testTime - 99)
    #expect(third.modifiedAt > second.modifiedAt)
    // Two tracks may have one name.
    let gpx = TransferEnvelope.gpx(name: "G")
    try queue.add(gpx, file: folder.write(testGPX, "1.gpx"))
    try queue.add(gpx, file: folder.write(testGPX + "\n", "2.gpx"))
    try queue.add(gpx, file: folder.write(testGPX, "3.gpx"))
    #expect(queue.pending.filter { $0.envelope == gpx }.count == 2)
  }

  @Test("the copy is of the file as it was when it was added")
  func copies() throws {
    let file = try folder.write(testGPX, "g.gpx")
    let item = try queue().add(.gpx(name: "G"), file: file)
    try folder.write("other", "g.gpx")
    #expect(try Data(contentsOf: #require(item.file)) == Data(testGPX.utf8))
  }

  @Test("what an app left that ended in between is removed, and what is foreign is left alone")
  func leftovers() throws {
    let route = try folder.write(testRoute(1).json(), "r.json")
    let envelope = TransferEnvelope.plannedRoute(routeId: testID(1), name: "R")
    try queue().add(envelope, file: route)
    let stray = "outgoing/\(testID(9)).payload"
    try folder.write("cut", stray)
    try folder.write("cut", "outgoing/.\(testID(8)).json.transfer.tmp")
    try folder.write("{}", "outgoing/other.json")
    try folder.write("notes", "outgoing/notes.txt")
    // Its file is gone.
    let item = try queue().add(.gpx(name: "G"), file: folder.write(testGPX, "g.gpx"))
    try FileManager.default.removeItem(at: #require(item.file))
    let queue = try queue()
    #expect(queue.pending.map(\.envelope) == [envelope])
    #expect(queue.damaged.sorted() == ["\(item.id).json", "other.json"].sorted())
    #expect(!names().contains(stray))
    #expect(names().contains("notes.txt") && names().contains("other.json"))
    try Data("x".utf8).write(to: folder.file("outgoing/changes.json"))
    #expect(try self.queue().pending.count == 1)
  }

  @Test("what the other device would refuse is not added")
  func refused() throws {
    let queue = try queue()
    #expect(throws: TransferError.noFile(type: "gpx", reason: "none came along")) {
      try queue.add(.gpx(name: "G"))
    }
    #expect(throws: TransferError.noFile(type: "gpx", reason: "no such file")) {
      try queue.add(.gpx(name: "G"), file: folder.file("none"))
    }
    let thumbnail = Data(count: TransferEnvelope.maximumThumbnailBytes + 1)
    #expect(throws: TransferError.envelope(.tooLarge(type: "waypoint"))) {
      try queue.add(.waypoint(testWaypoint(1), thumbnailData: thumbnail))
    }
    #expect(queue.pending.isEmpty)
    try folder.write("a file", "taken")
    #expect(throws: TransferError.self) {
      try TransferQueue(folder: folder.file("taken/outgoing")).add(.availableRegions([]))
    }
  }

  @Test("additions and confirmations are told")
  func signals() async throws {
    let queue = try queue()
    let changes = queue.changes()
    let item = try queue.add(.availableRegions([]))
    try queue.confirm(item.id)
    var count = 0
    for await _ in changes {
      count += 1
      if count == 2 { break }
    }
    #expect(count == 2)
  }

  @Test("a log has a line for each transfer, where it is queued, delivered and received, or fails")
  func log() throws {
    let lines = LoggedLines()
    let queue = try TransferQueue(folder: folder.file("outgoing")) { lines.add($0) }
    let item = try queue.add(.waypoint(testWaypoint(2), thumbnailData: nil))
    try queue.add(.waypoint(testWaypoint(2), thumbnailData: nil))
    #expect(throws: TransferError.self) { try queue.add(.gpx(name: "a\u{1B}b"), file: nil) }
    let device = try TestDevice()
    let receiver = TransferReceiver(device.receiver.places) { lines.add($0) }
    try receiver.receive(item.dictionary)
    try receiver.receive(item.dictionary)
    #expect(throws: TransferError.self) { try receiver.receive(["type": "parcel"]) }
    try queue.confirm(item.id)
    try queue.confirm(item.id)
    let id = testID(2).uuidString
    let all = lines.all
    try #require(all.count == 7)
    #expect(all[0] == "Queued waypoint \(id)" && all[1] == "Already queued waypoint \(id)")
    #expect(all[2].hasPrefix("Failed to queue gpx “a") && !all[2].contains("\u{1B}"))
    #expect(all[3] == "Received and saved waypoint \(id)")
    #expect(all[4] == "Received again waypoint \(id)")
    #expect(all[5].hasPrefix("Failed to receive a transfer: ") && all[5].contains("parcel"))
    #expect(all[6] == "Delivered waypoint \(id)")
  }
}
