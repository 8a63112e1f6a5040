// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Fetch

@main
enum Main {
  static func main() { CommandRunner.main(FetchCommand.self) }
}
