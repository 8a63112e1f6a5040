// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// Encodes Mapbox Vector Tiles of version 2, one after another, reusing memory:
/// https://github.com/mapbox/vector-tile-spec/tree/master/2.1
///
/// A layer contains each key and each value once, in the order of first use. Features without
/// geometry and layers without features are left out.
package struct VectorTileEncoder {
  /// The kinds of geometry that are written.
  package enum Geometry: UInt64, Sendable {
    case points = 1
    case lines = 2
  }

  private let vocabulary: TileVocabulary
  private var keys: LocalNumbers
  private var values: LocalNumbers
  private var tile = ByteWriter()
  private var layer = ByteWriter()
  private var feature = ByteWriter()
  private var geometry = ByteWriter()
  private var tags = ByteWriter()
  private var kind = Geometry.points
  private var cursor = TilePoint(x: 0, y: 0)
  private var features = 0

  /// Prepares to encode features with the words of a vocabulary.
  package init(_ vocabulary: TileVocabulary) {
    self.vocabulary = vocabulary
    keys = LocalNumbers(count: vocabulary.keyCount)
    values = LocalNumbers(count: vocabulary.valueCount)
  }

  /// The tile so far, uncompressed; empty if it has no layers. Starts the next tile.
  package mutating func finish() -> [UInt8] {
    defer { tile.bytes.removeAll(keepingCapacity: true) }
    return tile.bytes
  }

  /// Begins a layer.
  package mutating func beginLayer() {
    layer.bytes.removeAll(keepingCapacity: true)
    keys.clear()
    values.clear()
    features = 0
  }

  /// Ends the layer.
  package mutating func endLayer(_ name: String) {
    guard features > 0 else { return }
    var head = ByteWriter()
    head.addField(15, 2)
    head.addField(1, Array(name.utf8))
    var words = ByteWriter()
    for key in keys.used { words.addField(3, vocabulary.keyText(key)) }
    for value in values.used { words.addField(4, vocabulary.valueMessage(value)) }
    words.addField(5, UInt64(TilePoint.extent))
    tile.add(3 << 3 | 2)
    tile.add(UInt64(head.bytes.count + layer.bytes.count + words.bytes.count))
    tile.bytes += head.bytes
    tile.bytes += layer.bytes
    tile.bytes += words.bytes
  }

  /// Begins a feature with pairs of a key and a value.
  package mutating func beginFeature(
    _ kind: Geometry, attributes: some Sequence<(key: UInt32, value: UInt32)>
  ) {
    self.kind = kind
    geometry.bytes.removeAll(keepingCapacity: true)
    tags.bytes.removeAll(keepingCapacity: true)
    cursor = TilePoint(x: 0, y: 0)
    for (key, value) in attributes {
      tags.add(UInt64(keys.number(key)))
      tags.add(UInt64(values.number(value)))
    }
  }

  /// Adds a line of at least two points that differ.
  package mutating func addLine(_ points: UnsafeBufferPointer<TilePoint>) {
    guard points.count > 1 else { return }
    geometry.add(1 << 3 | 1)
    move(to: points[0])
    geometry.add(UInt64(points.count - 1) << 3 | 2)
    for index in 1..<points.count { move(to: points[index]) }
  }

  /// Adds points.
  package mutating func addPoints(_ points: UnsafeBufferPointer<TilePoint>) {
    guard !points.isEmpty else { return }
    geometry.add(UInt64(points.count) << 3 | 1)
    for point in points { move(to: point) }
  }

  @inline(__always)
  private mutating func move(to point: TilePoint) {
    geometry.add(zigzag(Int64(point.x) - Int64(cursor.x)))
    geometry.add(zigzag(Int64(point.y) - Int64(cursor.y)))
    cursor = point
  }

  /// Ends the feature.
  package mutating func endFeature() {
    guard !geometry.bytes.isEmpty else { return }
    feature.bytes.removeAll(keepingCapacity: true)
    if !tags.bytes.isEmpty { feature.addField(2, tags.bytes) }
    feature.addField(3, kind.rawValue)
    feature.addField(4, geometry.bytes)
    layer.addField(2, feature.bytes)
    features += 1
  }
}

/// Numbers words within a layer by first use. Clearing it takes constant time.
private struct LocalNumbers {
  private var numbers: [UInt32]
  private var layers: [UInt32]
  private var layer: UInt32 = 0
  private(set) var used: [UInt32] = []

  init(count: Int) {
    numbers = [UInt32](repeating: 0, count: count)
    layers = [UInt32](repeating: 0, count: count)
  }

  mutating func clear() {
    layer += 1
    used.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func number(_ word: UInt32) -> UInt32 {
    let index = Int(word)
    if layers[index] != layer {
      layers[index] = layer
      numbers[index] = UInt32(truncatingIfNeeded: used.count)
      used.append(word)
    }
    return numbers[index]
  }
}
