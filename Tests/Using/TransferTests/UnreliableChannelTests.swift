// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import CairnTransfer

/// Two devices with a channel between them that loses, repeats and reorders, while both end and start
/// again at any time, also between two files that they write.
private struct Simulation {
  private var state: UInt64
  private(set) var trace: [String] = []

  private let sender: TestFolder
  private var queue: TransferQueue
  private var device: TestDevice
  /// What is on its way: a copy of what was sent, since the sender may have removed its file.
  private var channel: [(dictionary: [String: Any], content: Data?)] = []
  /// The last version of each record.
  private var routes: [Int: String] = [:]
  private var hikes: [Int: String] = [:]
  private var waypoints: [Int: String] = [:]
  private var tracks: Set<String> = []
  private var regions: [TransferRegion]?
  private var version = 0

  init(seed: UInt64) throws {
    state = seed
    sender = try TestFolder()
    try FileManager.default.createDirectory(
      at: sender.file("outgoing"), withIntermediateDirectories: true)
    queue = try TransferQueue(folder: sender.file("outgoing"))
    device = try TestDevice()
  }

  private mutating func draw(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: state >> 33) % count
  }

  /// A record is made or changed. Times say nothing: clocks jump.
  private mutating func edit() throws {
    version += 1
    let (id, name) = (draw(3), "v\(version)")
    let time = testTime + Double(draw(100) - 50)
    let file = sender.file("edited")
    switch draw(5) {
    case 0:
      routes[id] = name
      try testRoute(id, name: name, at: time).json().write(to: file)
      try queue.add(
        .plannedRoute(routeId: testID(id), name: name), file: file, modifiedAt: time)
    case 1:
      hikes[id] = name
      try testHike(id, name: name, end: time).json().write(to: file)
      try queue.add(.savedRoute(routeId: testID(id), name: nil), file: file, modifiedAt: time)
    case 2:
      waypoints[id] = name
      try queue.add(
        .waypoint(testWaypoint(id, label: name, at: time), thumbnailData: nil), modifiedAt: time)
    case 3:
      let text = testGPX.replacing("47", with: "\(version % 80)")
      tracks.insert(text)
      try Data(text.utf8).write(to: file)
      try queue.add(.gpx(name: "Tour"), file: file)
    default:
      regions = [testRegion(id, name: name)]
      try queue.add(.availableRegions([testRegion(id, name: name)]), modifiedAt: time)
    }
    trace.append("edit \(name)")
  }

  private mutating func send() throws {
    let pending = queue.pending
    guard !pending.isEmpty else { return }
    let item = pending[draw(pending.count)]
    channel.append((item.dictionary, try item.file.map { try Data(contentsOf: $0) }))
    trace.append("send \(item.envelope.type) \(item.id)")
  }

  /// Something arrives, or is lost; what arrives may arrive again, and it may not be known that it did.
  private mutating func arrive() throws {
    guard !channel.isEmpty else { return }
    let index = draw(channel.count)
    let transfer = channel[index]
    if draw(3) > 0 { channel.remove(at: index) }
    guard draw(5) > 0 else {
      trace.append("lost")
      return
    }
    let isTold = try deliver(transfer.dictionary, transfer.content)
    if isTold, draw(2) == 0 { try queue.confirm(transfer.dictionary) }
  }

  /// Returns whether the sender can be told that it arrived.
  private mutating func deliver(_ dictionary: [String: Any], _ content: Data?) throws -> Bool {
    let file = sender.file("arriving")
    try content?.write(to: file)
    let places = device.receiver.places
    let before = TransferLedger(places.ledgerFile)
    if draw(8) == 0 {
      // The app ended before it stored anything.
      let envelope = try TransferEnvelope.fromDictionary(dictionary)
      let stamp = try TransferStamp(dictionary, envelope)
      guard let record = envelope.record, let time = stamp.modifiedAt else { return false }
      var ledger = before
      ledger.note(record, changedAt: time)
      try ledger.write(to: places.ledgerFile, isFlushed: false)
      device.restart()
      trace.append("interrupted before \(record)")
      return false
    }
    let outcome = try device.receiver.receive(dictionary, file: content == nil ? nil : file)
    trace.append("\(outcome) \(dictionary["transferId"] ?? "")")
    guard draw(6) == 0 else { return true }
    // The app ended after it stored something and before it noted the transfer.
    var ledger = before
    for (record, time) in TransferLedger(places.ledgerFile).changes {
      ledger.note(record, changedAt: time)
    }
    try ledger.write(to: places.ledgerFile, isFlushed: false)
    device.restart()
    channel.append((dictionary, content))
    trace.append("interrupted")
    return false
  }

  private mutating func restart() throws {
    if draw(2) == 0 {
      device.restart()
    } else {
      // An app that ended while it added something leaves a file behind.
      try sender.write("cut", "outgoing/\(UUID()).payload")
      queue = try TransferQueue(folder: sender.file("outgoing"))
    }
    trace.append("restart")
  }

  /// Runs for a while, and then until nothing waits.
  mutating func run() throws {
    for _ in 0..<(10 + draw(20)) {
      switch draw(8) {
      case 0, 1: try edit()
      case 2, 3, 4: try send()
      case 5, 6: try arrive()
      default: try restart()
      }
    }
    while let item = queue.pending.first {
      let content = try item.file.map { try Data(contentsOf: $0) }
      if try deliver(item.dictionary, content) { try queue.confirm(item.id) }
    }
    // What was repeated arrives last.
    while let transfer = channel.popLast() {
      if try !deliver(transfer.dictionary, transfer.content) { trace.append("once more") }
    }
  }

  /// Whether the receiver has the last version of everything, once.
  func isComplete() throws -> Bool {
    let store = try device.receiver.places.plannedRoutes.map { store throws in
      try store.loadAll()
      return store.routes
    }
    let routes = Dictionary(uniqueKeysWithValues: (store ?? []).map { ($0.id, $0.name) })
    let files = device.files
    let hikes = try files.filter { $0.key.hasPrefix("saved_routes/") && $0.key.hasSuffix(".json") }
      .map { try SavedRoute(json: $0.value) }
    let tracks = files.filter { $0.key.hasSuffix(".gpx") }.map {
      String(decoding: $0.value, as: UTF8.self)
    }
    let waypoints = try device.waypoints.fetchAll().map { ($0.id, $0.label) }
    func named(_ records: [Int: String]) -> [UUID: String] {
      Dictionary(uniqueKeysWithValues: records.map { (testID($0.key), $0.value) })
    }
    return routes == named(self.routes)
      && Dictionary(uniqueKeysWithValues: hikes.map { ($0.id, $0.name) }) == named(self.hikes)
      && Dictionary(uniqueKeysWithValues: waypoints) == named(self.waypoints)
      && tracks.sorted() == self.tracks.sorted()
      && device.receiver.availableRegions == regions ?? [] && queue.pending.isEmpty
  }
}

@Suite("An unreliable channel")
struct UnreliableChannelTests {
  @Test("loses nothing and doubles nothing", arguments: 1...60)
  func complete(_ group: UInt64) throws {
    for number in 0..<40 {
      let seed = (group << 20 | UInt64(number)) &* 0x9E37_79B9_7F4A_7C15
      var simulation = try Simulation(seed: seed)
      try simulation.run()
      #expect(
        try simulation.isComplete(),
        "seed \(seed):\n\(simulation.trace.joined(separator: "\n"))")
    }
  }
}
