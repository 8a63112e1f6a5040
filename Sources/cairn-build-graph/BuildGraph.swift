// SPDX-License-Identifier: Apache-2.0

import RoutingGraph
import StageKit

@main
enum Main {
  static func main() { CommandRunner.main(BuildGraphCommand.self) }
}
