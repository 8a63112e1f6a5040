// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests
import Synchronization
import SystemIO
import TuningSuites

/// `cairn matrix`: a cost, time or distance matrix.
struct MatrixCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn matrix",
    summary: "compute a matrix of costs, times or distances between points",
    discussion: """
      Each line of POINTS.csv is LAT,LON in degrees; a header is allowed. Prints one row per \
      point, in the same order, with the values of the routes from that point to every point. A \
      cell is empty (null in JSON) if there is no route. The last column (in JSON, the list \
      offNetworkMetres) is the greatest distance in metres from the point to where its routes \
      begin. All values are those of the route with the lowest cost. Times are sums over edges, \
      even with a time model for the totals of a route (din-33466), where cairn route gives \
      shorter times. accessDate in JSON is the day for which open ways were judged; with --date, a \
      note on stderr states it, too.
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option("points", "POINTS.csv", required: true, help: "the points, one per line"),
      .option(
        "measure", "MEASURE",
        help: "cost (equivalent metres of flat, good path), seconds or metres (default seconds)"),
    ] + RouteChoice.profileOptions + [
      .option("format", "FORMAT", help: "csv or json (default csv)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn matrix valley.routing.db --points huts.csv > seconds.csv",
      "cairn matrix valley.routing.db --points huts.csv --measure metres --format json",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let requested = try RouteChoice(arguments)
    try TravelDay.refuseDeparture(arguments)
    let measures = RouteMeasure.allCases.map(\.rawValue)
    let measure =
      try arguments.choice("measure", of: measures).flatMap(RouteMeasure.init) ?? .seconds
    let isJSON = try arguments.choice("format", of: ["csv", "json"]) == "json"
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let file = try arguments.required("points")
    let points = try PointList(file, pointsPerLine: 1).lines.map { $0.points[0] }
    let databases = try DatabaseChoice(arguments.positionals)
    let store = databases.store()
    do {
      try store.open()
      defer { store.close() }
      let choice = try requested.resolved(in: store)
      let day = try JudgedDay(choice.otherDay, store)
      let matrix = try RouteMatrix(
        try choice.graph(store), to: points, measure: measure, radiusMetres: choice.radiusMetres,
        mode: choice.mode)
      if isJSON { try Console.write("{\"measure\":\"\(measure.rawValue)\",\"rows\":[") }
      let off = try print(points, matrix, isJSON: isJSON, threads: threads)
      if isJSON {
        let list = off.map { cell($0, isJSON: true) }.joined(separator: ",")
        let date = day.accessDate.map { "\"\($0)\"" } ?? "null"
        let ways = matrix.lastResorts.map { $0.map { "\"\($0.rawValue)\"" } ?? "null" }
        try Console.write(
          "\n],\"offNetworkMetres\":[\(list)],\"lastResort\":[\(ways.joined(separator: ","))],"
            + "\"accessDate\":\(date)}\n")
      }
      if let line = day.line { Console.note("\(definition.name): \(line)") }
      noteLastResorts(matrix)
      let unsnapped = matrix.unsnappedDestinationCount
      if unsnapped > 0 {
        let extent = DatabaseExtent(store)
        let outside = points.count { extent.excludes($0) }
        let swapped = points.count { extent.swapped($0) != nil }
        Console.note(
          "\(definition.name): \(grouped(unsnapped)) of \(grouped(points.count)) points have no "
            + "usable path or road within the radius"
            + (outside > 0 ? "; \(grouped(outside)) lie outside the database" : "")
            + (swapped > 0 ? " (latitude and longitude look swapped)" : ""))
      }
      return .success
    } catch let error as RoutingError {
      throw error.ofCommand(at: databases.title)
    }
  }

  /// Says how many points lie on a way that is a last resort.
  private static func noteLastResorts(_ matrix: RouteMatrix) {
    let count = matrix.lastResorts.count { $0 != nil }
    if count == 0 { return }
    Console.note(
      "\(definition.name): \(grouped(count)) of \(grouped(matrix.count)) points have only a ferry, a "
        + "tunnel or a distant bridge within the radius")
  }

  /// Prints the rows in the order of the points. Returns the distance from each point to the start
  /// of its routes.
  private static func print(
    _ points: [Coordinate], _ matrix: RouteMatrix, isJSON: Bool, threads: Int
  ) throws -> [Double?] {
    let queue = WorkQueue(count: points.count)
    let output = OrderedOutput()
    let off = Mutex([Double?](repeating: nil, count: points.count))
    try withWorkers(min(threads, points.count)) { _ in
      do {
        while let index = queue.next() {
          let row = try matrix.cells(from: points[index])
          off.withLock { $0[index] = row.offNetworkMetres }
          let values = row.values + (isJSON ? [] : [row.offNetworkMetres])
          let cells = values.map { cell($0, isJSON: isJSON) }.joined(separator: ",")
          let text = isJSON ? "\(index > 0 ? "," : "")\n[\(cells)]" : cells + "\n"
          try output.add(text, block: index)
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    return off.withLock { $0 }
  }

  private static func cell(_ value: Double?, isJSON: Bool) -> String {
    value.map { decimal($0, 1) } ?? (isJSON ? "null" : "")
  }
}
