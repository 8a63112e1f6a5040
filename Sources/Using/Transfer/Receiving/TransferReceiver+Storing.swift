// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPX
import CairnGPXReading
import CairnGuidance
import CairnWaypoints
import Foundation

/// The size limits of files by type, in bytes: a few times more than the largest known.
enum TransferLimits {
  static let route = Int64(PlannedRouteStore.maximumFileBytes)
  static let gpx: Int64 = 1 << 28
  static let routingDatabase: Int64 = 8 << 30
  static let mapTiles: Int64 = 32 << 30

  static func bytes(of envelope: TransferEnvelope) -> Int64 {
    switch envelope {
    case .plannedRoute, .savedRoute: route
    case .gpx: gpx
    case .routingDatabase: routingDatabase
    case .mapTiles: mapTiles
    case .waypoint, .availableRegions: 0
    }
  }
}

// Storing received items.
extension TransferReceiver {
  /// Checks and stores something.
  func store(_ envelope: TransferEnvelope, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    switch envelope {
    case .plannedRoute(let id, _): try storePlannedRoute(id, arrival)
    case .savedRoute(let id, _): try storeSavedRoute(id, arrival)
    case .waypoint(let waypoint, let thumbnail): try store(waypoint, thumbnail, arrival)
    case .gpx(let name): try storeGPX(name, arrival)
    case .routingDatabase(let id, _): try storeDatabase(id, arrival)
    case .mapTiles(let region): try storeTiles(region, arrival)
    case .availableRegions(let regions): try store(regions, arrival)
    }
  }

  private func storePlannedRoute(_ id: UUID, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    let type = TransferEnvelope.Kind.plannedRoute.rawValue
    guard let store = places.plannedRoutes else { throw .noPlace(type: type) }
    let data = try TransferFiles.contents(of: arrival.file, type, limit: TransferLimits.route)
    let route = try decoded(type) { try PlannedRoute(json: data) }
    try check(route.id, is: id, type)
    if let known = store.route(id: id) {
      if !arrival.isKnownNewer, known.createdAt > route.createdAt { return .outdated }
      if known == route {
        try arrival.willStore()
        return .unchanged
      }
    }
    try arrival.willStore()
    do throws(PlannedRouteStore.Failure) { try store.save(route) } catch {
      throw .notStored(reason: error.description)
    }
    return .stored(.plannedRoute(id))
  }

  private func storeSavedRoute(_ id: UUID, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    let type = TransferEnvelope.Kind.savedRoute.rawValue
    guard let folder = places.savedRoutes else { throw .noPlace(type: type) }
    let data = try TransferFiles.contents(of: arrival.file, type, limit: TransferLimits.route)
    let route = try decoded(type) { try SavedRoute(json: data) }
    try check(route.id, is: id, type)
    let target = folder.appending(path: "\(id.uuidString).json")
    let old = try? TransferFiles.contents(of: target, type, limit: TransferLimits.route)
    if !arrival.isKnownNewer, let known = old.flatMap({ try? SavedRoute(json: $0) }),
      known.endTime > route.endTime
    {
      return .outdated
    }
    try arrival.willStore()
    if old == data { return .unchanged }
    // Stored as received, since it may have fields of a later version.
    try TransferFiles.write(data, to: target)
    return .stored(.savedRoute(id, file: target))
  }

  private func store(
    _ waypoint: Waypoint, _ thumbnail: Data?, _ arrival: TransferArrival
  ) throws(TransferError) -> TransferOutcome {
    guard let store = places.waypoints else {
      throw .noPlace(type: TransferEnvelope.Kind.waypoint.rawValue)
    }
    do throws(WaypointStoreError) {
      let known = try store.fetch(id: waypoint.id)
      let shown = try store.fetchThumbnail(id: waypoint.id)
      if !arrival.isKnownNewer, let known, known.timestamp > waypoint.timestamp {
        return .outdated
      }
      var same = known
      // The flag describes the other device; the store knows about this one.
      same?.hasPhoto = waypoint.hasPhoto
      let isThere = same == waypoint && (thumbnail == nil || thumbnail == shown)
      do throws(TransferError) { try arrival.willStore() } catch {
        throw WaypointStoreError.notWritten(error.description)
      }
      if isThere { return .unchanged }
      try store.insert(waypoint, photo: nil, thumbnail: thumbnail)
      return .stored(.waypoint(waypoint.id))
    } catch { throw .notStored(reason: error.description) }
  }

  private func storeGPX(_ name: String, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    let type = TransferEnvelope.Kind.gpx.rawValue
    guard let folder = places.gpx else { throw .noPlace(type: type) }
    let file = try arrival.file(type, limit: TransferLimits.gpx)
    let fileName = GPXExporter.fileName(name)
    var target = folder.appending(path: fileName)
    var number = 1
    // A file of the same name may be another track.
    while FileManager.default.fileExists(atPath: target.path) {
      if TransferFiles.isSame(file, target) { return .unchanged }
      number += 1
      target = folder.appending(path: "\(fileName.dropLast(4))-\(number).gpx")
    }
    try TransferFiles.copy(file, to: target) { copy throws(TransferError) in
      do throws(GPXError) { _ = try GPXFile(contentsOf: copy) } catch {
        throw .notWhatItSays(type: type, reason: error.description)
      }
    }
    return .stored(.gpx(file: target))
  }

  private func storeDatabase(_ id: UUID, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    let type = TransferEnvelope.Kind.routingdb.rawValue
    guard let folder = places.regions else { throw .noPlace(type: type) }
    let file = try arrival.file(type, limit: TransferLimits.routingDatabase)
    let target = folder.appending(path: "\(id.uuidString).routing.db")
    let isThere = TransferFiles.isSame(file, target)
    if !isThere, !arrival.isKnownNewer, let old = (try? CheckedDatabase(target))?.dataTime,
      let time = try CheckedDatabase(file).dataTime, old > time
    {
      return .outdated
    }
    guard !isThere else {
      try arrival.willStore()
      return .unchanged
    }
    let region = places.knownRegion(id)
    try TransferFiles.copy(file, to: target) { copy throws(TransferError) in
      try CheckedDatabase(copy).check(isOf: id, region)
      try arrival.willStore()
    }
    return .stored(.routingDatabase(regionId: id, file: target))
  }

  private func storeTiles(_ region: TransferRegion, _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    let type = TransferEnvelope.Kind.mbtiles.rawValue
    guard let folder = places.regions else { throw .noPlace(type: type) }
    let file = try arrival.file(type, limit: TransferLimits.mapTiles)
    let target = folder.appending(path: "\(region.regionId.uuidString).mbtiles")
    let description = folder.appending(path: "\(region.regionId.uuidString).json")
    if TransferFiles.isSame(file, target) {
      try arrival.willStore()
      if places.storedRegion(region.regionId) == region { return .unchanged }
    } else {
      try TransferFiles.copy(file, to: target) { copy throws(TransferError) in
        try checkTiles(copy, of: region)
        try arrival.willStore()
      }
    }
    try TransferFiles.write(try json(region), to: description)
    return .stored(.mapTiles(region, file: target))
  }

  private func store(_ regions: [TransferRegion], _ arrival: TransferArrival)
    throws(TransferError) -> TransferOutcome
  {
    try arrival.willStore()
    guard regions != places.knownRegions else { return .unchanged }
    try TransferFiles.write(try json(regions), to: places.regionsFile)
    return .stored(.availableRegions(regions))
  }

  private func json(_ value: some Encodable) throws(TransferError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do { return try encoder.encode(value) + Data("\n".utf8) } catch {
      throw .notStored(reason: "\(error)")
    }
  }

  private func decoded<Value>(_ type: String, _ decode: () throws -> Value) throws(TransferError)
    -> Value
  {
    do { return try decode() } catch {
      throw .notWhatItSays(
        type: type, reason: (error as? DecodingError).map { problem(of: $0) } ?? "\(error)")
    }
  }

  private func check(_ found: UUID, is expected: UUID, _ type: String) throws(TransferError) {
    guard found != expected else { return }
    throw .notWhatItSays(type: type, reason: "it has the id \(found.uuidString)")
  }
}

extension TransferPlaces {
  /// The file of the ledger.
  var ledgerFile: URL { state.appending(path: "ledger.json") }
  /// The file of the list of regions.
  var regionsFile: URL { state.appending(path: "regions.json") }

  /// The regions reported by the other device.
  var knownRegions: [TransferRegion] {
    guard let data = try? TransferFiles.contents(of: regionsFile, "regions", limit: 16 << 20) else {
      return []
    }
    return (try? JSONDecoder().decode([TransferRegion].self, from: data)) ?? []
  }

  /// The description that came with the map tiles of a region.
  func storedRegion(_ id: UUID) -> TransferRegion? {
    guard let file = regions?.appending(path: "\(id.uuidString).json"),
      let data = try? TransferFiles.contents(of: file, "region", limit: 1 << 20)
    else { return nil }
    return try? JSONDecoder().decode(TransferRegion.self, from: data)
  }

  /// The known description of a region.
  func knownRegion(_ id: UUID) -> TransferRegion? {
    storedRegion(id) ?? knownRegions.first { $0.regionId == id }
  }
}
