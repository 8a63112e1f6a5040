// SPDX-License-Identifier: Apache-2.0

//   swift run -c release MapMatchingBenchmark DB PAIRS [--worst] [--stated] [KEY=VALUE …]
//
// Walks the routes between the pairs of points in a file (lon lat lon lat) through a database, with
// noise, matches what a receiver would record, and prints how much of it is right: medians over the
// routes with the 5 % and 95 % quantiles, and the shares of the length of all of them. --worst lists
// the worst routes, --stated gives the matcher the true accuracy, and KEY=VALUE sets a constant of the
// model, sigma or interval to run with one value only, bursts for the seconds from one burst of
// multipath to the next, or step to take each nth route only.

import CairnGeodesy
import CairnMapMatching
import CairnRouting
import Glibc
import TestSupport

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
  print("usage: MapMatchingBenchmark DB PAIRS [--worst] [--stated] [KEY=VALUE …]")
  exit(64)
}

let opening = ContinuousClock().measure { _ = try? MatchingBench(words[0]) }
var bench = try MatchingBench(words[0])
print("opened in \(opening)")
for word in words.dropFirst(2) { bench.set(word) }
let routes = try bench.routes(words[1])
print(
  "\(routes.count) routes, \(Int(routes.reduce(0) { $0 + $1.length } / 1000)) km, "
    + "\(bench.cuts(routes).count) with a cut")
for deviation in [5.0, 10, 25] {
  if let only = bench.onlyDeviation, only != deviation { continue }
  for interval in [1.0, 10] {
    if let only = bench.onlyInterval, only != interval { continue }
    bench.run(routes, deviation: deviation, interval: interval)
  }
}
