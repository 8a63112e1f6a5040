// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit

@_extern(c) func say(_ text: UnsafePointer<UInt8>, _ length: Int32)
@_extern(c) func end(_ status: Int32)

/// Says what is wrong where a whole number has 32 bits, as on watches, and ends with how much.
@main struct Checks {
  nonisolated(unsafe) static var failures: Int32 = 0

  static func expect(_ isRight: Bool, _ what: StaticString) {
    if isRight { return }
    failures += 1
    say(what.utf8Start, Int32(what.utf8CodeUnitCount))
  }

  static func main() {
    expect(Int.bitWidth == 32, "an Int has 32 bits\n")
    expect(timestampText(seconds: 253_402_300_799) == "9999-12-31T23:59:59Z", "a late time\n")
    expect(timestampText(seconds: -62_135_596_800) == "0001-01-01T00:00:00Z", "an early time\n")
    expect(decimal(123_456.7, 6) == "123456.700000", "a number with many digits\n")
    var random = SplitMix64(seed: 1)
    for _ in 0..<1000 {
      let share = random.nextShare()
      expect(share >= 0 && share < 1, "a random share\n")
    }
    expect(DistanceGrid.square(1, 0) != DistanceGrid.square(2, 0), "rows of a grid\n")
    let place = Coordinate(latitude: 89, longitude: 9)
    expect(DistanceGrid(metres: 1).square(of: place) > 0, "the square of a place\n")
    var pool = TextPool()
    for number in 0..<100 {
      let index = [UInt8](decimal(Double(number), 0).utf8).withUnsafeBytes { pool.index(of: $0) }
      expect(index == number, "a pool of texts\n")
    }
    expect(SQLiteConnection.operations(forBytes: 1 << 30) > 1 << 30, "the work of a large file\n")
    do throws(CairnError) { try writeDatabase() } catch { expect(false, "writing a database\n") }
    end(failures)
  }

  private static func writeDatabase() throws(CairnError) {
    var content = DatabaseContent()
    content.addTable("t", sql: "CREATE TABLE t(n)", columns: 1) { _, part throws(CairnError) in
      for row in 1...5000 {
        part.record.add(Int64(row) << 33)
        try part.endRow(Int64(row))
      }
    }
    var size = 0
    let written = try DatabasePages(content).writeAll { bytes, offset in
      size = max(size, offset + bytes.count)
    }
    expect(size == written && size > 50_000, "the size of a database\n")
  }
}
