// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnDiagnostics
import JSONKit

extension VectorTile {
  /// Decodes a tile from any tool, as stored in an archive: gzip or plain. Throws 65 if it is
  /// damaged or beyond ``TileLimits``; the caller adds the location.
  package init(_ bytes: UnsafeRawBufferPointer, unpacker: GzipUnpacker) throws(CairnError) {
    guard bytes.count <= TileLimits.tileBytes else { throw Self.damage("it is too large") }
    guard GzipUnpacker.isPacked(bytes) else {
      self = try Self.decode(bytes, unpacker)
      return
    }
    guard let plain = unpacker.unpack(bytes, limit: TileLimits.tileBytes) else {
      if unpacker.isExhausted { throw GzipUnpacker.exhausted }
      throw Self.damage("its compression is damaged, or it unpacks to far more than a tile has")
    }
    self = try plain.withUnsafeBufferPointer { plain throws(CairnError) in
      try Self.decode(UnsafeRawBufferPointer(plain), unpacker)
    }
  }

  static func damage(_ what: String) -> CairnError {
    CairnError("damaged-tile", .dataError, "is not a vector tile: \(what)")
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, _ unpacker: GzipUnpacker)
    throws(CairnError) -> Self
  {
    var tile = VectorTile(layers: [])
    var reader = ByteReader(bytes)
    var features = 0
    while let field = reader.field() {
      guard let field else { throw damage("a field is truncated") }
      guard field.number == 3, case .bytes(let content) = field.content else { continue }
      guard tile.layers.count < TileLimits.layers else {
        throw damage("it has more than \(TileLimits.layers) layers")
      }
      let known = features
      tile.layers.append(try LayerDecoder.decode(content, &features))
      let work = TileLimits.layerWork + (features - known) * TileLimits.featureWork
      guard unpacker.spend(work) else { throw GzipUnpacker.exhausted }
    }
    return tile
  }
}

/// Decodes a layer: its words first, then its features.
private struct LayerDecoder {
  private var layer = VectorTile.Layer(name: "", version: 1, extent: 4096, features: [])
  private var keys: [String] = []
  private var values: [JSONValue] = []
  private var features: [UnsafeRawBufferPointer] = []

  /// Decodes a layer and counts its features and the parts of their geometry.
  static func decode(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) throws(CairnError)
    -> VectorTile.Layer
  {
    var decoder = LayerDecoder()
    var reader = ByteReader(bytes)
    while let field = reader.field() {
      guard let field else { throw VectorTile.damage("a field of a layer is truncated") }
      try decoder.add(field.number, field.content)
    }
    for feature in decoder.features {
      let feature = try decoder.feature(feature)
      count += max(1, feature.parts.count)
      guard count <= TileLimits.features else {
        throw VectorTile.damage("it has more than \(TileLimits.features) features")
      }
      decoder.layer.features.append(feature)
    }
    return decoder.layer
  }

  private mutating func add(_ number: UInt64, _ content: ProtobufField.Content)
    throws(CairnError)
  {
    switch (number, content) {
    case (1, .bytes(let text)): layer.name = String(decoding: text, as: UTF8.self)
    case (2, .bytes(let feature)): features.append(feature)
    case (3, .bytes(let text)): keys.append(String(decoding: text, as: UTF8.self))
    case (4, .bytes(let message)): values.append(try value(message))
    case (5, .number(let extent)):
      guard let extent = Int32(exactly: extent), extent > 0 else {
        throw VectorTile.damage("the extent of a layer is out of range")
      }
      layer.extent = extent
    case (15, .number(let version)): layer.version = version
    default: break
    }
  }

  private func value(_ message: UnsafeRawBufferPointer) throws(CairnError) -> JSONValue {
    var reader = ByteReader(message)
    var value = JSONValue.null
    while let field = reader.field() {
      guard let field else { throw VectorTile.damage("a value is truncated") }
      switch (field.number, field.content) {
      case (1, .bytes(let text)): value = .text(String(decoding: text, as: UTF8.self))
      case (2, .bytes(let bytes)) where bytes.count == 4:
        let bits = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        value = .number(Double(Float(bitPattern: bits)))
      case (3, .bytes(let bytes)) where bytes.count == 8:
        let bits = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        value = .number(Double(bitPattern: bits))
      case (4, .number(let number)): value = .integer(Int(truncatingIfNeeded: number))
      case (5, .number(let number)): value = .integer(Int(clamping: number))
      case (6, .number(let number)):
        value = .integer(Int(unzigzag(number)))
      case (7, .number(let number)): value = .boolean(number != 0)
      default: break
      }
    }
    return value
  }

  private func feature(_ bytes: UnsafeRawBufferPointer) throws(CairnError) -> VectorTile.Feature {
    var feature = VectorTile.Feature(kind: .unknown, properties: [:], parts: [])
    var reader = ByteReader(bytes)
    var geometry: UnsafeRawBufferPointer?
    while let field = reader.field() {
      guard let field else { throw VectorTile.damage("a feature is truncated") }
      switch (field.number, field.content) {
      case (2, .bytes(let tags)): feature.properties = try properties(tags)
      case (3, .number(let kind)):
        feature.kind = VectorTile.Feature.Kind(rawValue: kind) ?? .unknown
      case (4, .bytes(let commands)): geometry = commands
      default: break
      }
    }
    if let geometry { feature.parts = try GeometryDecoder.parts(geometry, feature.kind) }
    return feature
  }

  private func properties(_ tags: UnsafeRawBufferPointer) throws(CairnError) -> [String: JSONValue]
  {
    var properties: [String: JSONValue] = [:]
    var reader = ByteReader(tags)
    while !reader.isAtEnd {
      guard let key = reader.varint(), let value = reader.varint(), key < keys.count,
        value < values.count
      else { throw VectorTile.damage("a feature has a key or a value missing from its layer") }
      properties[keys[Int(key)]] = values[Int(value)]
    }
    return properties
  }
}

/// Decodes the commands of a geometry.
private enum GeometryDecoder {
  static func parts(_ bytes: UnsafeRawBufferPointer, _ kind: VectorTile.Feature.Kind)
    throws(CairnError) -> [[VectorTile.Point]]
  {
    var parts: [[VectorTile.Point]] = []
    var part: [VectorTile.Point] = []
    var (x, y): (Int32, Int32) = (0, 0)
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      guard let command = reader.varint(), command <= UInt64(UInt32.max) else {
        throw VectorTile.damage("a command of a geometry is truncated")
      }
      let count = command >> 3
      switch command & 7 {
      case 1, 2:
        for _ in 0..<count {
          guard let dx = reader.varint(), let dy = reader.varint() else {
            throw VectorTile.damage("a geometry is truncated")
          }
          x = x &+ signed(dx)
          y = y &+ signed(dy)
          if command & 7 == 1, kind != .points, !part.isEmpty {
            guard parts.count < TileLimits.features else {
              throw VectorTile.damage("a geometry has more than \(TileLimits.features) parts")
            }
            parts.append(part)
            part = []
          }
          part.append(.init(x: x, y: y))
        }
      case 7:
        if let first = part.first { part.append(first) }
      default: throw VectorTile.damage("a geometry has an unknown command")
      }
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  private static func signed(_ value: UInt64) -> Int32 {
    let bits = UInt32(truncatingIfNeeded: value)
    return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
  }
}
