// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Elevation

@main
enum Main {
  static func main() { CommandRunner.main(SampleElevationCommand.self) }
}
