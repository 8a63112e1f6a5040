// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import TestSupport
import Testing

@testable import CairnDeltas

@Suite("Instructions from old bytes to new ones")
struct InstructionTests {
  private func apply(_ instructions: [UInt8], to old: [UInt8], count: Int) throws -> [UInt8] {
    try instructions.withUnsafeBytes { instructions in
      try old.withUnsafeBytes { old in
        var reader = DeltaReader(instructions)
        let new = try Instructions.apply(&reader, to: .init(old), count: count)
        return new.withBytes { Array($0) }
      }
    }
  }

  private func bytes(_ count: Int, below limit: UInt8, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0..<limit, using: &random) }
  }

  @Test("they give the new bytes, however these are made from the old ones")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for round in 0..<300 {
      let old = bytes(.random(in: 0...3000, using: &random), below: 255, &random)
      var new = round % 7 == 0 ? [] : old
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let place = Int.random(in: 0...new.count, using: &random)
        let end = min(new.count, place + .random(in: 0...40, using: &random))
        let insert = bytes(
          .random(in: 0...60, using: &random), below: round % 2 == 0 ? 255 : 2, &random)
        new.replaceSubrange(place..<end, with: insert)
      }
      let instructions = Matcher.instructions(from: old, to: new)
      #expect(try apply(instructions, to: old, count: new.count) == new)
    }
  }

  @Test("bytes that stay are not repeated")
  func copies() {
    var random = SeededGenerator(seed: 1)
    let old = bytes(100_000, below: 255, &random)
    var new = old
    new[50_000] ^= 1
    new.insert(contentsOf: [1, 2, 3], at: 70_000)
    new.removeSubrange(20_000..<20_010)
    #expect(Matcher.instructions(from: old, to: new).count < 60)
    #expect(Matcher.instructions(from: old, to: old).count < 10)
  }

  @Test("bytes that repeat are written once")
  func repetition() {
    let new = Array("a road of gravel, ".utf8) + Array("a road of gravel, ".utf8)
    #expect(Matcher.instructions(from: [], to: new).count < 28)
  }

  @Test(
    "instructions that make no sense are refused",
    arguments: [
      [], [0x80], [5, 1], [0, 9, 0], [0, 0, 0], [0, 4, 0x20], [0, 4, 0x0A], [0, 4, 1],
      [1, 7, 3, 5],
      [0, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 1],
      [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
    ] as [[UInt8]])
  func nonsense(instructions: [UInt8]) {
    #expect(throws: DeltaError.self) {
      try apply(instructions, to: [1, 2, 3, 4], count: 8)
    }
  }

  @Test("a few bytes do not promise gigabytes")
  func bomb() {
    var writer = ByteWriter()
    writer.add(count: 1)
    writer.add(raw: [0])
    writer.add(count: 1 << 30)
    writer.add(count: 3)
    #expect(throws: DeltaError.self) { try apply(writer.bytes, to: [], count: 1 << 30 + 1) }
  }

  @Test("new bytes that are many times the old ones are written whole")
  func growth() throws {
    let new = [UInt8](repeating: 7, count: 3 << 20)
    let instructions = Matcher.instructions(from: [], to: new)
    #expect(instructions.count > new.count)
    #expect(try apply(instructions, to: [], count: new.count) == new)
  }
}
