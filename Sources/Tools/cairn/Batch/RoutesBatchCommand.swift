// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests
import Synchronization
import SystemIO

/// `cairn routes batch`: many routes from one database.
struct RoutesBatchCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn routes batch",
    summary: "find routes for many pairs of points",
    discussion: """
      Each line of PAIRS.csv is LAT,LON,LAT,LON in degrees: the start and the destination of a \
      route. A header is allowed. Prints one line per pair, in the same order: the totals of the \
      route, or the reason in the column error if there is none; how far start and destination lie \
      off the network; the preferences that the route goes against; with --where, where start and \
      destination are; the day for which ways were judged; and how many \
      stretches are under rules on times. \(RouteChoice.discussion) Exits with 1 if any pair has \
      no route, and with 65, before anything is printed, if a line is not a pair of coordinates.
      """,
    positionals: [
      .init("DB", help: DatabaseChoice.positional.help),
      .init(
        "PAIRS.csv", repeats: true,
        help: "starts and destinations, one pair per line, after the last DB; - for stdin"),
    ],
    options: RouteChoice.options + [
      .option("format", "FORMAT", help: "csv or jsonl, one JSON object per line (default csv)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
      .flag(
        "where",
        help: "say where starts and destinations are, by the .places.db beside the database"),
      .flag("paged", help: "read the database on demand instead of loading it into memory"),
      .flag("benchmark", help: "print search times instead of routes"),
    ],
    examples: [
      "cairn routes batch valley.routing.db pairs.csv > routes.csv",
      "cairn routes batch valley.routing.db pairs.csv --mode cycling --format jsonl -j 4",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let requested = try RouteChoice(arguments)
    let formats = BatchFormat.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(BatchFormat.init) ?? .csv
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let pairs = try RoutePairs(arguments.positionals[arguments.positionals.count - 1]).pairs
    let databases = try DatabaseChoice(arguments.positionals.dropLast())
    let store = databases.store()
    do {
      try store.open()
      defer { store.close() }
      let choice = try requested.resolved(in: store)
      let engine =
        arguments.has("paged")
        ? try choice.engine(on: store) : try choice.inMemory(store)
      if arguments.has("benchmark") {
        let benchmark = try RouteBenchmark(engine, pairs, choice)
        try Console.write(String(decoding: try encodeJSON(benchmark), as: UTF8.self))
        return .success
      }
      let workers = Workers(
        count: threads, places: arguments.has("where") ? try placesPaths(store) : [])
      try Console.write(format.header)
      let (missing, unmet) = try run(pairs, engine, store, choice, format, by: workers)
      if unmet > 0 {
        Console.note(
          "\(definition.name): \(grouped(unmet)) of \(grouped(pairs.count)) routes go against a "
            + "preference; --strict forbids this")
      }
      guard missing > 0 else { return .success }
      Console.note(
        "\(definition.name): \(grouped(missing)) of \(grouped(pairs.count)) pairs have no route")
      return .negative
    } catch let error as RoutingError {
      throw error.ofCommand(at: databases.title)
    }
  }

  /// Who finds the routes.
  private struct Workers {
    var count: Int
    /// The databases by which each of them names the ends; none if they are not asked for.
    var places: [String]
  }

  /// The databases of places beside those of a store. Throws 66 if there are none.
  private static func placesPaths(_ store: RoutingStore) throws(CairnError) -> [String] {
    let paths = store.paths.compactMap(placesBeside)
    guard paths.isEmpty else { return paths }
    throw CairnError(
      "no-places", .noInput, "has no .places.db beside it", at: Location(file: store.path),
      hint: "make one with cairn index-places, or leave out --where")
  }

  /// The number of pairs that a worker takes at once.
  private static let blockSize = 64

  /// Finds all routes and prints them in the order of the pairs; returns the number of pairs
  /// without a route, and of routes against a preference.
  private static func run(
    _ pairs: [BatchFormat.Pair], _ engine: RoutingEngine, _ store: RoutingStore,
    _ choice: RouteChoice, _ format: BatchFormat, by workers: Workers
  ) throws -> (missing: Int, unmet: Int) {
    let extent = DatabaseExtent(store)
    let day = try JudgedDay(choice.otherDay, store)
    let queue = WorkQueue(count: (pairs.count + blockSize - 1) / blockSize)
    let output = OrderedOutput()
    let tally = Mutex((missing: 0, unmet: 0))
    try withWorkers(min(workers.count, queue.count)) { _ in
      do {
        // Each worker has its own, so none waits for another.
        let places = PlaceNames(workers.places)
        while let block = queue.next() {
          let range = block * blockSize..<min((block + 1) * blockSize, pairs.count)
          var text = ""
          var (missing, unmet) = (0, 0)
          for pair in pairs[range] {
            let ends = [pair.start, pair.end].map { places?.name($0) }
            do throws(RoutingError) {
              let route = try choice.findRoute(engine, [pair.start, pair.end])
              let against = Set(
                try choice.preferences.unmet(on: route, in: store).map(\.preference))
              unmet += against.isEmpty ? 0 : 1
              text += format.line(
                pair, route, unmet: RoutePreference.allCases.filter(against.contains), ends, day,
                try choice.rules(on: route, engine))
            } catch {
              // A defect of the database affects all pairs.
              guard error.exitCode == .negative else { throw error }
              if case .profileNotAvailable = error { throw error }
              missing += 1
              text += format.line(pair, error: extent.description(error), ends, day)
            }
          }
          tally.withLock { $0 = ($0.missing + missing, $0.unmet + unmet) }
          try output.add(text, block: block)
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    return tally.withLock { $0 }
  }
}
