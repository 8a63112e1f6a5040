// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import OSMInput

@main
enum Main {
  static func main() { CommandRunner.main(ParseOverpassCommand.self) }
}
