// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import WaypointCollection

@main
enum Main {
  static func main() { CommandRunner.main(CollectPlacesCommand.self) }
}
