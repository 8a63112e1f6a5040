// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Serving

@main
enum Main {
  static func main() { CommandRunner.main(ServeCommand.self) }
}
