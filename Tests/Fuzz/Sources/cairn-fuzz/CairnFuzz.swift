// SPDX-License-Identifier: Apache-2.0
import CLibFuzzer
import Glibc

/// `cairn-fuzz TARGET [libFuzzer's options and folders]`
@main
enum CairnFuzz {
  static func main() {
    var arguments = CommandLine.unsafeArgv
    var count = CommandLine.argc
    guard count > 1, let name = arguments[1], let test = targets[String(cString: name)] else {
      print("usage: cairn-fuzz \(targets.keys.sorted().joined(separator: "|")) …")
      exit(64)
    }
    // libFuzzer sees its own options only, behind the name of the program.
    arguments[1] = arguments[0]
    arguments += 1
    count -= 1
    var shifted: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
    exit(LLVMFuzzerRunDriver(&count, &shifted, test))
  }
}
