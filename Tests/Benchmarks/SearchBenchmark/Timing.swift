// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnSearch
import Glibc
import SearchMeasures

/// The processor's seconds of this thread, which a busy machine does not lengthen much.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The seconds that `body` takes.
func timed(_ body: () throws -> Void) rethrows -> Double {
  let start = processorSeconds()
  try body()
  return processorSeconds() - start
}

func milliseconds(_ seconds: Double) -> String { decimal(seconds * 1000, 2) + " ms" }

/// Median, 95th percentile and greatest of some times.
func summary(_ seconds: [Double]) -> [String] {
  let sorted = seconds.sorted()
  guard let greatest = sorted.last else { return ["", "", ""] }
  let high = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
  return [sorted[sorted.count / 2], high, greatest].map(milliseconds)
}

/// Prints what a query finds, and how long it takes.
func show(_ query: String, near: Coordinate?, in search: SearchService) throws {
  let times = try (0..<50).map { _ in
    try timed { _ = try search.search(query, near: near, limit: Recall.depth) }
  }
  print("\(query): \(summary(times)[0])")
  for result in try search.search(query, near: near, limit: Recall.depth).results {
    print("    \(result.title) – \(result.subtitle) [\(result.match)]")
  }
}

/// Takes `--near LAT,LON` out of the arguments; nil where it is not there.
func takeLocation(from words: inout [String]) -> Coordinate? {
  guard let index = words.firstIndex(of: "--near"), index + 1 < words.count else { return nil }
  let numbers = words[index + 1].split(separator: ",").compactMap { Double($0) }
  words.removeSubrange(index...index + 1)
  return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
}
