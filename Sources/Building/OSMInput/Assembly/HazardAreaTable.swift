// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnTagRules
import TrailData

/// The areas of an input that are dangerous or closed, with their outlines.
struct HazardAreaTable: Sendable {
  /// An area.
  struct Area: Sendable {
    var type: OSMObjectType
    var id: Int64
    /// In the order of the file.
    var tags: ArraySlice<PooledTag>
    /// Outlines of the area and of its holes: by the even-odd rule over all of their segments.
    var lines: [[NodeCoordinate]]
    /// The box of all lines.
    var extent: WayExtent
  }

  /// The areas, sorted by type and id.
  private(set) var areas: [Area] = []

  /// `versions` are the last versions of the relations, `areas` those of the ways.
  init(
    _ found: FoundObjects, versions: [Int], _ areas: LastWays, _ coordinates: AreaCoordinates,
    _ warnings: inout WarningTally
  ) {
    var words = HazardWords(found.pool)
    for way in areas.order {
      let tags = found.areas.tags(of: way)
      guard words.isHazard(tags, found.pool), coordinates.isRing(way, found.areas) else {
        continue
      }
      add(.way, found.areas.ids[way], tags, coordinates.lines(of: way, found.areas), &warnings)
    }
    for relation in versions where found.relations.uses[relation] == .area {
      let tags = found.relations.tags(of: relation)
      guard words.isHazard(tags, found.pool) else { continue }
      // A ring that is listed twice would cancel itself.
      var seen: Set<Int64> = []
      let lines = found.relations.ways(of: relation).filter { seen.insert($0).inserted }
        .compactMap(areas.index)
        .flatMap { coordinates.lines(of: $0, found.areas) }
      add(.relation, found.relations.ids[relation], tags, lines, &warnings)
    }
  }

  private mutating func add(
    _ type: OSMObjectType, _ id: Int64, _ tags: ArraySlice<PooledTag>,
    _ lines: [[NodeCoordinate]], _ warnings: inout WarningTally
  ) {
    if lines.isEmpty { return }
    if lines.contains(where: Self.crossesAntimeridian) {
      return warnings.add(
        "area-across-antimeridian",
        "\(type) \(id) crosses the antimeridian; "
          + "ignored as a hazard")
    }
    let gaps = AreaGaps(lines).closing
    if !gaps.isEmpty {
      warnings.add("cut-area", "\(type) \(id): closed the gaps of its outline with straight lines")
    }
    areas.append(
      Area(
        type: type, id: id, tags: tags, lines: lines + gaps, extent: WayExtent(lines.joined())))
  }

  private static func crossesAntimeridian(_ line: [NodeCoordinate]) -> Bool {
    zip(line, line.dropFirst()).contains {
      abs(Int64($0.longitude) - Int64($1.longitude)) > FixedSegment.turn / 2
    }
  }
}

/// Finds the areas that are hazards by their tags.
private struct HazardWords {
  /// Whether a rule about areas reads a key.
  private var isRead = TextFacts(unknown: false)
  /// Whether the tags of each distinct list that was asked for name a hazard.
  private var known: [[UInt32]: Bool] = [:]

  init(_ pool: TextPool) {
    for key in AreaTags.keys.compactMap(pool.find) { isRead[key] = true }
  }

  /// Whether the tags of an area name a hazard, or say that not everybody may enter it. Areas have few
  /// different lists of such tags.
  mutating func isHazard(_ tags: ArraySlice<PooledTag>, _ pool: TextPool) -> Bool {
    let read = tags.filter { isRead[$0.key] }
    if read.isEmpty { return false }
    let list = read.flatMap { [$0.key, $0.value] }
    if let isHazard = known[list] { return isHazard }
    var texts: WayTags = [:]
    for tag in read { texts[Self.text(tag.key, pool)] = Self.text(tag.value, pool) }
    let isHazard = AreaTags.matter(TagList(texts))
    known[list] = isHazard
    return isHazard
  }

  private static func text(_ index: UInt32, _ pool: TextPool) -> String {
    String(decoding: pool.text(Int(index)), as: UTF8.self)
  }
}

/// The closures of cut outlines, as at the border of an extract: straight lines between their ends,
/// so that every point of the outline has an even number of segments.
struct AreaGaps {
  /// The lines that close the gaps.
  private(set) var closing: [[NodeCoordinate]] = []

  init(_ lines: [[NodeCoordinate]]) {
    var ends: [UInt64: (count: Int, line: Int, point: NodeCoordinate)] = [:]
    // Lines that share ends belong to one outline.
    var outlines = DisjointSets(count: lines.count)
    for (index, line) in lines.enumerated() where line.first != line.last {
      for point in [line[0], line[line.count - 1]] {
        let known = ends[point.bits]
        if let known { outlines.join(index, known.line) }
        ends[point.bits] = ((known?.count ?? 0) + 1, known?.line ?? index, point)
      }
    }
    // In each outline the number of loose ends is even.
    let loose = ends.values.filter { $0.count % 2 == 1 }
      .map { (outline: outlines.find($0.line), line: $0.line, point: $0.point) }
      .sorted { ($0.outline, $0.line, $0.point.bits) < ($1.outline, $1.line, $1.point.bits) }
    var open: (outline: Int, point: NodeCoordinate)?
    for end in loose {
      if let other = open, other.outline == end.outline {
        closing.append([other.point, end.point])
        open = nil
      } else {
        open = (end.outline, end.point)
      }
    }
  }
}
