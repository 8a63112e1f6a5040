// SPDX-License-Identifier: Apache-2.0
import Fetch
import StageKit

@main
enum Main {
  static func main() { CommandRunner.main(FetchCommand.self) }
}
