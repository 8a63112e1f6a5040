// SPDX-License-Identifier: Apache-2.0
import CDeflate

/// Builds Protocol Buffers messages by hand, valid and invalid ones.
struct Message {
  private(set) var bytes: [UInt8] = []

  static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  mutating func raw(_ more: [UInt8]) { bytes += more }

  mutating func number(_ field: UInt64, _ value: UInt64) {
    bytes += Self.varint(field << 3) + Self.varint(value)
  }

  mutating func signed(_ field: UInt64, _ value: Int64) { number(field, Self.zigzag(value)) }

  mutating func data(_ field: UInt64, _ content: [UInt8]) {
    bytes += Self.varint(field << 3 | 2) + Self.varint(UInt64(content.count)) + content
  }

  mutating func text(_ field: UInt64, _ text: String) { data(field, Array(text.utf8)) }

  mutating func packed(_ field: UInt64, _ values: [UInt64], as form: PackingForm = .packed) {
    switch form {
    case .packed: data(field, values.flatMap(Self.varint))
    case .unpacked: for value in values { number(field, value) }
    case .pieces:
      let half = values.count / 2
      data(field, values[..<half].flatMap(Self.varint))
      data(field, values[half...].flatMap(Self.varint))
    }
  }
}

/// How a repeated field is encoded.
enum PackingForm: CaseIterable {
  case packed
  case unpacked
  case pieces
}

/// The delta encoding of values, zigzag-encoded.
func deltas(_ values: [Int64]) -> [UInt64] {
  var previous: Int64 = 0
  return values.map { value in
    defer { previous = value }
    return Message.zigzag(value &- previous)
  }
}

/// How a blob is framed, and what is invalid about it.
struct BlobForm {
  var type = "OSMData"
  var isCompressed = true
  var rawSize: Int?
  var hasRawSize = true
  /// The number of the content field, to imitate another compression.
  var contentField: UInt64?
  var dataSize: Int?

  func frame(_ content: [UInt8]) -> [UInt8] {
    var blob = Message()
    if isCompressed {
      if hasRawSize { blob.number(2, UInt64(bitPattern: Int64(rawSize ?? content.count))) }
      blob.data(contentField ?? 3, zlibCompressed(content))
    } else {
      blob.data(contentField ?? 1, content)
    }
    var header = Message()
    header.text(1, type)
    header.number(3, UInt64(bitPattern: Int64(dataSize ?? blob.bytes.count)))
    let size = UInt32(header.bytes.count).bigEndian
    return withUnsafeBytes(of: size) { Array($0) } + header.bytes + blob.bytes
  }
}

func zlibCompressed(_ bytes: [UInt8]) -> [UInt8] {
  guard let compressor = libdeflate_alloc_compressor(6) else { return [] }
  defer { libdeflate_free_compressor(compressor) }
  var output = [UInt8](
    repeating: 0, count: libdeflate_zlib_compress_bound(compressor, bytes.count))
  let count = libdeflate_zlib_compress(compressor, bytes, bytes.count, &output, output.count)
  return Array(output.prefix(count))
}

func gzipCompressed(_ bytes: [UInt8]) -> [UInt8] {
  guard let compressor = libdeflate_alloc_compressor(6) else { return [] }
  defer { libdeflate_free_compressor(compressor) }
  var output = [UInt8](
    repeating: 0, count: libdeflate_gzip_compress_bound(compressor, bytes.count))
  let count = libdeflate_gzip_compress(compressor, bytes, bytes.count, &output, output.count)
  return Array(output.prefix(count))
}

/// The frame of a header blob.
func headerFrame(
  required: [String] = ["OsmSchema-V0.6", "DenseNodes"], optional: [String] = [],
  timestamp: UInt64? = nil
) -> [UInt8] {
  var header = Message()
  for feature in required { header.text(4, feature) }
  for feature in optional { header.text(5, feature) }
  if let timestamp { header.number(32, timestamp) }
  return BlobForm(type: "OSMHeader").frame(header.bytes)
}

/// Builds one block of objects.
struct BlockWriter {
  var granularity: Int64?
  var dateGranularity: Int64?
  var latitudeOffset: Int64?
  var longitudeOffset: Int64?
  var form = PackingForm.packed
  /// The version of all objects that are added, if they state one.
  var version: UInt64?
  private var texts: [String] = [""]
  private var groups: [[UInt8]] = []

  init() {}

  private mutating func text(_ text: String) -> UInt64 {
    if let known = texts.firstIndex(of: text) { return UInt64(known) }
    texts.append(text)
    return UInt64(texts.count - 1)
  }

  private func scaled(_ units: Int64, _ offset: Int64?) -> Int64 {
    (units * 100 - (offset ?? 0)) / (granularity ?? 100)
  }

  /// Adds nodes as a dense group; `isVisible` writes the field of history files.
  mutating func addDense(_ nodes: [MapNode], isVisible: [Bool]? = nil) {
    var dense = Message()
    dense.packed(1, deltas(nodes.map(\.id)), as: form)
    if isVisible != nil || version != nil {
      var info = Message()
      if let version { info.packed(1, nodes.map { _ in version }, as: form) }
      if let isVisible { info.packed(6, isVisible.map { $0 ? 1 : 0 }, as: form) }
      dense.data(5, info.bytes)
    }
    dense.packed(8, deltas(nodes.map { scaled($0.latitude, latitudeOffset) }), as: form)
    dense.packed(9, deltas(nodes.map { scaled($0.longitude, longitudeOffset) }), as: form)
    if nodes.contains(where: { !$0.tags.isEmpty }) {
      var tags: [UInt64] = []
      for node in nodes {
        for (key, value) in node.tags { tags += [text(key), text(value)] }
        tags.append(0)
      }
      dense.packed(10, tags, as: form)
    }
    addGroup(2, [dense.bytes])
  }

  /// Adds nodes as messages of their own.
  mutating func addPlain(_ nodes: [MapNode]) {
    let messages = nodes.map { node in
      var message = Message()
      message.signed(1, node.id)
      addTags(node.tags, to: &message)
      addInfo(nil, to: &message)
      message.signed(8, scaled(node.latitude, latitudeOffset))
      message.signed(9, scaled(node.longitude, longitudeOffset))
      return message.bytes
    }
    addGroup(1, messages)
  }

  mutating func add(_ ways: [MapWay], locations: [Int64: MapNode]? = nil, isVisible: Bool? = nil) {
    let messages = ways.map { way in
      var message = Message()
      message.number(1, UInt64(bitPattern: way.id))
      addTags(way.tags, to: &message)
      addInfo(isVisible, to: &message)
      message.packed(8, deltas(way.refs), as: form)
      if let locations {
        let nodes = way.refs.compactMap { locations[$0] }
        message.packed(9, deltas(nodes.map(\.latitude)), as: form)
        message.packed(10, deltas(nodes.map(\.longitude)), as: form)
      }
      return message.bytes
    }
    addGroup(3, messages)
  }

  /// Adds the metadata of an object, if it is marked as visible or deleted, or states a version.
  private func addInfo(_ isVisible: Bool?, to message: inout Message) {
    guard isVisible != nil || version != nil else { return }
    var info = Message()
    if let version { info.number(1, version) }
    if let isVisible { info.number(6, isVisible ? 1 : 0) }
    message.data(4, info.bytes)
  }

  mutating func addRelations(_ count: Int) {
    addGroup(
      4,
      (0..<count).map { id in
        var message = Message()
        message.number(1, UInt64(id + 1))
        return message.bytes
      })
  }

  mutating func add(_ relations: [MapRelation], isVisible: Bool? = nil) {
    let messages = relations.map { relation in
      var message = Message()
      message.number(1, UInt64(bitPattern: relation.id))
      addTags(relation.tags, to: &message)
      addInfo(isVisible, to: &message)
      let parts = relation.parts
      message.packed(8, parts.map { text($0.role) }, as: form)
      message.packed(9, deltas(parts.map(\.id)), as: form)
      message.packed(10, parts.map { UInt64($0.kind) }, as: form)
      return message.bytes
    }
    addGroup(4, messages)
  }

  private mutating func addTags(_ tags: KeyValuePairs<String, String>, to message: inout Message) {
    guard !tags.isEmpty else { return }
    message.packed(2, tags.map { text($0.key) }, as: form)
    message.packed(3, tags.map { text($0.value) }, as: form)
  }

  mutating func addGroup(_ field: UInt64, _ messages: [[UInt8]]) {
    var group = Message()
    for message in messages { group.data(field, message) }
    groups.append(group.bytes)
  }

  var bytes: [UInt8] {
    var block = Message()
    var table = Message()
    for text in texts { table.text(1, text) }
    block.data(1, table.bytes)
    for group in groups { block.data(2, group) }
    if let granularity { block.number(17, UInt64(bitPattern: granularity)) }
    if let dateGranularity { block.number(18, UInt64(bitPattern: dateGranularity)) }
    if let latitudeOffset { block.number(19, UInt64(bitPattern: latitudeOffset)) }
    if let longitudeOffset { block.number(20, UInt64(bitPattern: longitudeOffset)) }
    return block.bytes
  }

  func frame(_ form: BlobForm = BlobForm()) -> [UInt8] { form.frame(bytes) }
}
