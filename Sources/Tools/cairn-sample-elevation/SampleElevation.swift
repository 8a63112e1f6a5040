import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Elevation

@main
enum Main {
  static func main() { CommandRunner.main(SampleElevationCommand.self) }
}
