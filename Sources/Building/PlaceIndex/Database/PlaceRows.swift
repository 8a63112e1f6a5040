// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnSQLiteKit
import SystemIO
import TrailData

/// The content besides named places.
struct Others: Sendable {
  /// Points without a name that one looks for by their kind.
  var nameless: [NamelessPoint]
  /// The house numbers of streets, by the index of the place.
  var addresses: [Int: [HouseNumber]]
}

/// The cell, the reach and the index of a place as one number, by which they are sorted.
private struct PlaceOfCell: Sendable {
  /// Cells are less than 2³⁰, and there are less than 2³¹ places.
  var number: UInt64

  init(_ place: IndexedPlace, index: Int) {
    number =
      UInt64(GridCell.containing(place.coordinate)) << 34
      | UInt64(place.reach.rawValue) << 31 | UInt64(index)
  }

  var cell: Int { Int(number >> 34) }
  var reach: Int { Int(number >> 31) & 7 }
  var index: Int { Int(number & (1 << 31 - 1)) }
}

/// The rows of the tables of places, their names and their lines.
struct PlaceRows: Sendable {
  /// The number of places whose settlements a thread looks up at a time.
  private static let blockPlaces = 1024

  /// In the order of their ids, which count from 1.
  let places: [IndexedPlace]
  private let others: Others
  private let trails: TrailsFile
  private let names: NameTable
  private let pieces: LinePieces
  private let cells: (starts: [Int], cells: [Int])
  /// The places in the order of their cells, those of a cell in that of their reach and their ids.
  private let byCell: [PlaceOfCell]
  /// For each place the id of the settlement that it is near; 0 if there is none.
  private let settlements: [Int]

  init(
    _ places: [IndexedPlace], _ others: Others, _ pieces: LinePieces, _ names: NameTable,
    _ trails: TrailsFile, threads: Int
  ) {
    self.places = places
    self.others = others
    self.pieces = pieces
    self.names = names
    self.trails = trails
    cells = pieces.cellsOfPlaces(count: places.count)
    let byCell = places.indices
      .map { PlaceOfCell(places[$0], index: $0) }
      .sorted { $0.number < $1.number }
    self.byCell = byCell
    let finder = SettlementFinder(places)
    let found = mapBlocks(of: byCell.count, size: Self.blockPlaces, threads: threads) { block in
      Self.settlements(of: places, byCell[block], finder)
    }
    var settlements = [Int](repeating: 0, count: places.count)
    for (place, settlement) in zip(byCell, found.joined()) {
      settlements[place.index] = settlement
    }
    self.settlements = settlements
  }

  /// The settlements that some places in the order of their cells are near.
  private static func settlements(
    of places: [IndexedPlace], _ byCell: ArraySlice<PlaceOfCell>, _ finder: SettlementFinder
  ) -> [Int] {
    var settlements: [Int] = []
    settlements.reserveCapacity(byCell.count)
    var last = -1
    var candidates: [SettlementFinder.Candidate] = []
    for place in byCell {
      let coordinate = places[place.index].coordinate
      switch places[place.index].kind {
      case .route: settlements.append(0)
      case .settlement:
        let own = finder.candidates(around: coordinate, beyond: places[place.index].reach)
        settlements.append(finder.nearest(to: coordinate, among: own) ?? 0)
      default:
        if place.cell != last {
          last = place.cell
          candidates = finder.candidates(around: coordinate, beyond: nil)
        }
        settlements.append(finder.nearest(to: coordinate, among: candidates) ?? 0)
      }
    }
    return settlements
  }

  func addPlaces(_ part: inout TreePart) throws(CairnError) {
    var bytes: [UInt8] = []
    for index in places.indices {
      let id = index + 1
      part.record.addNull()
      bytes.removeAll(keepingCapacity: true)
      bytes.append(places[index].type.asciiLetter)
      bytes += String(places[index].id).utf8
      bytes.withUnsafeBytes { part.record.addText($0) }
      part.record.add(places[index].kind.rawValue)
      names.utf8(places[index].names[0].name).withUnsafeBytes { part.record.addText($0) }
      part.record.add(places[index].coordinate.latitude)
      part.record.add(places[index].coordinate.longitude)
      part.record.add(places[index].elevation ?? .nan)
      part.record.add(places[index].length ?? .nan)
      part.record.add(Int64(places[index].importance))
      part.record.add(Int64(places[index].reach.rawValue))
      part.record.add(Int64(GridCell.containing(places[index].coordinate)))
      let settlement = settlements[index]
      if settlement > 0 { part.record.add(Int64(settlement)) } else { part.record.addNull() }
      let cells = cells.cells[cells.starts[id]..<cells.starts[id + 1]]
      if cells.isEmpty {
        part.record.addNull()
      } else {
        bytes.removeAll(keepingCapacity: true)
        AscendingNumbers.append(cells, to: &bytes)
        bytes.withUnsafeBytes { part.record.addBlob($0) }
      }
      if places[index].flags == 0 {
        part.record.addNull()
      } else {
        part.record.add(Int64(places[index].flags))
      }
      try part.endRow(Int64(id))
    }
  }

  func addRoutes(_ part: inout TreePart) throws(CairnError) {
    let keys = ["ref", "network", "from", "to", "osmc:symbol"].map { trails.strings.index(of: $0) }
    for index in places.indices {
      guard let route = places[index].route else { continue }
      part.record.addNull()
      for key in keys {
        let value = key.flatMap { trails.routes.tags.value(of: $0, on: Int(route)) }
        if let value {
          part.record.add(trails.strings[Int(value)])
        } else {
          part.record.addNull()
        }
      }
      part.record.add(places[index].tagged ?? .nan)
      try part.endRow(Int64(index + 1))
    }
  }

  /// The kinds for which nearest-place searches are useless.
  private static let unindexedKinds: [PlaceKind] = [.address, .locality, .other, .road, .trail]

  /// The places of each kind in each cell, those without a name among them.
  func addKinds(_ tree: inout TreePart) throws(CairnError) {
    let kinds = PlaceKind.allCases.sorted {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }
    let numbers = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
    // A key is the number of a kind and a cell, which is less than 2³⁰.
    var ids: [(key: Int, id: Int)] = []
    var points: [(key: Int, index: Int)] = []
    for index in places.indices where !Self.unindexedKinds.contains(places[index].kind) {
      let kind = (numbers[places[index].kind] ?? 0) << 30
      let cells = cells.cells[cells.starts[index + 1]..<cells.starts[index + 2]]
      for cell in cells { ids.append((kind | cell, index + 1)) }
      if cells.isEmpty {
        ids.append((kind | GridCell.containing(places[index].coordinate), index + 1))
      }
    }
    for (index, item) in others.nameless.enumerated() {
      let kind = (numbers[item.kind] ?? 0) << 30
      points.append((kind | GridCell.containing(item.point.coordinate), index))
    }
    ids.sort { $0 < $1 }
    points.sort { $0 < $1 }
    var (nextID, nextPoint) = (0, 0)
    var own: [Int] = []
    var ownPoints: [PackedPoint] = []
    var bytes: [UInt8] = []
    while nextID < ids.count || nextPoint < points.count {
      let key = min(
        nextID < ids.count ? ids[nextID].key : .max,
        nextPoint < points.count ? points[nextPoint].key : .max)
      let cell = key & (1 << 30 - 1)
      own.removeAll(keepingCapacity: true)
      while nextID < ids.count, ids[nextID].key == key {
        own.append(ids[nextID].id)
        nextID += 1
      }
      ownPoints.removeAll(keepingCapacity: true)
      while nextPoint < points.count, points[nextPoint].key == key {
        ownPoints.append(others.nameless[points[nextPoint].index].point)
        nextPoint += 1
      }
      tree.record.add(kinds[key >> 30].rawValue)
      tree.record.add(Int64(cell))
      if own.isEmpty {
        tree.record.addNull()
      } else {
        bytes.removeAll(keepingCapacity: true)
        AscendingNumbers.append(own[...], to: &bytes)
        bytes.withUnsafeBytes { tree.record.addBlob($0) }
      }
      if ownPoints.isEmpty {
        tree.record.addNull()
      } else {
        PackedPoint.packed(ownPoints, cell: cell).withUnsafeBytes { tree.record.addBlob($0) }
      }
      try tree.endRow()
    }
  }

  /// The house numbers of each street.
  func addAddresses(_ part: inout TreePart) throws(CairnError) {
    for index in places.indices {
      guard let numbers = others.addresses[index] else { continue }
      part.record.addNull()
      HouseNumber.packed(numbers, from: places[index].coordinate)
        .withUnsafeBytes { part.record.addBlob($0) }
      try part.endRow(Int64(index + 1))
    }
  }

  /// The relations of waymarked routes with their members.
  func addRelations(_ part: inout TreePart) throws(CairnError) {
    let routes = trails.routes
    func key(_ name: String) -> UInt32? { trails.strings.index(of: name) }
    let keys = ["route", "network", "ref", "name", "from", "to"].map(key)
    let roundTrip = key("roundtrip")
    for route in routes.ids.indices {
      part.record.addNull()
      for key in keys {
        if let value = key.flatMap({ routes.tags.value(of: $0, on: route) }) {
          part.record.add(trails.strings[Int(value)])
        } else {
          part.record.addNull()
        }
      }
      let trip = roundTrip.flatMap { routes.tags.value(of: $0, on: route) }
      switch trip.map({ trails.strings[Int($0)] }) {
      case "yes": part.record.add(Int64(1))
      case "no": part.record.add(Int64(0))
      default: part.record.addNull()
      }
      part.record.add(TaggedDistance.metres(ofRoute: route, in: trails) ?? .nan)
      let members = routes.members(ofRoute: route).compactMap {
        RelationMember(kind: $0.kind, id: $0.id)
      }
      RelationMember.packed(members).withUnsafeBytes { part.record.addBlob($0) }
      try part.endRow(routes.ids[route])
    }
  }

  func addNames(_ part: inout TreePart) throws(CairnError) {
    var id: Int64 = 0
    for index in places.indices {
      let names = places[index].names
      for (position, name) in names.enumerated() {
        id += 1
        part.record.addNull()
        part.record.add(Int64(index + 1))
        part.record.addText(UnsafeRawBufferPointer(trails.strings.utf8(Int(name.key))))
        // The name of the place is in its row.
        if position == 0 {
          part.record.addNull()
        } else {
          self.names.utf8(name.name).withUnsafeBytes { part.record.addText($0) }
        }
        try part.endRow(id)
      }
    }
  }

  func addLines(_ tree: inout TreePart) throws(CairnError) {
    var places: [UInt8] = []
    var cell = -1
    var part: Int64 = 0
    for piece in pieces.pieces {
      part = piece.cell == cell ? part + 1 : 0
      cell = piece.cell
      places.removeAll(keepingCapacity: true)
      AscendingNumbers.append(pieces.lines.places(piece.line), to: &places)
      tree.record.add(Int64(cell))
      tree.record.add(part)
      places.withUnsafeBytes { tree.record.addBlob($0) }
      pieces.bytes[piece.points].withUnsafeBytes { tree.record.addBlob($0) }
      try tree.endRow()
    }
  }

  /// The index of places by reach and cell.
  func addPlacesByCell(_ part: inout TreePart) throws(CairnError) {
    for reach in PlaceReach.allCases {
      for place in byCell where place.reach == reach.rawValue {
        part.record.add(Int64(reach.rawValue))
        part.record.add(Int64(place.cell))
        part.record.add(Int64(place.index + 1))
        try part.endRow()
      }
    }
  }
}
