// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import SystemIO
import TestSupport
import Testing
import Validation

@Suite("Validation on several threads")
struct ThreadTests {
  private static let threads = [1, 2, 3, 8]

  @Test("the report of a valid database is the same for every number of threads")
  func valid() throws {
    let reports = try DamageCase("valid").reports(threads: Self.threads)
    #expect(reports.map(\.valid) == Self.threads.map { _ in true })
    try expectEqual(reports)
  }

  @Test("the report of a damaged database is the same for every number of threads")
  func damaged() throws {
    var rules: Set<String> = []
    for damage in damageCases where rules.insert(damage.rule).inserted {
      try expectEqual(try damage.reports(threads: Self.threads), "\(damage)")
    }
  }

  @Test("the examples of a rule are in the order of profiles and edges for every number of threads")
  func order() throws {
    let reports = try DamageCase(
      "everything", "UPDATE routing_costs SET cost = cost * 2 WHERE profile > 1 OR edge > 8",
      "UPDATE routing_edges SET to_node = 99 WHERE id = 8",
      "INSERT INTO routing_cost_blocks VALUES (-7 << 32, NULL, x''), (7 << 32, NULL, x'')",
      "INSERT INTO routing_cost_blocks VALUES ((1 << 32) + 99, NULL, x''), ((2 << 32) + 98, x'', x'')",
      "INSERT INTO routing_tagset_blocks VALUES (97, x'', NULL)",
      "INSERT INTO routing_elevation_blocks VALUES (96, x'', x'', x'')",
      "INSERT INTO routing_islands VALUES (9, 1, 1), (1, 95, 1)"
    ).reports(threads: Self.threads)
    try expectEqual(reports)
    let broken = try #require(reports.first?.checks.first { $0.rule == "foreign-keys" })
    #expect(
      broken.details == [
        "edge 8 ends at node 99",
        "routing_tagset_blocks has block 97, but no edge is in it",
        "routing_islands refers to node 95",
      ])
    // Besides: two rows of profiles and two of edges that do not exist, one elevation, one island.
    #expect(broken.count == 9)
  }

  @Test("rows that are stored once and linked many times do not exhaust memory")
  func sharedRows() throws {
    let intact = try Damaged()
    let bytes = try withSharedPages(
      try bytesOfFile(intact.path), rootPage: 2, of: "routing_nodes")
    let path = try intact.folder.write(bytes, to: "shared.db")
    let before = ResourceUse.current().peakBytes
    var reports: [ValidationReport] = []
    for count in Self.threads {
      var validator = try DatabaseValidator(path, threads: count)
      reports.append(try validator.run())
    }
    try expectEqual(reports)
    #expect(reports[0].checks[0].status == "error")
    // There are 12 million rows in a file of 200 kB; a row takes 32 bytes of memory.
    #expect(ResourceUse.current().peakBytes - before < 200 << 20)
  }

  private func expectEqual(_ reports: [ValidationReport], _ title: String = "") throws {
    for report in reports {
      #expect(report == reports[0], "\(title)")
      let (bytes, first) = (try encodeJSON(report), try encodeJSON(reports[0]))
      #expect(bytes == first, "\(title)")
      #expect(report.text(isVerbose: true) == reports[0].text(isVerbose: true), "\(title)")
    }
  }
}

/// A database in which a table of one page has two levels of pages above it that link to it 1100
/// times each.
private func withSharedPages(_ database: [UInt8], rootPage: Int, of table: String) throws
  -> [UInt8]
{
  let pageBytes = 8192
  let links = 1100
  var bytes = database
  let root = (rootPage - 1) * pageBytes..<rootPage * pageBytes
  let leaf = bytes.count / pageBytes + 1
  guard bytes[root.lowerBound] == 0x0D else { throw TestFailure("\(table) is not one page") }
  func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
  func interior(_ child: Int) -> [UInt8] {
    // A cell is a page and the largest id in it, here 10.
    let cell = bigEndian(child, 4) + [10]
    let start = pageBytes - links * cell.count
    let head: [UInt8] = [5, 0, 0] + bigEndian(links, 2) + bigEndian(start, 2) + [0]
    let list = (0..<links).flatMap { bigEndian(start + $0 * cell.count, 2) }
    let page = head + bigEndian(child, 4) + list
    return page + [UInt8](repeating: 0, count: start - page.count)
      + (0..<links).flatMap { _ in cell }
  }
  bytes += bytes[root]
  bytes += interior(leaf)
  bytes.replaceSubrange(root, with: interior(leaf + 1))
  bytes.replaceSubrange(28..<32, with: bigEndian(leaf + 1, 4))
  return bytes
}
