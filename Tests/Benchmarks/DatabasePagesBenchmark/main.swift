// SPDX-License-Identifier: Apache-2.0
// Writes a table of the shape of routing_edges with its two indexes through SQLite and as pages:
//   swift run -c release DatabasePagesBenchmark [ROWS [FOLDER]]
import CairnDiagnostics
import CairnFormatting
import SystemIO

let arguments = CommandLine.arguments
let count = arguments.count > 1 ? Int(arguments[1]) ?? 1_000_000 : 1_000_000
let folder = arguments.count > 2 ? arguments[2] : "."

do throws(CairnError) {
  let rows = EdgeRows(count: count)
  let path = folder + "/database-pages-benchmark.db"
  defer { removeFile(path) }
  for (name, write) in [("SQLite", writeWithSQLite), ("pages", writePages)] {
    var seconds: [Double] = []
    var cpuSeconds: [Double] = []
    for _ in 0..<5 {
      removeFile(path)
      let start = (monotonicSeconds(), ResourceUse.current().cpuSeconds)
      try write(rows, path)
      seconds.append(monotonicSeconds() - start.0)
      cpuSeconds.append(ResourceUse.current().cpuSeconds - start.1)
      try check(path, count: count)
    }
    for (kind, times) in [("wall", seconds.sorted()), ("CPU", cpuSeconds.sorted())] {
      let text = times.map { decimal($0, 3) }
      print("\(name): \(kind) median \(text[2]) s, \(text[0]) to \(text[4]) s")
    }
  }
} catch {
  print(error)
}
