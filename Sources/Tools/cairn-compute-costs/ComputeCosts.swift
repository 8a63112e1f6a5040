// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import CostModel

@main
enum Main {
  static func main() { CommandRunner.main(ComputeCostsCommand.self) }
}
