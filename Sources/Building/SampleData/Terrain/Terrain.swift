// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The terrain of the sample map: an elevation for every point, and HGT posts that agree with it.
///
/// Between a valley floor and a crest the elevation grows as t^1.5 with the share t of the
/// distance: flat at the bottom, sharp at the top. Seeded noise roughens the slopes.
struct Terrain {
  /// Posts along a side of a tile of 3 arc seconds.
  static let postsPerSide = 1201
  /// Metres between two posts.
  static let postSpacingX = 1e7 / 1200 / PlanePoint.longitudeUnitsPerMetre
  static let postSpacingY = 1e7 / 1200 / PlanePoint.latitudeUnitsPerMetre

  /// Heights in whole metres, rows north to south, columns west to east, without voids.
  let posts: [Int16]

  init(seed: UInt64) {
    let field = ReliefField(seed: seed)
    let side = Self.postsPerSide
    var posts = [Int16](
      repeating: Int16(Relief.plainHeightMetres), count: side * side)
    let columns = min(side, Int((Relief.plainBeyond.x + ReliefField.fade) / Self.postSpacingX) + 2)
    let rows = min(side, Int((Relief.plainBeyond.y + ReliefField.fade) / Self.postSpacingY) + 2)
    for row in 0..<rows {
      let start = (side - 1 - row) * side
      for column in 0..<columns {
        let point = PlanePoint(
          Double(column) * Self.postSpacingX, Double(row) * Self.postSpacingY)
        posts[start + column] = Int16(field.height(at: point).rounded())
      }
    }
    self.posts = posts
  }

  /// The elevation in metres, bilinear between the four posts around; outside the tile, the
  /// elevation of its border.
  func height(at point: PlanePoint) -> Double {
    let last = Double(Self.postsPerSide - 1)
    let x = min(last, max(0, point.x / Self.postSpacingX))
    let y = min(last, max(0, point.y / Self.postSpacingY))
    let column = min(Int(x), Self.postsPerSide - 2)
    let row = min(Int(y), Self.postsPerSide - 2)
    let shareX = x - Double(column)
    let shareY = y - Double(row)
    let south = (Self.postsPerSide - 1 - row) * Self.postsPerSide + column
    let north = south - Self.postsPerSide
    let lower = Double(posts[south]) * (1 - shareX) + Double(posts[south + 1]) * shareX
    let upper = Double(posts[north]) * (1 - shareX) + Double(posts[north + 1]) * shareX
    return lower * (1 - shareY) + upper * shareY
  }
}

/// The elevation as a function of position, before it is rounded to posts.
struct ReliefField {
  /// The distance in metres over which the mountains level out into the plain.
  static let fade = 2500.0

  private struct Segment {
    let start: PlanePoint
    let line: PlanePoint
    let inverseSquare: Double
    let value: Double
    let rise: Double
    let halfWidth: Double
    let widening: Double
  }

  private let seed: UInt64
  private let valleys: [Segment]
  private let ridges: [Segment]
  private let gorge: [Segment]

  init(seed: UInt64) {
    self.seed = seed
    valleys = Relief.valleys.flatMap(Self.segments)
    var random = SplitMix64(seed: SplitMix64.mix(seed &+ 1))
    ridges = Relief.ridges.flatMap { Self.segments(Self.weathered($0, &random)) }
    gorge = Self.segments(Relief.gorge)
  }

  /// A crest with bends and notches between its vertices, which are kept.
  private static func weathered(_ chain: ReliefLine, _ random: inout SplitMix64)
    -> ReliefLine
  {
    var vertices = chain.vertices
    for _ in 0..<2 {
      var finer = Array(vertices.prefix(1))
      for (start, end) in zip(vertices, vertices.dropFirst()) {
        let line = PlanePoint(end.x - start.x, end.y - start.y)
        let aside = 0.11 * random.signedUnit()
        let sag = line.length * random.number(in: -0.01...0.07)
        finer.append(
          (
            (start.x + end.x) / 2 - line.y * aside, (start.y + end.y) / 2 + line.x * aside,
            (start.value + end.value) / 2 - sag, 0
          ))
        finer.append(end)
      }
      vertices = finer
    }
    return ReliefLine(vertices)
  }

  private static func segments(_ chain: ReliefLine) -> [Segment] {
    zip(chain.vertices, chain.vertices.dropFirst()).map { start, end in
      let line = PlanePoint(end.x - start.x, end.y - start.y)
      return Segment(
        start: PlanePoint(start.x, start.y), line: line,
        inverseSquare: 1 / (line.x * line.x + line.y * line.y),
        value: start.value, rise: end.value - start.value,
        halfWidth: start.halfWidth, widening: end.halfWidth - start.halfWidth)
    }
  }

  /// The distance to the nearest segment in metres, and the mean value of all segments, weighted by
  /// proximity.
  private func nearness(_ segments: [Segment], _ point: PlanePoint)
    -> (distance: Double, value: Double)
  {
    var nearest = Double.infinity
    var weights = 0.0
    var values = 0.0
    for segment in segments {
      let offsetX = point.x - segment.start.x
      let offsetY = point.y - segment.start.y
      let along = min(
        1, max(0, (offsetX * segment.line.x + offsetY * segment.line.y) * segment.inverseSquare))
      let x = offsetX - along * segment.line.x
      let y = offsetY - along * segment.line.y
      let level = segment.halfWidth + along * segment.widening
      let distance = max(0, (x * x + y * y).squareRoot() - level)
      nearest = min(nearest, distance)
      let square = distance * distance + 3600
      let weight = 1 / (square * square)
      weights += weight
      values += weight * (segment.value + along * segment.rise)
    }
    return (nearest, values / weights)
  }

  func height(at point: PlanePoint) -> Double {
    let floor = nearness(valleys, point)
    let crest = nearness(ridges, point)
    let share = floor.distance / (floor.distance + crest.distance + 1)
    var height = floor.value + (crest.value - floor.value) * share * share.squareRoot()
    height += roughness(point) * share * (1.06 - share)
    height -= gorgeDepth(point)
    height = levelled(height, point, Relief.lake)
    height = levelled(height, point, Relief.tarn)
    height = max(height, islandHeight(point))
    let east = (point.x - Relief.plainBeyond.x) / Self.fade
    let north = (point.y - Relief.plainBeyond.y) / Self.fade
    let plain = smoothStep(max(east, north))
    return height + (Relief.plainHeightMetres - height) * plain
  }

  private func gorgeDepth(_ point: PlanePoint) -> Double {
    let halfWidth = 150.0
    var depth = 0.0
    for segment in gorge {
      let end = segment.start + segment.line
      let distance = point.distance(toSegment: segment.start, end)
      guard distance < halfWidth else { continue }
      let offset = point - segment.start
      let along = min(
        1, max(0, (offset.x * segment.line.x + offset.y * segment.line.y) * segment.inverseSquare))
      let share = 1 - distance / halfWidth * distance / halfWidth
      depth = max(depth, (segment.value + along * segment.rise) * share)
    }
    return depth
  }

  private func levelled(_ height: Double, _ point: PlanePoint, _ lake: LakeShape) -> Double {
    let shore = smoothStep((lake.remoteness(of: point) - 1.2) / 0.6)
    return lake.levelMetres + (height - lake.levelMetres) * shore
  }

  private func islandHeight(_ point: PlanePoint) -> Double {
    let share = 1 - point.distance(to: Relief.island) / (1.5 * Relief.islandRadiusMetres)
    return share > 0 ? Relief.lake.levelMetres + 25 * share : 0
  }

  /// Four octaves of noise in metres.
  private func roughness(_ point: PlanePoint) -> Double {
    400 * noise(point, 1700, salt: 1) + 270 * noise(point, 800, salt: 2)
      + 130 * noise(point, 390, salt: 3) + 40 * noise(point, 210, salt: 4)
  }

  /// Smooth noise from −1 to 1 on a lattice of `wavelength` metres.
  private func noise(_ point: PlanePoint, _ wavelength: Double, salt: UInt64) -> Double {
    let x = point.x / wavelength
    let y = point.y / wavelength
    let column = x.rounded(.down)
    let row = y.rounded(.down)
    let shareX = smoothStep(x - column)
    let shareY = smoothStep(y - row)
    let lower =
      lattice(column, row, salt) * (1 - shareX) + lattice(column + 1, row, salt) * shareX
    let upper =
      lattice(column, row + 1, salt) * (1 - shareX) + lattice(column + 1, row + 1, salt) * shareX
    return lower * (1 - shareY) + upper * shareY
  }

  private func lattice(_ column: Double, _ row: Double, _ salt: UInt64) -> Double {
    let cell = UInt64(bitPattern: Int64(column)) &* 0x1000_0001 ^ UInt64(bitPattern: Int64(row))
    let bits = SplitMix64.mix(SplitMix64.mix(cell ^ salt << 56) ^ seed)
    return SplitMix64.signedUnit(bits)
  }
}

/// 0 up to 0, 1 from 1, and 3t² − 2t³ between.
func smoothStep(_ t: Double) -> Double {
  let share = min(1, max(0, t))
  return share * share * (3 - 2 * share)
}
