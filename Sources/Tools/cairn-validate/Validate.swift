// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Validation

@main
enum Main {
  static func main() { CommandRunner.main(ValidateCommand.self) }
}
