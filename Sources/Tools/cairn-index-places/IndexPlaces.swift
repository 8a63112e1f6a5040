// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import PlaceIndex

@main
enum Main {
  static func main() { CommandRunner.main(IndexPlacesCommand.self) }
}
