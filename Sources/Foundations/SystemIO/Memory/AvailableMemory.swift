// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Glibc

/// Ends the process because the system refused this much memory, with a reason and the exit code
/// for a temporary failure. There is no output; at most its temporary file remains, as after a
/// kill.
///
/// - Parameter fileError: The reason why a file could not hold it either, if that was tried.
package func endForLackOfMemory(_ bytes: Int, _ fileError: CairnError? = nil) -> Never {
  let program = splitPath(CommandLine.arguments.first ?? "cairn").name
  let error = CairnError(
    "out-of-memory", .temporaryFailure,
    "not enough memory for another \(byteSize(bytes))"
      + (fileError.map { ", nor can it lie in a file: \($0)" } ?? ""),
    hint: "end other programs, raise the memory limit, or choose smaller regions")
  let line = Array("\(program): error: \(error)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  // Other threads are running, so nothing is cleaned up under them.
  _exit(ExitCode.temporaryFailure.rawValue)
}

/// The memory in bytes available now without swapping, by /proc/meminfo and the limits of the
/// control groups of this process (cgroup v1 or v2); nil if unknown.
///
/// - Parameters:
///   - processes: The folder of the proc file system.
///   - groups: The folder below which the control groups are mounted.
package func availableMemory(processes: String = "/proc", groups: String = "/sys/fs/cgroup")
  -> Int?
{
  let free = value(of: "MemAvailable:", in: systemText(processes + "/meminfo"))
    .flatMap { $0 <= Int.max >> 10 ? $0 << 10 : nil }
  let memberships = systemText(processes + "/self/cgroup")
  let rooms = groupFolders(memberships, groups).compactMap(freeMemory)
  return (rooms + [free].compactMap { $0 }).min()
}

/// The content of a file of /proc or /sys, which reports a size of 0: read to its end, at most 1
/// MiB; empty if it cannot be read.
package func systemText(_ path: String) -> String {
  let limit = 1 << 20
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return "" }
  defer { close(descriptor) }
  var text: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while text.count < limit {
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    text += chunk.prefix(count)
  }
  return String(decoding: text.prefix(limit), as: UTF8.self)
}

/// The folders of the control groups that limit the memory, from the innermost group outwards.
/// Within a container, the path of the group may be the one outside, so that only the mount itself
/// exists.
private func groupFolders(_ memberships: String, _ mount: String) -> [String] {
  var folders: [String] = []
  for line in memberships.split(separator: "\n") {
    // hierarchy:controllers:path; version 2 has no controllers.
    let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3 else { continue }
    let isMemory = fields[1].split(separator: ",").contains("memory")
    guard isMemory || fields[1].isEmpty else { continue }
    var names = fields[2].split(separator: "/").map(String.init).filter { $0 != ".." }
    while true {
      folders.append(([mount] + (isMemory ? ["memory"] : []) + names).joined(separator: "/"))
      if names.popLast() == nil { break }
    }
  }
  return folders.isEmpty ? [mount, mount + "/memory"] : folders
}

/// The memory left by a control group's limit, including droppable file pages; nil if it has no
/// limit.
private func freeMemory(ofGroup folder: String) -> Int? {
  func number(_ name: String) -> Int? {
    Int(systemText("\(folder)/\(name)").prefix(while: \.isNumber))
  }
  let statistics = systemText(folder + "/memory.stat")
  let (limit, used, droppable): (Int?, Int?, Int?) =
    if let limit = number("memory.max") {
      (limit, number("memory.current"), value(of: "inactive_file", in: statistics))
    } else {
      (
        number("memory.limit_in_bytes"), number("memory.usage_in_bytes"),
        value(of: "total_inactive_file", in: statistics)
      )
    }
  guard let limit else { return nil }
  return max(0, limit - max(0, (used ?? 0) - (droppable ?? 0)))
}

/// The number behind a word at the start of a line.
private func value(of name: String, in text: String) -> Int? {
  // Not by characters, which takes a millisecond.
  for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.starts(with: name.utf8) {
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if words.count > 1, words[0].elementsEqual(name.utf8) { return Int(Substring(words[1])) }
  }
  return nil
}
