// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

/// Whether a program is installed.
private func isInPath(_ program: String) -> Bool {
  let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
  return folders.split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

@Suite(
  "Kills, faults and full disks",
  .enabled(if: isInPath("python3") && isInPath("cc"), "needs python3 and cc"),
  .disabled(if: Executables.areSanitized, "writes gigabytes"))
struct FaultTests {
  @Test("after one fault of each kind and some more, the next run gives the same bytes as without")
  func shortLoop() throws {
    // The long form is `make faults`. A log holds 2 MB at most, of which 16 MB are many times as
    // much; a debug build takes minutes for the gigabyte there.
    let result = try runProcess(
      "python3",
      [
        "\(packageRoot)/Tests/FaultTests/faults.py", "--bin", Executables.folder, "--count", "28",
        "--megabytes", "16",
      ])
    #expect(result.status == 0, "\(result.stdout)\n\(result.stderr)")
    if let skipped = result.stdout.split(separator: "\n").first(where: { $0.contains("skipped") }) {
      print("faults: \(skipped)")
    }
  }
}
