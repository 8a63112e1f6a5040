// SPDX-License-Identifier: Apache-2.0
import Elevation
import StageKit

@main
enum Main {
  static func main() { CommandRunner.main(SampleElevationCommand.self) }
}
