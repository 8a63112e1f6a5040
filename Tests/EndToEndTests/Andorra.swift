// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport

/// Andorra, from a real extract. The stages up to the graph run once for all tests, and costs once for
/// each list of profiles.
enum Andorra {
  static let extract = sharedData("andorra.osm.pbf")
  static let tiles = sharedData("hgt")
  static let isThere = extract != nil && tiles != nil

  private struct Built {
    var chain: Chain?
    var databases: [[String]: String] = [:]
  }

  private static let built = Mutex(Built())

  /// A database of some profiles, which a test reads and nothing more.
  static func database(_ profiles: [String] = Chain.profiles) throws -> String {
    try built.withLock { built in
      if let database = built.databases[profiles] { return database }
      let chain = try graph(&built)
      let database = try chain.price(profiles, "\(built.databases.count).routing.db")
      built.databases[profiles] = database
      return database
    }
  }

  /// The whole numbers of an object of the report of decoding.
  static func decoded(_ object: String) throws -> [String: Int] {
    try built.withLock { try graph(&$0).counts("decode.json", object) }
  }

  private static func graph(_ built: inout Built) throws -> Chain {
    if let chain = built.chain { return chain }
    guard let extract, let tiles else { throw TestFailure("needs ../shared/data") }
    let chain = Chain(try TemporaryFolder.untilExit())
    try chain.buildGraph(extract, hgt: tiles)
    built.chain = chain
    return chain
  }
}
