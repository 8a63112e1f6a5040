// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnDiagnostics
import JSONKit
import TestSupport
import Testing
import Tiles

@Suite("vector tiles")
struct VectorTileTests {
  /// A tile with a layer of two lines and a layer of two points.
  private func sample() -> [UInt8] {
    var words = TileVocabulary()
    let (highway, kind, metres) = (words.key("highway"), words.key("kind"), words.key("ele"))
    let (path, hut) = (words.value("path"), words.value("mountain-hut"))
    let (height, depth) = (words.value(2912), words.value(-5))
    var encoder = VectorTileEncoder(words)
    encoder.beginLayer()
    encoder.beginFeature(.lines, attributes: [(highway, path)])
    for line in [
      [TilePoint(x: -64, y: 0), TilePoint(x: 10, y: 4160)], [.init(x: 5, y: 5), .init(x: 6, y: 7)],
    ] {
      line.withUnsafeBufferPointer { encoder.addLine($0) }
    }
    encoder.endFeature()
    encoder.beginFeature(.lines, attributes: [(highway, path)])
    encoder.endFeature()
    encoder.endLayer("trails")
    encoder.beginLayer()
    encoder.endLayer("waymarks")
    encoder.beginLayer()
    for value in [height, depth] {
      encoder.beginFeature(.points, attributes: [(kind, hut), (metres, value)])
      [TilePoint(x: 1, y: 2)].withUnsafeBufferPointer { encoder.addPoints($0) }
      encoder.endFeature()
    }
    encoder.endLayer("pois")
    return encoder.finish()
  }

  private func decode(_ bytes: [UInt8]) throws -> VectorTile {
    let unpacker = try GzipUnpacker()
    return try bytes.withUnsafeBytes { try VectorTile($0, unpacker: unpacker) }
  }

  @Test("what was encoded is decoded, without layers and features that are empty")
  func roundTrip() throws {
    let tile = try decode(sample())
    #expect(tile.layers.map(\.name) == ["trails", "pois"])
    #expect(tile.layers.allSatisfy { $0.version == 2 && $0.extent == 4096 })
    let trails = try #require(tile.layer("trails"))
    #expect(trails.features.count == 1)
    #expect(trails.features[0].kind == .lines)
    #expect(trails.features[0].properties == ["highway": "path"])
    #expect(
      trails.features[0].parts == [
        [.init(x: -64, y: 0), .init(x: 10, y: 4160)], [.init(x: 5, y: 5), .init(x: 6, y: 7)],
      ])
    let pois = try #require(tile.layer("pois"))
    #expect(pois.features.map { $0.properties["ele"] } == [2912, -5])
    #expect(pois.features.map { $0.properties["kind"] } == ["mountain-hut", "mountain-hut"])
  }

  @Test("a packed tile is unpacked, and one with a broken checksum is refused")
  func packed() throws {
    let plain = sample()
    var packed = Array(try GzipPacker().pack(plain))
    #expect(packed[4..<8].allSatisfy { $0 == 0 }, "the header has a time")
    #expect(try decode(packed) == decode(plain))
    packed[packed.count - 6] ^= 1
    #expect(throws: CairnError.self) { try decode(packed) }
  }

  @Test("damaged tiles are refused or read, but never trap")
  func damaged() throws {
    var random = SeededGenerator(seed: 11)
    let plain = sample()
    for _ in 0..<5000 {
      var bytes = plain
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      do { _ = try decode(bytes) } catch let error as CairnError {
        #expect(error.exitCode == .dataError)
      }
    }
  }

  /// A tile of a field that is repeated, packed as in an archive.
  private func packed(_ field: [UInt8], _ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.count * count)
    for _ in 0..<count { bytes += field }
    return Array(try GzipPacker(level: 1).pack(bytes))
  }

  @Test("a geometry of more parts than any has is refused")
  func parts() throws {
    // A line of moves, of which each begins a part of one point.
    let moves = TileLimits.features + 2
    var geometry = ByteWriter()
    geometry.add(UInt64(moves) << 3 | 1)
    geometry.add(raw: Array(repeating: 0, count: 2 * moves))
    var feature = ByteWriter()
    feature.addField(3, 2)
    feature.addField(4, geometry.bytes)
    var layer = ByteWriter()
    layer.addField(1, Array("l".utf8))
    layer.addField(2, feature.bytes)
    var tile = ByteWriter()
    tile.addField(3, layer.bytes)
    let error = #expect(throws: CairnError.self) { try decode(tile.bytes) }
    #expect(error?.message == "is not a vector tile: a geometry has more than 1048576 parts")
  }

  @Test("a tile of millions of empty layers or features is refused at once")
  func bombs() throws {
    let features = try packed([0x12, 0x00], 1 << 21)
    let layers = try packed([0x1A, 0x00], 1 << 21)
    #expect(layers.count < 10_000)
    let error = #expect(throws: CairnError.self) { try decode(layers) }
    #expect(error?.message == "is not a vector tile: it has more than 1000 layers")
    let plain = try #require(
      features.withUnsafeBytes { try? GzipUnpacker().unpack($0, limit: 1 << 24) })
    var layer = ByteWriter()
    layer.addField(3, plain)
    let second = #expect(throws: CairnError.self) { try decode(layer.bytes) }
    #expect(second?.message == "is not a vector tile: it has more than 1048576 features")
    #expect(throws: CairnError.self) { try decode(packed([0], TileLimits.tileBytes + 1)) }
  }

  @Test(
    "layers count towards what is unpacked in all, so that millions of tiles of them are refused")
  func manyTiles() throws {
    let unpacker = try GzipUnpacker(total: 250_000)
    let tile = try packed([0x1A, 0x00], 999)
    func decode() throws -> VectorTile {
      try tile.withUnsafeBytes { try VectorTile($0, unpacker: unpacker) }
    }
    #expect(try decode().layers.count == 999)
    #expect(try decode().layers.count == 999)
    #expect(throws: CairnError.self) { try decode() }
  }

  @Test("what is unpacked in all is bounded")
  func unpacking() throws {
    let unpacker = try GzipUnpacker(total: 1500)
    let tile = try packed([0], 1000)
    #expect(tile.withUnsafeBytes { unpacker.unpack($0, limit: 1 << 20) }?.count == 1000)
    #expect(tile.withUnsafeBytes { unpacker.unpack($0, limit: 1 << 20) } == nil)
  }
}
