// SPDX-License-Identifier: Apache-2.0

// Measures search in a database of places: how often a place is among the first five results, and how
// long a query takes of the processor's time. The same database gives the same shares.
//
//   swift run -c release SearchBenchmark DB [--misses] [QUERY…]

import Formatting
import Glibc
import PlaceDatabase
import Search
import SearchMeasures

/// The processor's seconds of this thread, which a busy machine does not lengthen much.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func median(_ values: [Double], _ share: Double = 0.5) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
}

func milliseconds(_ seconds: Double) -> String { decimal(seconds * 1000, 2) + " ms" }

var words = Array(CommandLine.arguments.dropFirst())
let printsMisses = words.contains("--misses")
words.removeAll { $0 == "--misses" }
guard let path = words.first else {
  print("usage: SearchBenchmark DB [--misses] [QUERY…]")
  exit(64)
}
let search = try SearchService(path: path)
if words.count > 1 {
  for query in words.dropFirst() {
    let times = try (0..<50).map { _ in
      let start = processorSeconds()
      _ = try search.search(query, limit: Recall.depth)
      return processorSeconds() - start
    }
    let response = try search.search(query, limit: Recall.depth)
    print("\(query): \(milliseconds(median(times)))")
    for result in response.results {
      print("    \(result.title) – \(result.subtitle) [\(result.match)]")
    }
  }
  exit(0)
}
let places = try NamedPlaces(path)
print("\(grouped(places.entries.count)) distinct names of \(grouped(places.names.count)) places")
var rows: [[String]] = [["", "names", "found", "median", "95 %", "slowest"]]
for measure in Recall.Measure.allCases {
  let recall = try Recall(measure, of: places, in: search, clock: processorSeconds)
  rows.append([
    measure.rawValue, grouped(recall.tried), percent(recall.share),
    milliseconds(median(recall.seconds)), milliseconds(median(recall.seconds, 0.95)),
    milliseconds(recall.seconds.max() ?? 0),
  ])
  if printsMisses {
    for miss in recall.misses { print("  \(measure.rawValue): “\(miss.query)” for “\(miss.name)”") }
  }
}
var locations: [Double] = []
for entry in places.entries {
  let start = processorSeconds()
  _ = try search.reverseGeocode(location: entry.coordinate)
  locations.append(processorSeconds() - start)
}
rows.append([
  "where", grouped(locations.count), "", milliseconds(median(locations)),
  milliseconds(median(locations, 0.95)), milliseconds(locations.max() ?? 0),
])
print(TextTable([.left, .right, .right, .right, .right, .right], rows: rows).text, terminator: "")
