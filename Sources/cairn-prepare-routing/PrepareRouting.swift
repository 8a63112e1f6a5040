// SPDX-License-Identifier: Apache-2.0
import RoutingPreparation
import StageKit

@main
enum Main {
  static func main() { CommandRunner.main(PrepareRoutingCommand.self) }
}
