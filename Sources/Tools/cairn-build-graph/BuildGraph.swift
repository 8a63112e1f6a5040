// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import RoutingGraph

@main
enum Main {
  static func main() { CommandRunner.main(BuildGraphCommand.self) }
}
