// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import TrailTiles

@main
enum Main {
  static func main() { CommandRunner.main(BuildTilesCommand.self) }
}
