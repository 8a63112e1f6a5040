// SPDX-License-Identifier: Apache-2.0
import CZlib
import Testing

/// Inflates with zlib what the encoder under test has deflated; `windowBits` as in zlib: −15 raw,
/// 15 zlib, 31 gzip.
func inflated(_ bytes: [UInt8], windowBits: Int32, limit: Int = 1 << 24) throws -> [UInt8] {
  var stream = z_stream()
  try #require(
    inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
  defer { inflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: limit)
  let status = input.withUnsafeMutableBufferPointer { source in
    output.withUnsafeMutableBufferPointer { target in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      stream.next_out = target.baseAddress
      stream.avail_out = UInt32(target.count)
      return inflate(&stream, Z_FINISH)
    }
  }
  #expect(status == Z_STREAM_END)
  return Array(output.prefix(Int(stream.total_out)))
}

/// The objects of a PBF file, one line each, read independently of the code that wrote it.
struct PBFLines {
  private(set) var lines: [String] = []
  private(set) var blobs = 0

  init(_ file: [UInt8]) throws {
    var rest = file[...]
    while !rest.isEmpty {
      let headerSize = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      let header = Fields(rest.prefix(headerSize))
      rest = rest.dropFirst(headerSize)
      let size = Int(header.numbers(3).first ?? 0)
      let blob = Fields(rest.prefix(size))
      rest = rest.dropFirst(size)
      blobs += 1
      guard header.texts(1).first == "OSMData" else { continue }
      let packed = try #require(blob.bytes(3).first)
      try read(block: inflated(Array(packed), windowBits: 15))
    }
  }

  private mutating func read(block: [UInt8]) throws {
    let fields = Fields(block[...])
    let strings = Fields(try #require(fields.bytes(1).first)).texts(1)
    for group in fields.bytes(2).map({ Fields($0) }) {
      for dense in group.bytes(2) { readNodes(Fields(dense), strings) }
      for way in group.bytes(3) {
        let way = Fields(way)
        let refs = sums(way.packed(8)).map { " \($0)" }.joined()
        lines.append("way \(way.numbers(1)[0])\(refs)\(tags(way, strings))")
      }
      for relation in group.bytes(4) {
        let relation = Fields(relation)
        let members = zip(sums(relation.packed(9)), relation.packed(8))
          .map { " \($0)@\(strings[Int($1)])" }.joined()
        lines.append("relation \(relation.numbers(1)[0])\(members)\(tags(relation, strings))")
      }
    }
  }

  private mutating func readNodes(_ dense: Fields, _ strings: [String]) {
    let latitudes = sums(dense.packed(8))
    let longitudes = sums(dense.packed(9))
    var keysAndValues = dense.packed(10)[...]
    for (index, id) in sums(dense.packed(1)).enumerated() {
      var line = "node \(id) \(latitudes[index]) \(longitudes[index])"
      while let key = keysAndValues.popFirst(), key != 0, let value = keysAndValues.popFirst() {
        line += " \(strings[Int(key)])=\(strings[Int(value)])"
      }
      lines.append(line)
    }
  }

  private func tags(_ object: Fields, _ strings: [String]) -> String {
    zip(object.packed(2), object.packed(3))
      .map { " \(strings[Int($0)])=\(strings[Int($1)])" }.joined()
  }

  private func sums(_ deltas: [UInt64]) -> [Int64] {
    var sum: Int64 = 0
    return deltas.map {
      sum += Int64($0 >> 1) ^ -Int64($0 & 1)
      return sum
    }
  }
}

/// The fields of a Protocol Buffers message.
private struct Fields {
  private var all: [(field: Int, number: UInt64, bytes: ArraySlice<UInt8>)] = []

  init(_ message: ArraySlice<UInt8>) {
    var rest = message
    while !rest.isEmpty {
      let key = Self.varint(&rest)
      let number = Self.varint(&rest)
      let isBytes = key & 7 == 2
      all.append((Int(key >> 3), number, isBytes ? rest.prefix(Int(number)) : []))
      if isBytes { rest = rest.dropFirst(Int(number)) }
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst() {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return value
  }

  func numbers(_ field: Int) -> [UInt64] { all.filter { $0.field == field }.map(\.number) }
  func bytes(_ field: Int) -> [ArraySlice<UInt8>] {
    all.filter { $0.field == field }.map(\.bytes)
  }
  func texts(_ field: Int) -> [String] { bytes(field).map { String(decoding: $0, as: UTF8.self) } }
  func packed(_ field: Int) -> [UInt64] {
    var rest = bytes(field).first ?? []
    var values: [UInt64] = []
    while !rest.isEmpty { values.append(Self.varint(&rest)) }
    return values
  }
}

/// The objects of the XML that `cairn sample` writes, as the same lines. This is not an XML parser:
/// it relies on the line breaks of that file.
func xmlLines(_ file: [UInt8]) -> [String] {
  var lines: [String] = []
  for row in String(decoding: file, as: UTF8.self).split(separator: "\n") {
    let values = row.split(separator: "\"", omittingEmptySubsequences: false)
      .enumerated().filter { $0.offset % 2 == 1 }.map { unescaped($0.element) }
    let kind = row.drop { $0 == " " || $0 == "<" }.prefix { $0.isLetter }
    switch kind {
    case "node": lines.append("node \(values[0]) " + values[1...].map(units).joined(separator: " "))
    case "way", "relation": lines.append("\(kind) \(values[0])")
    case "nd": lines[lines.count - 1] += " \(values[0])"
    case "member": lines[lines.count - 1] += " \(values[1])@\(values[2])"
    case "tag": lines[lines.count - 1] += " \(values[0])=\(values[1])"
    default: break
    }
  }
  return lines
}

private func units(_ degrees: String) -> String { degrees.split(separator: ".").joined() }

private func unescaped(_ text: Substring) -> String {
  let names = ["quot": "\"", "lt": "<", "gt": ">", "amp": "&"]
  let parts = text.split(separator: "&", omittingEmptySubsequences: false)
  return parts.dropFirst().reduce(String(parts[0])) { result, part in
    let pieces = part.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    return result + (names[String(pieces[0])] ?? "?") + pieces.dropFirst().joined()
  }
}
