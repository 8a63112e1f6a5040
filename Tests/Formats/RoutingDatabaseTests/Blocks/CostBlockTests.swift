// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import CairnRoutingDatabase

@Suite("Costs and times in blocks")
struct CostBlockTests {
  /// Numbers of all sizes.
  private func numbers(_ count: Int) -> [Double] {
    var random = SeededGenerator(seed: 7)
    return (0..<count).map { _ in Double.random(in: 1...2, using: &random) }
      .enumerated().map { $1 * [1e-9, 0.001, 1, 100, 5e4, 1e8, 1e17][$0 % 7] }
  }

  @Test("a cost is rounded up, and by less than the stated precision")
  func costs() {
    for cost in numbers(7000) {
      let rounded = Double(CostBlock.rounded(cost: cost))
      #expect(rounded >= cost && rounded <= cost * (1 + CostBlock.precision), "\(cost)")
    }
    #expect(CostBlock.rounded(cost: 0.5) == 0.5)
  }

  @Test("a time is rounded by less than the stated precision; 0 stays 0")
  func seconds() {
    for seconds in numbers(7000) {
      let rounded = Double(CostBlock.rounded(seconds: seconds))
      #expect(abs(rounded - seconds) <= seconds * CostBlock.precision, "\(seconds)")
    }
    #expect(CostBlock.rounded(seconds: 0) == 0)
    #expect(CostBlock.rounded(seconds: 1e-15) == 0)
  }

  @Test("infinity stays infinite; what is finite stays finite, and a cost positive")
  func extremes() {
    #expect(CostBlock.rounded(cost: .infinity) == .infinity)
    #expect(CostBlock.rounded(seconds: .infinity) == .infinity)
    #expect(CostBlock.rounded(cost: 1e300) == CostBlock.greatest)
    #expect(CostBlock.rounded(seconds: 1e300) == CostBlock.greatest)
    #expect(CostBlock.rounded(cost: 1e-300) == CostBlock.least)
  }

  @Test("two numbers take eight bytes, little-endian")
  func layout() {
    // 1 is 3F800000, −2.5 is C0200000.
    let bytes = withUnsafeBytes(of: CostBlock.bits(1, -2.5)) { [UInt8]($0) }
    #expect(bytes == [0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0])
    bytes.withUnsafeBytes { bytes in
      #expect(CostBlock.numbers(bytes, 0)! == (1, -2.5))
      #expect(CostBlock.numbers(bytes, 1) == nil)
      #expect(CostBlock.numbers(bytes, -1) == nil)
    }
  }

  @Test("an edge is in the block of its id, counted from 1")
  func positions() throws {
    func position(_ id: Int64) -> [Int64]? {
      RoutingSchema.position(ofEdge: id, per: 1000).map { [$0.block, Int64($0.index)] }
    }
    #expect(position(1) == [0, 0])
    #expect(position(1000) == [0, 999])
    #expect(position(1001) == [1, 0])
    for id in [0, -1, .min, .max] as [Int64] { #expect(position(id) == nil) }
  }

  @Test("a row is that of a profile and a block; impossible ones have none")
  func ids() {
    #expect(CostBlock.id(profile: 2, block: 3) == 0x2_0000_0003)
    for (profile, block) in [(0, 0), (-1, 0), (1 << 31, 0), (1, -1), (1, 1 << 32)]
      as [(Int64, Int64)]
    {
      #expect(CostBlock.id(profile: profile, block: block) == nil)
    }
  }
}

@Suite("Whole numbers in blocks")
struct PackedNumbersTests {
  private func numbers(_ bytes: [UInt8]) -> [Int]? {
    bytes.withUnsafeBytes { bytes in
      PackedNumbers(bytes).map { numbers in (0..<numbers.count).map { numbers[$0] } }
    }
  }

  @Test("numbers take two bytes where all fit, otherwise four")
  func widths() {
    #expect(PackedNumbers.pack([1, 0xFFFF]) == [2, 1, 0, 0xFF, 0xFF])
    #expect(PackedNumbers.pack([1, 0x10000]) == [4, 1, 0, 0, 0, 0, 0, 1, 0])
    #expect(PackedNumbers.pack([]) == [2])
  }

  @Test("packed numbers come back")
  func roundTrip() {
    for list in [[], [0], [65_535, 3], [65_536, 0, 4_294_967_295]] {
      #expect(numbers(PackedNumbers.pack(list)) == list)
    }
  }

  @Test("a blob of another width, or with a part of a number, is refused")
  func damaged() {
    for bytes in [[], [0], [1, 0], [3, 0, 0, 0], [2, 0], [4, 0, 0], [2, 0, 0, 0]] as [[UInt8]] {
      #expect(numbers(bytes) == nil, "\(bytes)")
    }
  }
}

@Suite("Elevation profiles in blocks")
struct ElevationBlockTests {
  private func slopes(_ slopes: [Double?]) -> [Double?]? {
    ElevationBlock.packSlopes(slopes).withUnsafeBytes { bytes in
      PackedNumbers(bytes).map { numbers in
        (0..<numbers.count).map { ElevationBlock.slope(numbers, $0) }
      }
    }
  }

  @Test("slopes come back to a hundredth of a percent, unknown ones as unknown")
  func slopes() {
    #expect(slopes([12.34, nil, -327.67, 0]) == [12.34, nil, -327.67, 0])
    #expect(ElevationBlock.packSlopes([327.67]).count == 3)
    #expect(slopes([1e6, -1e6, nil, 0.01]) == [1e6, -1e6, nil, 0.01])
    #expect(ElevationBlock.packSlopes([327.68]).count == 5)
  }

  @Test("profiles are cut at their ends")
  func profiles() {
    let found: [[UInt8]]? = read(slopes: [1, nil, 2], ends: [2, 2, 5], [1, 2, 3, 4, 5])
    #expect(found == [[1, 2], [], [3, 4, 5]])
  }

  @Test("ends that fall, or do not cover the profiles, and lists of two lengths are refused")
  func damaged() {
    #expect(read(slopes: [1, 2], ends: [3, 2], [1, 2]) == nil)
    #expect(read(slopes: [1, 2], ends: [1, 3], [1, 2]) == nil)
    #expect(read(slopes: [1, 2], ends: [1, 1], [1, 2]) == nil)
    #expect(read(slopes: [1], ends: [1, 2], [1, 2]) == nil)
    let many = Array(repeating: 0, count: ElevationBlock.edges + 1)
    #expect(read(slopes: many.map { _ in nil }, ends: many, []) == nil)
  }

  private func read(slopes: [Double?], ends: [Int], _ profiles: [UInt8]) -> [[UInt8]]? {
    ElevationBlock.packSlopes(slopes).withUnsafeBytes { slopes in
      PackedNumbers.pack(ends).withUnsafeBytes { ends in
        profiles.withUnsafeBytes { profiles in
          ElevationBlock(slopes: slopes, ends: ends, profiles: profiles).map { block in
            (0..<block.count).map { [UInt8](block.profile($0)) }
          }
        }
      }
    }
  }
}
