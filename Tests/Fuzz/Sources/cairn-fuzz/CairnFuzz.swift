// SPDX-License-Identifier: Apache-2.0
import CLibFuzzer
import FuzzTargets
import Glibc

/// The target that libFuzzer calls.
private nonisolated(unsafe) var target: FuzzTarget?

@main
enum CairnFuzz {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    target = words.first.flatMap(FuzzTarget.named)
    if target != nil {
      fuzz()
    } else if words == ["targets"] {
      for target in FuzzTarget.all { print(target.name) }
    } else if words.count == 2, words[0] == "seeds" {
      try writeSeeds(words[1])
    } else {
      print("usage: cairn-fuzz targets | seeds FOLDER | TARGET [libFuzzer's options and folders]")
      exit(64)
    }
  }

  /// Writes the seeds that targets compute, one folder for each target.
  private static func writeSeeds(_ folder: String) throws {
    for target in FuzzTarget.all {
      for (index, seed) in try target.seeds().enumerated() {
        mkdir("\(folder)/\(target.name)", 0o777)
        let path = "\(folder)/\(target.name)/computed-\(index)"
        guard let file = fopen(path, "w") else {
          report("cairn-fuzz: \(path): \(String(cString: strerror(errno)))")
          exit(73)
        }
        let written = fwrite(seed, 1, seed.count, file)
        guard fclose(file) == 0, written == seed.count else {
          report("cairn-fuzz: \(path): cannot be written")
          exit(74)
        }
      }
    }
  }

  private static func fuzz() -> Never {
    // libFuzzer sees its own options only, after the name of the program.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      CommandLine.unsafeArgv + 1
    arguments?[0] = CommandLine.unsafeArgv[0]
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        do { try target?.check(UnsafeRawBufferPointer(start: bytes, count: count)) } catch {
          // libFuzzer takes a process that aborts for a finding, and keeps the input.
          CairnFuzz.report("\(error)")
          abort()
        }
        return 0
      })
  }

  private static func report(_ message: String) {
    let bytes = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
