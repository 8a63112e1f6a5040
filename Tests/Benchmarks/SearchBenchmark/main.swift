// SPDX-License-Identifier: Apache-2.0

// Measures search in a database of places: how often a place is among the first five results, and how
// long a query takes of the processor's time. The same database gives the same shares.
//
//   swift run -c release SearchBenchmark DB [--misses] [--near LAT,LON] [QUERY…]

import CairnFormatting
import CairnSearch
import Glibc
import SearchMeasures

var words = Array(CommandLine.arguments.dropFirst())
let printsMisses = words.contains("--misses")
words.removeAll { $0 == "--misses" }
let near = takeLocation(from: &words)
guard let path = words.first else {
  print("usage: SearchBenchmark DB [--misses] [--near LAT,LON] [QUERY…]")
  exit(64)
}
let search = try SearchService(path: path)
for query in words.dropFirst() { try show(query, near: near, in: search) }
if words.count > 1 { exit(0) }

let places = try NamedPlaces(path)
print("\(grouped(places.entries.count)) distinct names of \(grouped(places.names.count)) places")
var rows = [["", "names", "found", "of possible", "median", "95 %", "slowest", "query"]]
for measure in Recall.Measure.allCases {
  let recall = try Recall(measure, of: places, in: search, repetitions: 3, clock: processorSeconds)
  rows.append(
    [
      measure.rawValue, grouped(recall.tried), percent(recall.share),
      percent(recall.shareOfAttainable),
    ] + summary(recall.seconds) + [recall.slowestQuery])
  guard printsMisses else { continue }
  for miss in recall.misses { print("  \(measure.rawValue): “\(miss.query)” for “\(miss.name)”") }
}
let locations = try places.entries.map { entry in
  try timed { _ = try search.reverseGeocode(location: entry.coordinate) }
}
rows.append(["where", grouped(locations.count), "", ""] + summary(locations) + [""])
print(
  TextTable([.left, .right, .right, .right, .right, .right, .right, .left], rows: rows).text,
  terminator: "")
