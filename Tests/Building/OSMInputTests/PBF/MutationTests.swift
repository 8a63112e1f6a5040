// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TestSupport
import Testing

@testable import OSMInput

/// A copy with some bytes changed, inserted, removed or duplicated.
func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
  let interesting: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x12, 0x22, 0x3c, 0x3e]
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
    let index = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes[index] = interesting.randomElement(using: &generator) ?? 0
    case 3: bytes.remove(at: index)
    case 4: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
    default:
      let end = min(bytes.count, index + Int.random(in: 1...20, using: &generator))
      bytes.insert(contentsOf: bytes[index..<end], at: index)
    }
  }
  return bytes
}

/// A map with nodes, ways and relations of every kind that is kept.
private var fullMap: SmallMap {
  var map = SmallMap.valley
  map.ways.append(MapWay(id: 14, refs: [1, 2, 8, 1], tags: ["amenity": "parking"]))
  map.routes = [
    MapRelation(id: 5, members: ["w10", "r6"], tags: ["type": "route", "route": "hiking"]),
    MapRelation(id: 6, members: ["w11", "r5"], tags: ["type": "superroute", "route": "foot"]),
    MapRelation(
      id: 7, members: ["w12:outer"], tags: ["type": "multipolygon", "tourism": "camp_site"]),
  ]
  return map
}

@Suite("Mutated OpenStreetMap files")
struct MutationTests {
  private func check(_ seed: UInt64, _ parse: () throws -> OSMExtract) {
    do { _ = try parse() } catch {
      guard let error = error as? CairnError else {
        Issue.record("seed \(seed): \(error)")
        return
      }
      #expect([.dataError, .noInput].contains(error.exitCode), "seed \(seed): \(error)")
    }
  }

  @Test(
    "a mutated PBF file, compressed or not, is read or refused with a typed error",
    arguments: [true, false])
  func pbf(isCompressed: Bool) {
    var nodes = BlockWriter()
    nodes.addDense(fullMap.nodes, isVisible: fullMap.nodes.map { _ in true })
    nodes.addPlain(fullMap.nodes)
    var ways = BlockWriter()
    ways.add(fullMap.ways)
    ways.addRelations(2)
    ways.add(fullMap.routes)
    let form = BlobForm(isCompressed: isCompressed)
    let original = headerFrame() + nodes.frame(form) + ways.frame(form)
    for seed in 0..<1000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = mutated(original, &generator)
      check(seed) { try parsePBF(bytes) }
    }
  }

  @Test("a mutated block in a valid blob is read or refused with a typed error")
  func blocks() {
    var block = BlockWriter()
    block.addDense(fullMap.nodes)
    block.addPlain(fullMap.nodes)
    block.add(fullMap.ways)
    block.add(fullMap.routes)
    for seed in 0..<1000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes =
        headerFrame() + BlobForm(isCompressed: false).frame(mutated(block.bytes, &generator))
      check(seed) { try parsePBF(bytes) }
    }
  }

  @Test(
    "a mutated XML file, compressed or not, is read or refused with a typed error",
    arguments: [true, false])
  func xml(isPacked: Bool) {
    let plain = Array(fullMap.xml.utf8)
    let original = isPacked ? gzipCompressed(plain) : plain
    for seed in 0..<1000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = mutated(original, &generator)
      check(seed) { try parseXML(bytes) }
    }
  }
}
