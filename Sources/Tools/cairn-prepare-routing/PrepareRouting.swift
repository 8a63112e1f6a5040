// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import RoutingPreparation

@main
enum Main {
  static func main() { CommandRunner.main(PrepareRoutingCommand.self) }
}
