// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Available memory")
struct AvailableMemoryTests {
  /// A machine with 8 000 000 KiB available and the given files below the two mounts.
  private func memory(_ membership: String, _ files: [String: String]) throws -> Int? {
    let folder = try TemporaryFolder()
    var all = ["proc/self/cgroup": membership]
    all["proc/meminfo"] = "MemTotal: 9000000 kB\nMemAvailable:    8000000 kB\n"
    for (path, text) in files { all["groups/" + path] = text }
    for (path, text) in all {
      let parent = URL(fileURLWithPath: folder.file(path)).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try folder.write(text, to: path)
    }
    return availableMemory(processes: folder.file("proc"), groups: folder.file("groups"))
  }

  @Test("without a limit it is what the kernel says")
  func noLimit() throws {
    #expect(try memory("0::/a\n", ["a/memory.max": "max\n"]) == 8_192_000_000)
    #expect(try memory("", [:]) == 8_192_000_000)
    #expect(availableMemory(processes: "/nowhere", groups: "/nowhere") == nil)
    #expect(availableMemory().map { $0 > 0 } == true)
  }

  @Test("the tightest group of cgroup v2 counts, and pages of files can be dropped")
  func versionTwo() throws {
    let files = [
      "a/b/memory.max": "3000\n", "a/b/memory.current": "500\n",
      "a/memory.max": "2000\n", "a/memory.current": "1500\n",
      "a/memory.stat": "anon 700\nfile 800\ninactive_file 600\n",
    ]
    #expect(try memory("0::/a/b\n", files) == 1100)
  }

  @Test("in a container the group is the mount itself")
  func container() throws {
    let files = ["memory.max": "4000\n", "memory.current": "1000\n"]
    #expect(try memory("0::/\n", files) == 3000)
    #expect(try memory("0::/../outside/x\n", files) == 3000)
    #expect(try memory("", files) == 3000)
  }

  @Test("cgroup v1 has other names and a limit for none")
  func versionOne() throws {
    let membership = "5:cpu,cpuacct:/x\n4:memory:/x\n0::/\n"
    let files = [
      "memory/x/memory.limit_in_bytes": "5000\n", "memory/x/memory.usage_in_bytes": "4500\n",
      "memory/x/memory.stat": "inactive_file 1\ntotal_inactive_file 500\n",
      "memory/memory.limit_in_bytes": "9223372036854771712\n",
    ]
    #expect(try memory(membership, files) == 1000)
  }

  @Test("a group that uses more than its limit has nothing left")
  func overLimit() throws {
    #expect(try memory("0::/\n", ["memory.max": "10", "memory.current": "11"]) == 0)
  }

  @Test("a file of the kernel's is read to its end although its size is 0")
  func readsToTheEnd() {
    #expect(systemText("/proc/self/status").contains("VmRSS"))
    #expect(systemText("/nowhere").isEmpty)
  }
}
