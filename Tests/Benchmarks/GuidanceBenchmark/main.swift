// SPDX-License-Identifier: Apache-2.0

//   swift run -c release GuidanceBenchmark DB PAIRS [--worst] [KEY=VALUE …]
//
// Finds the routes between the pairs of points in a file (lon lat lon lat), walks each with a
// receiver's errors and wrong turns, follows the walks, and prints what the guidance did: false
// alarms, missed and repeated turns, warnings, and how soon wrong turns were noticed. Then it
// measures the time of a fix on a route of 50,000 points. --worst names the walks with mistakes.
// KEY=VALUE: sigma, interval (seconds), turns (wrong turns a route), ways=1 (these along other ways of the
// database, 150 m), step (each nth route only), leaving, off, seed, stated=0,
// bursts, plateaus (seconds from one to the next), correlated (share of the errors), tau (seconds that they last).

import CairnFormatting
import CairnLocationProviders
import Glibc

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
  print("usage: GuidanceBenchmark DB PAIRS [--worst] [KEY=VALUE …]")
  exit(64)
}
var bench = try GuidanceBench(words[0])
for word in words.dropFirst(2) { bench.set(word) }
let routes = try bench.routes(words[1])
print("\(routes.count) routes, \(Int(routes.reduce(0) { $0 + $1.totalDistance } / 1000)) km")
for deviation in bench.onlyDeviation.map({ [$0] }) ?? [5, 10, 25] {
  try bench.run(routes, deviation: deviation)
}
bench.time()
