// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The areas that warn of something or close everything in them.
struct AreaHazards: Sendable {
  /// In how many cells of the grid an area may be, on average, which limits memory.
  private static let copiesPerArea = 16
  /// The largest number of rows and columns of the grid.
  private static let mostCells = 512

  /// Their outlines, in the order of the file.
  let outlines: [AreaOutline]
  /// For each area that closes or limits what lies in it, the first one with the same tags; nil for others.
  let closing: [UInt32?]
  /// Whether each area warns only of what a bridge leads over.
  let areOnTheGround: [Bool]
  private let types: [UInt8]
  private let ids: [Int64]
  private var box = AreaOutline.Box()
  private var cells = 1
  private var cellStarts: [Int] = [0, 0]
  private var cellAreas: [Int32] = []

  init(_ trails: TrailsFile) {
    let areas = trails.areas
    outlines = (0..<areas.count).map { AreaOutline(areas.lines(ofArea: $0)) }
    // Areas have few different lists of such tags.
    let keys = Set(AreaTags.keys.compactMap { trails.strings.index(of: $0) })
    var sets = TagSetIndex()
    var known: [(first: UInt32, closes: Bool, isOnTheGround: Bool)] = []
    let effects = (0..<areas.count).map { area in
      let set = Int(sets.index(of: area, in: areas.tags) { !keys.contains($0) })
      if set == known.count {
        let tags = TagList(areas.tags.texts(of: area, in: trails.strings))
        known.append((UInt32(area), AreaAccess(tags) != nil, AreaTags.areOnTheGround(tags)))
      }
      return known[set]
    }
    closing = effects.map { $0.closes ? $0.first : nil }
    areOnTheGround = effects.map(\.isOnTheGround)
    types = Array(areas.types)
    ids = Array(areas.ids)
    for outline in outlines where outline.box.west <= outline.box.east {
      box.add(.init(x: outline.box.west, y: outline.box.south))
      box.add(.init(x: outline.box.east, y: outline.box.north))
    }
    index()
  }

  /// Whether there are none.
  var isEmpty: Bool { outlines.isEmpty }

  private mutating func index() {
    guard box.west <= box.east else { return }
    cells = Self.mostCells
    while cells > 1 {
      let copies = outlines.reduce(0) { sum, outline in
        let (columns, rows) = self.cells(of: outline.box)
        return sum + columns.count * rows.count
      }
      if copies <= outlines.count * Self.copiesPerArea { break }
      cells /= 2
    }
    var counts = [Int](repeating: 0, count: cells * cells + 1)
    for outline in outlines { forEachCell(outline.box) { counts[$0 + 1] += 1 } }
    for cell in 1..<counts.count { counts[cell] += counts[cell - 1] }
    cellStarts = counts
    cellAreas = [Int32](repeating: 0, count: counts[counts.count - 1])
    for (index, outline) in outlines.enumerated() {
      forEachCell(outline.box) { cell in
        cellAreas[counts[cell]] = Int32(truncatingIfNeeded: index)
        counts[cell] += 1
      }
    }
  }

  private func cells(of other: AreaOutline.Box) -> (columns: Range<Int>, rows: Range<Int>) {
    guard other.meets(box) else { return (0..<0, 0..<0) }
    func range(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> Range<Int> {
      let size = max(1, (end - start) / Double(cells))
      func cell(_ value: Double) -> Int { min(cells - 1, max(0, Int((value - start) / size))) }
      return cell(low)..<cell(high) + 1
    }
    return (
      range(max(other.west, box.west), min(other.east, box.east), box.west, box.east),
      range(max(other.south, box.south), min(other.north, box.north), box.south, box.north)
    )
  }

  private func forEachCell(_ other: AreaOutline.Box, _ body: (Int) -> Void) {
    let (columns, rows) = cells(of: other)
    for row in rows { for column in columns { body(row * cells + column) } }
  }

  /// The areas whose boxes meet a way's, ascending, without the area that the way itself bounds.
  func near(_ way: AreaOutline.Box, id: Int64) -> [Int] {
    var found: [Int] = []
    forEachCell(way) { cell in
      for area in cellAreas[cellStarts[cell]..<cellStarts[cell + 1]] {
        let area = Int(area)
        let isOwn = types[area] == OSMObjectType.way.rawValue && ids[area] == id
        if !isOwn, outlines[area].box.meets(way) { found.append(area) }
      }
    }
    found.sort()
    var last = -1
    return found.filter { area in
      defer { last = area }
      return area != last
    }
  }
}
