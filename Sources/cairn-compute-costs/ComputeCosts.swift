// SPDX-License-Identifier: Apache-2.0
import CostModel
import StageKit

@main
enum Main {
  static func main() { CommandRunner.main(ComputeCostsCommand.self) }
}
